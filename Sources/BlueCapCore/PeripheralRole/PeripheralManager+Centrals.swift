// SPDX-License-Identifier: MIT

/// The links of centrals.
extension PeripheralManager {
    /// Ends the link of a central, for all programs that serve it, and returns when it has ended; at once when the
    /// central is not connected.
    ///
    /// The central may connect again at once: to keep it away, stop advertising, or limit the centrals by
    /// ``Configuration/maximumCentrals``. A link that has not ended in time, or whose caller is cancelled, ends all the
    /// same.
    ///
    /// - Parameters:
    ///   - central: A central of ``centrals()``, or of a request or event; one without an identifier stands for no
    ///     link.
    ///   - timeout: How long the platform may take; nil for as long as it takes.
    /// - Throws: `.disconnectingCentralsNotSupported` on CoreBluetooth; `.disconnectCentralTimeout`; `.cancelled`;
    ///   `.poweredOff`; `.invalidated`; `.backend`.
    public func disconnect(_ central: Central, timeout: Duration? = nil) async throws(PeripheralManagerError) {
        guard backend.features.contains(.centralDisconnection) else { throw .disconnectingCentralsNotSupported }
        if let refusal = refusalByRadio { throw PeripheralManagerError(refusal) }
        guard let identifier = central.identifier, links.isConnected(identifier) else { return }
        if Task.isCancelled { throw .cancelled }
        links.willEnd(identifier)
        try await perform(.disconnect(identifier, .userTerminated), timeout: timeout) {
            (owner, outcome) -> Result<Void, PeripheralManagerError> in
            switch outcome {
            case .reply, .failed(.disconnected): return .success(())
            case .failed:
                owner.links.hasNotEnded(identifier)
                return .failure(PeripheralManagerError(outcome))
            default: return .failure(PeripheralManagerError(outcome, timeout: .disconnectCentralTimeout))
            }
        }
    }

    /// Changes ``Configuration/maximumCentrals``; links that stand are kept.
    package func limitCentrals(to limit: Int?) { links.setLimit(limit) }
}
