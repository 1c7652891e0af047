// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapTesting
import BlueCapDBus

/// Pairing, because `Pair` was called or a value needs it (`pair*.trace`); on the fake's thread only.
extension FakeDevice {
    /// The state of pairing with the device.
    struct Pairing {
        /// The call of `Pair` that is not answered yet.
        fileprivate(set) var call: MethodCall?
        /// Whether the services are found only after it: `Pair` made the link (`pair-explicitly.trace`).
        fileprivate(set) var holdsServices = false
        /// Removes the device after a refusal.
        fileprivate var removal: ClockTimer?
        /// Ends a link on which an answer is awaited.
        fileprivate var limit: ClockTimer?
    }

    /// On a device that is bonded it is never answered (`pair.trace`).
    func pair(_ call: MethodCall) {
        guard pairing.call == nil else { return call.fail(.inProgress) }
        pairing.call = call
        guard !daemon.bonded.contains(address) else { return }
        if isConnected { return beginPairing() }
        pairing.holdsServices = true
        attempt()
    }

    /// Whether there are keys for the link.
    var isSecure: Bool { daemon.bonded.contains(address) }

    /// The link for it stands.
    func beginPairing() {
        guard let peer = far?.pairing, peer.accepts else { return refusedByPeer() }
        limitQuestion()
        let link = far?.connectionCount
        daemon.agents.authorize(path, of: pairing.call?.sender, peer: peer.capability) { [weak self] accepts in
            guard let self, far?.connectionCount == link else { return }
            pairing.limit?.cancel()
            paired(accepts)
        }
    }

    /// The kernel ends a link whose pairing has stood still for half a minute (Core Specification, Vol 3, Part H, 3.4).
    private func limitQuestion() {
        pairing.limit?.cancel()
        pairing.limit = after(.seconds(30)) { device in
            device.daemon.agents.cancel()
            device.linkLost()
        }
    }

    /// The link goes a little later (`pair-explicitly-refused-by-peer.trace`).
    private func refusedByPeer() {
        failPairing("AuthenticationFailed", "Authentication Failed")
        loseLinkSoon()
    }

    /// A request needs encryption, which takes keys: pairs by itself (`pair.trace`). A peer that refuses costs the link
    /// (`pair-refused-by-peer.trace`); after a refusal of the agent's nothing that is asked over the link is answered,
    /// and after half a minute the device is gone (`pair-refused.trace`, `pair-without-agent.trace`).
    func secure(_ then: @escaping () -> Void) {
        if isSecure { return then() }
        guard let peer = far?.pairing, peer.accepts else { return linkLost() }
        limitQuestion()
        let link = far?.connectionCount
        daemon.agents.authorize(path, of: nil, peer: peer.capability) { [weak self] accepts in
            guard let self, isConnected, far?.connectionCount == link else { return }
            pairing.limit?.cancel()
            guard accepts else {
                pairing.removal = after(.seconds(30)) { $0.daemon.remove($0) }
                return
            }
            daemon.bonded.insert(address)
            changed(["Bonded": .bool(true), "Paired": .bool(true)])
            then()
        }
    }

    private func paired(_ accepts: Bool) {
        guard let call = pairing.call else { return }
        guard accepts, isConnected else { return failPairing("AuthenticationFailed", "Authentication Failed") }
        pairing.call = nil
        daemon.bonded.insert(address)
        if pairing.holdsServices {
            pairing.holdsServices = false
            changed(["Bonded": .bool(true)])
            resolve()
            changed(["Paired": .bool(true)])
        } else {
            changed(["Bonded": .bool(true), "Paired": .bool(true)])
        }
        call.reply()
    }

    /// Without a pairing under way the daemon has the kernel forget the keys, which ends the link, and goes on to say
    /// that it has them (`cancel_pairing`, `pair-explicitly.trace`).
    func cancelPairing(_ call: MethodCall) {
        guard pairing.call != nil else {
            call.fail(FakeFailure("DoesNotExist", "Does Not Exist"))
            return linkLost()
        }
        daemon.agents.cancel()
        failPairing("AuthenticationCanceled", "Authentication Canceled")
        // The call does not make a link any more, and an existing link is like any other.
        pairing.holdsServices = false
        call.reply()
        resolve()
    }

    private func failPairing(_ name: String, _ text: String) {
        pairing.call?.fail(FakeFailure(name, text))
        pairing.call = nil
    }

    /// The link is down, and with it the pairing under way.
    func endPairing() {
        pairing.removal?.cancel()
        pairing.limit?.cancel()
        failPairing("AuthenticationCanceled", "Authentication Canceled")
        pairing = Pairing()
    }
}
#endif
