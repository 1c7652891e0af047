// SPDX-License-Identifier: MIT

extension VirtualPeripheral {
    /// Moves out of range at once: no adapter receives the peripheral any more, and its links end by their supervision
    /// timeouts.
    public func vanish() { act { $0.setVanished(true) } }

    /// Comes back into range after ``vanish()``. A link whose supervision timeout has not passed goes on.
    public func reappear() { act { $0.setVanished(false) } }

    /// Moves nearer or farther.
    public func move(to proximity: VirtualProximity) { act { $0.move(to: proximity) } }

    /// Loses packets with the given probability, 0 to 1. Lost advertisements are gone; on a link packets are repeated,
    /// which takes time, and the link ends if nothing passes for the supervision timeout.
    public func setPacketLoss(_ probability: Double) { act { $0.setPacketLoss(probability) } }

    /// Stops all sending, responses included, although the links stay up: requests time out, and the central's stack
    /// ends the link after 30 seconds. Notifications and indications that the test sends meanwhile wait for
    /// ``unmute()``.
    public func mute() { act { $0.setMute(true) } }

    /// Resumes sending. Notifications and indications that waited since ``mute()`` go out now, in order, over the links
    /// that still stand. Requests that came in between stay unanswered.
    public func unmute() { act { $0.setMute(false) } }

    /// Delays every response by the given time; zero ends the delay.
    public func slow(by delay: Duration) { act { $0.responseDelay = max(delay, .zero) } }

    /// Restarts the peripheral without ending its links: it advertises at once, and the centrals detect by their
    /// supervision timeouts that the links are dead.
    public func reset() { act { $0.restart() } }
}
