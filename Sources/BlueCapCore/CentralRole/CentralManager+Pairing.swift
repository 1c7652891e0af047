// SPDX-License-Identifier: MIT

/// Pairing and bonds.
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

    func pair(_ peripheral: Peripheral, timeout: Duration?) async throws(PeripheralError) {
        _ = try book.record(of: peripheral, self)
        let id = peripheral.identifier
        pairing.callBegan(with: id, self)
        defer { pairing.callEnded(with: id, self) }
        let outcome = await perform(.pair(id), in: .pairing, timeout: timeout)
        switch outcome {
        case .reply(.done): return
        case .failed(.pairing) where pairing.hasRejected(id): throw .pairingFailed(.rejected)
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
        apply(.bondChanged(peripheral.identifier, false))
    }
}
