// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime

/// The virtual radio's central role: a backend for a `CentralManager`.
///
/// Make one with ``VirtualRadio/central(on:)`` or ``VirtualRadio/central(address:configuration:)``. All its time comes
/// from the radio's clock, which the manager takes if its configuration names no other.
public actor VirtualCentralBackend: CentralBackend {
    /// The radio that the backend belongs to.
    public nonisolated let radio: VirtualRadio
    /// The adapter that the backend uses.
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

    public nonisolated var ownClock: BlueCapClock { radio.clock }

    public nonisolated var executor: any BackendExecutor { role.executor }

    // SAFETY: `role` keeps the executor alive for as long as the actor lives.
    /// The radio's executor, as the actor uses it.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe role.executor.asUnownedSerialExecutor() }

    /// The features beyond the common ground: the backend measures the signal strength of connections and sets their
    /// parameters, opens channels, reports when a peripheral that a connection waits for is in range, and distinguishes
    /// reads from notifications.
    public nonisolated var features: CentralFeatures {
        [.channels, .connectionParameters, .connectionRSSI, .peripheralPresence, .separatesReadsFromNotifications]
    }

    public func activate(clock: BlueCapClock, sink: CentralEventSink) { role.with { $0.activate(sink) } }

    /// Stops the scan and ends every link; no event follows.
    public func invalidate() { role.with { $0.invalidate() } }

    public func scan(_ request: ScanRequest?) { role.with { $0.scan(request) } }

    public func connect(_ peripheral: PeerIdentifier) { role.with { $0.connect(peripheral) } }

    public func disconnect(_ peripheral: PeerIdentifier) { role.with { $0.disconnect(peripheral) } }

    /// Lets the app answer pairing requests from now on; with nil, pairing is refused. The capabilities of the two
    /// sides decide whether the method is Just Works, a comparison of digits, or a passkey that one side shows and the
    /// other types.
    public func activateChannels(_ sink: ChannelEventSink) { role.with { $0.channels.activate(sink) } }

    public func performOnChannels(_ request: ChannelRequest) { role.with { $0.perform(request) } }

    public func command(_ command: ChannelCommand) { role.with { $0.channels.command(command) } }

    public func setPairingCapability(_ capability: PairingCapability?) { role.with { $0.setPairing(capability) } }

    public func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) {
        role.with { $0.pairing.answer(prompt, answer) }
    }

    /// Ends the program over this backend, as `kill -9` ends a process: no event reaches the manager any more, and its
    /// calls have no effect: a disconnect ends a link for the manager only, requests fail with `.poweredOff`, and an
    /// attempt to connect finds no peripheral. The scan, attempts and subscriptions end; links stay with the adapter,
    /// as BlueZ keeps them, until another manager on it connects or they are lost.
    ///
    /// Its journal can be opened by the next manager from then on.
    public nonisolated func kill() {
        journals.close()
        role.perform { $0.kill() }
    }

    public nonisolated var restorationStore: any RestorationStore { journals }

    public func perform(_ request: CentralRequest) { role.with { $0.perform(request) } }
}
