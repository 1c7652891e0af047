// SPDX-License-Identifier: MIT

extension PeripheralManager {
    /// The questions that pairing asks the app when a central wants to pair, from now on: the platform asks this app
    /// for as long as there is such a stream, or ``Configuration/acceptsJustWorks`` is set. Without either this app
    /// rejects pairing: on BlueZ another program that is the system's default pairing agent may accept it, elsewhere
    /// centrals cannot pair with this app.
    ///
    /// Every stream is given every request; the first answer counts. It ends with the manager, when released, and for a
    /// cancelled task. Of more than 16 requests that wait the oldest is rejected.
    ///
    /// A peripheral manager is asked about devices of its adapter that no central manager of the process is connected
    /// to; of several the first. On BlueZ this process is then the machine's default pairing agent, which BlueZ asks
    /// about every device that begins to pair: a request that no listener in the process answers is rejected, even
    /// where another program would have agreed. BlueZ knows one capability for each process: that of the manager which
    /// wanted to be asked first.
    ///
    /// - Parameter capability: What the app can show and take; of several streams the oldest one's counts.
    public nonisolated func pairingRequests(
        capability: PairingCapability = .noInputNoOutput
    ) -> AsyncStream<PairingRequest> {
        pairing.requests(capability, of: self)
    }
}
