// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime

/// The virtual radio's central role: a backend for a `CentralManager`.
///
/// Make one with ``VirtualRadio/central(on:)`` or ``VirtualRadio/central(address:configuration:)``. All its time comes
/// from the radio's clock: give the same clock to the manager.
public actor VirtualCentralBackend: CentralBackend {
    /// The radio that it is on.
    public nonisolated let radio: VirtualRadio
    /// The adapter that it uses.
    public nonisolated let adapter: VirtualAdapter
    private nonisolated let role: Confined<CentralRole>
    private nonisolated let journals: VirtualJournals

    init(radio: VirtualRadio, adapter: VirtualAdapter, role: Confined<CentralRole>) {
        self.radio = radio
        self.adapter = adapter
        self.role = role
        journals = VirtualJournals(store: radio.restorationStore)
    }

    deinit { role.perform { $0.invalidate() } }

    /// The radio's executor.
    public nonisolated var executor: any BackendExecutor { role.executor }

    // SAFETY: `role` keeps the executor alive for as long as the actor lives.
    /// The radio's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe role.executor.asUnownedSerialExecutor() }

    /// The signal strength of a connection can be measured, and it is told when a peripheral that is to be connected to
    /// is there.
    public nonisolated var features: CentralFeatures {
        [.connectionRSSI, .peripheralPresence, .separatesReadsFromNotifications]
    }

    /// Starts the backend. The radio's own clock is the one that counts; `clock` should be the same.
    public func activate(clock: BlueCapClock, sink: CentralEventSink) { role.with { $0.activate(sink) } }

    /// Stops the scan and ends every link; no event follows.
    public func invalidate() { role.with { $0.invalidate() } }

    /// Scans for what `request` says from now on; nil stops.
    public func scan(_ request: ScanRequest?) { role.with { $0.scan(request) } }

    /// Begins to connect, for as long as it takes until the peripheral is heard advertising.
    public func connect(_ peripheral: PeerIdentifier) { role.with { $0.connect(peripheral) } }

    /// Ends a connection, at its next connection event, or an attempt, at once.
    public func disconnect(_ peripheral: PeerIdentifier) { role.with { $0.disconnect(peripheral) } }

    /// Has the app asked before it pairs; without, pairing is refused. What the two sides can do makes it Just Works, a
    /// comparison of digits, or a passkey that one side shows and the other types.
    public func setPairingCapability(_ capability: PairingCapability?) { role.with { $0.setPairing(capability) } }

    /// Answers a question of pairing.
    public func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) {
        role.with { $0.pairing.answer(prompt, answer) }
    }

    /// Ends the program over this backend, as `kill -9` ends a process: no event reaches the manager any more, and its
    /// calls have no effect: what it disconnects is disconnected for it only, requests fail with `.poweredOff`, and an
    /// attempt to connect finds no peripheral. The scan, attempts and subscriptions end; links stay with the adapter,
    /// as BlueZ keeps them, until another manager on it connects or they are lost.
    ///
    /// Its journal can be opened by the next manager from then on.
    public nonisolated func kill() {
        journals.close()
        role.perform { $0.kill() }
    }

    /// Keeps journals in the radio, with which they end.
    public nonisolated var restorationStore: any RestorationStore { journals }

    /// Begins an operation.
    public func perform(_ request: CentralRequest) { role.with { $0.perform(request) } }
}
