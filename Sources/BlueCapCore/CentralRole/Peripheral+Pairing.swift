// SPDX-License-Identifier: MIT

extension Peripheral {
    /// A Boolean value that is true if the platform last reported that this machine and the peripheral have keys for
    /// each other; false if the platform does not report this.
    public var isBonded: Bool { facts.withLock { $0.isBonded } }

    /// Pairs with the peripheral and keeps the keys.
    ///
    /// Returns when the peripheral is bonded, immediately if it already is.
    ///
    /// This call is the app's consent to Just Works: without a stream of requests the devices pair by this method, and
    /// with a stream it is accepted without a request. Just Works does not authenticate the peripheral. A passkey to be
    /// compared, typed or shown is a request of ``CentralManager/pairingRequests(capability:)``, whose capability
    /// determines the method that the devices choose; a request that the app does not accept is rejected. The rule is
    /// the same on all backends.
    ///
    /// Reading, writing or subscribing to a value that needs encryption also pairs, without this call. Just Works then
    /// needs the app's permission (``PairingRequest/Kind/authorize``). If the app refuses, the operation throws `.att`
    /// with ``ATTError/insufficientAuthentication``, and BlueZ then loses the connection. On BlueZ such an operation
    /// ends only after 30 seconds if neither this app nor another program answers pairing requests.
    ///
    /// - Parameter timeout: The maximum time to wait; nil for as long as the platform waits.
    /// - Throws: `.pairingFailed`; `.pairingTimeout` and `.cancelled`, both of which cancel the pairing if no other
    ///   call waits for it; `.disconnected`; `.unsupported` if the platform pairs only by itself; `.poweredOff`;
    ///   `.invalidated`; `.backend`.
    public func pair(timeout: Duration? = nil) async throws(PeripheralError) {
        try await requireManager().pair(self, timeout: timeout)
    }

    /// Cancels the pairing that ``pair(timeout:)`` began, which then throws `.pairingFailed(.cancelled)`; does nothing
    /// if there is none.
    ///
    /// To cancel a pairing that an operation on a value began, reject its request (``PairingRequest/reject()``).
    public func cancelPairing() async { await manager?.cancelPairing(identifier) }

    /// Ends the connection and makes the platform remove its keys, if it has any; returns when they are removed.
    ///
    /// The other side keeps its own keys: most devices refuse to pair again until their keys are removed as well. On
    /// BlueZ the whole device is forgotten: scan for it before connecting again.
    ///
    /// - Throws: `.unsupported` if only the user can remove the keys; `.cancelled`, `.poweredOff`, `.invalidated`,
    ///   `.backend`.
    public func removeBond() async throws(PeripheralError) { try await requireManager().removeBond(of: self) }
}

extension CentralManager {
    /// Returns the requests of pairing to the app, from now on.
    ///
    /// The platform sends requests to this app as long as there is such a stream, or ``Configuration/acceptsJustWorks``
    /// is set.
    ///
    /// Every stream receives every request; the first answer counts. A stream ends with the manager, when it is
    /// released, and for a cancelled task. If more than 16 requests wait, the oldest is rejected.
    ///
    /// A central manager receives the requests of the peripherals that it is connected to. On BlueZ this process is
    /// then the machine's default pairing agent, which BlueZ asks about every device that begins to pair: a request
    /// that no listener in the process answers is rejected, even if another program would have agreed. BlueZ knows one
    /// capability for each process, from the manager that registered for requests first.
    ///
    /// - Parameter capability: The input and output capability of the app; of several streams the capability of the
    ///   oldest is used.
    public nonisolated func pairingRequests(
        capability: PairingCapability = .noInputNoOutput
    ) -> AsyncStream<PairingRequest> {
        pairing.requests(capability, of: self)
    }

    nonisolated var pairingBackend: any PairingBackend { backend }

    func pairingRejected(_ peer: PeerIdentifier) { book.known(peer)?.hasRejectedPairing = true }

    func bondChanged(_ id: PeerIdentifier, _ isBonded: Bool) {
        book.known(id)?.peripheral.facts.withLock { $0.isBonded = isBonded }
    }

    func pair(_ peripheral: Peripheral, timeout: Duration?) async throws(PeripheralError) {
        let record = try book.record(of: peripheral, self)
        let id = peripheral.identifier
        record.hasRejectedPairing = false
        pairing.callBegan(with: id, self)
        defer { pairing.callEnded(with: id, self) }
        let outcome = await perform(.pair(id), in: .pairing, timeout: timeout)
        switch outcome {
        case .reply(.done): return
        case .failed(.pairing) where record.hasRejectedPairing: throw .pairingFailed(.rejected)
        case .timedOut, .cancelled:
            // Other callers may wait for the same pairing, and a task that was cancelled before the call has begun
            // none.
            let lane = lane(.pairing, of: id)
            if requests.queuedCount(in: lane) > 0, requests.count(in: lane, where: { _ in true }) == 0 {
                begin(.cancelPairing(id)) { _, _ in }
            }
        case .reply, .failed, .invalidated, .gone: break
        }
        throw PeripheralError(outcome, timeout: .pairingTimeout)
    }

    func cancelPairing(_ id: PeerIdentifier) async { _ = await perform(.cancelPairing(id), timeout: nil) }

    func removeBond(of peripheral: Peripheral) async throws(PeripheralError) {
        _ = try book.record(of: peripheral, self)
        _ = await connections.disconnect(peripheral, timeout: nil, self)
        let outcome = await perform(.removeBond(peripheral.identifier), timeout: nil)
        guard case .reply(.done) = outcome else { throw PeripheralError(outcome, timeout: .pairingTimeout) }
        bondChanged(peripheral.identifier, false)
    }
}
