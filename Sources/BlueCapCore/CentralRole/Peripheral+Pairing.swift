// SPDX-License-Identifier: MIT

extension Peripheral {
    /// Whether this machine and the peripheral have keys for each other, as far as the platform told; false where it does
    /// not tell.
    public var isBonded: Bool { facts.withLock { $0.isBonded } }

    /// Pairs with the peripheral and keeps the keys; returns when it is bonded, at once if it is.
    ///
    /// This call is the app's consent to Just Works: without a stream of requests the devices pair by it, and with a stream
    /// it is accepted without asking. Just Works does not authenticate the peripheral. What has to be compared, typed or
    /// shown goes to ``CentralManager/pairingRequests(capability:)``, whose capability decides which method the devices
    /// choose; a request that the app does not accept is rejected. The rule is the same on all backends.
    ///
    /// Reading, writing or subscribing to a value that needs encryption pairs too, without this call, and then Just Works is
    /// asked about (``PairingRequest/Kind/authorize``). If that is refused the operation throws `.att` with
    /// ``ATTError/insufficientAuthentication``, and BlueZ then loses the connection. On BlueZ such
    /// an operation ends only after 30 seconds where neither this app nor another program answers for pairing.
    ///
    /// - Parameter timeout: How long to wait; nil for as long as the platform does.
    /// - Throws: `.pairingFailed`; `.pairingTimeout`; `.cancelled`, both of which take the pairing back when no other call
    ///   waits for it; `.disconnected`; `.unsupported` where the platform pairs by itself only; `.poweredOff`;
    ///   `.invalidated`; `.backend`.
    public func pair(timeout: Duration? = nil) async throws(PeripheralError) {
        try await requireManager().pair(self, timeout: timeout)
    }

    /// Takes back the pairing that ``pair(timeout:)`` began, which then throws `.pairingFailed(.cancelled)`; does nothing where
    /// there is none. Pairing that a value began is taken back by rejecting its request (``PairingRequest/reject()``).
    public func cancelPairing() async {
        await manager?.cancelPairing(identifier)
    }

    /// Ends the connection and has the platform forget its keys, if it has any; returns when it has.
    ///
    /// The other side keeps its own keys: most refuse to pair again before they are told to forget, too. On BlueZ the device is
    /// forgotten as a whole: scan for it before connecting again.
    ///
    /// - Throws: `.unsupported` where only the user can do this; `.cancelled`, `.poweredOff`, `.invalidated`, `.backend`.
    public func removeBond() async throws(PeripheralError) {
        try await requireManager().removeBond(of: self)
    }
}

extension CentralManager {
    /// What pairing asks the app, from now on: the platform asks this app for as long as there is such a stream, or
    /// ``Configuration/acceptsJustWorks`` is set.
    ///
    /// Every stream is given every request; the first answer counts. It ends with the manager, when released, and for a
    /// cancelled task. Of more than 16 requests that wait the oldest is rejected.
    ///
    /// A central manager is asked about the peripherals that it is connected to. On BlueZ this process is then the machine's
    /// default pairing agent, which is asked about whatever device begins to pair: what nobody in the process answers is
    /// rejected, even where another program would have agreed. BlueZ knows one capability for each process: that of the manager
    /// which wanted to be asked first.
    ///
    /// - Parameter capability: What the app can show and take; of several streams the oldest one's counts.
    public nonisolated func pairingRequests(
        capability: PairingCapability = .noInputNoOutput
    ) -> AsyncStream<PairingRequest> {
        makePairingRequests(capability)
    }

    nonisolated var pairingBackend: any PairingBackend { backend }

    func pairingRejected(_ peer: PeerIdentifier) { records[peer]?.hasRejectedPairing = true }

    func bondChanged(_ id: PeerIdentifier, _ isBonded: Bool) {
        records[id]?.peripheral.facts.withLock { $0.isBonded = isBonded }
    }

    func pair(_ peripheral: Peripheral, timeout: Duration?) async throws(PeripheralError) {
        let record = try record(of: peripheral)
        let id = peripheral.identifier
        record.hasRejectedPairing = false
        pairingCallBegan(with: id)
        defer { pairingCallEnded(with: id) }
        let outcome = await perform(.pair(id), in: .pairing, timeout: timeout)
        switch outcome {
        case .reply(.done): return
        case .failed(.pairing) where record.hasRejectedPairing: throw .pairingFailed(.rejected)
        case .timedOut, .cancelled:
            // Others may wait for the same pairing, and a task that was cancelled before has begun none.
            let lane = lane(.pairing, of: id)
            if pending.queuedCount(in: lane) > 0, pending.count(in: lane, where: { _ in true }) == 0 {
                begin(.cancelPairing(id)) { _, _ in }
            }
        case .reply, .failed, .invalidated, .gone: break
        }
        throw PeripheralError(outcome, timeout: .pairingTimeout)
    }

    func cancelPairing(_ id: PeerIdentifier) async {
        _ = await perform(.cancelPairing(id), timeout: nil)
    }

    func removeBond(of peripheral: Peripheral) async throws(PeripheralError) {
        _ = try record(of: peripheral)
        _ = await disconnect(peripheral, timeout: nil)
        let outcome = await perform(.removeBond(peripheral.identifier), timeout: nil)
        guard case .reply(.done) = outcome else { throw PeripheralError(outcome, timeout: .pairingTimeout) }
        bondChanged(peripheral.identifier, false)
    }
}
