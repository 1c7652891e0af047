extension PeripheralManager {
    /// What pairing asks the app when a central wants to pair, from now on: the platform asks this app for as long as there is
    /// such a stream, or ``Configuration/acceptsJustWorks`` is set. Without either, centrals cannot pair with this app.
    ///
    /// Every stream is given every request; the first answer counts. It ends with the manager, when released, and for a
    /// cancelled task. Of more than 16 requests that wait the oldest is rejected.
    ///
    /// A peripheral manager is asked about devices of its adapter that no central manager of the process is connected to; of
    /// several the first. BlueZ knows one capability for each process: that of the manager which wanted to be asked first.
    ///
    /// - Parameter capability: What the app can show and take; of several streams the oldest one's counts.
    public nonisolated func pairingRequests(
        capability: PairingCapability = .noInputNoOutput
    ) -> AsyncStream<PairingRequest> {
        makePairingRequests(capability)
    }

    nonisolated var pairingBackend: any PairingBackend { backend }

    func pairingRejected(_ peer: PeripheralIdentifier) {}
}
