// SPDX-License-Identifier: MIT

extension VirtualPeripheral {
    /// Goes out of range at once: it is not heard any more, and links end by their supervision timeout.
    public func vanish() { act { $0.setVanished(true) } }

    /// Comes back from where ``vanish()`` sent it. A link whose supervision timeout has not passed goes on.
    public func reappear() { act { $0.setVanished(false) } }

    /// Moves nearer or farther.
    public func move(to proximity: VirtualProximity) { act { $0.move(to: proximity) } }

    /// Loses packets with the given probability, 0 to 1. Lost advertisements are gone; on a link they are repeated,
    /// which takes time, and the link ends when nothing passes for the supervision timeout.
    public func setPacketLoss(_ probability: Double) { act { $0.setPacketLoss(probability) } }

    /// Sends nothing more, answers neither, though its link stays up: requests time out, and the central's stack ends
    /// the link after 30 seconds. What it is told to notify or indicate meanwhile waits.
    public func mute() { act { $0.setMute(true) } }

    /// Sends and answers again. What it was told to notify or indicate while it was mute goes out now, in order, over
    /// the links that still stand; the requests that came stay without an answer.
    public func unmute() { act { $0.setMute(false) } }

    /// Takes so much longer for every answer; zero ends it.
    public func slow(by delay: Duration) { act { $0.responseDelay = max(delay, .zero) } }

    /// Restarts without a word: it advertises at once, and the centrals notice by their supervision timeouts that their
    /// links are dead.
    public func reset() { act { $0.restart() } }
}
