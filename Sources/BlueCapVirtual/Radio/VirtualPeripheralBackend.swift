// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
public import BlueCapSerDe

/// The virtual radio's peripheral role: a backend for a `PeripheralManager`.
///
/// Make one with ``VirtualRadio/peripheral(on:)`` or ``VirtualRadio/peripheral(address:configuration:)``. Several on
/// one adapter share its address, its links and its database; a central of the same adapter does not hear them. All
/// time comes from the radio's clock: give the same clock to the manager.
public actor VirtualPeripheralBackend: PeripheralBackend {
    /// The radio that it is on.
    public nonisolated let radio: VirtualRadio
    /// The adapter that it uses.
    public nonisolated let adapter: VirtualAdapter
    private nonisolated let role: Confined<PeripheralRole>
    private nonisolated let journals: VirtualJournals

    init(radio: VirtualRadio, adapter: VirtualAdapter, role: Confined<PeripheralRole>) {
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

    /// Everything.
    public nonisolated var features: PeripheralFeatures {
        [.severalAdvertisements, .individualSubscribers, .writeKinds]
    }

    /// 30 s, after which the central gives the link up (Core Specification, Vol 3, Part F, 3.3.3).
    public nonisolated var accessTimeLimit: Duration? { .seconds(30) }

    /// Every error reaches the central.
    public nonisolated func isSendable(_ error: ATTError) -> Bool { true }

    /// How many bytes an advertisement is longer than the 31 of a packet, or its name and scan response than theirs.
    public nonisolated func excessByteCount(of advertisement: Advertisement) -> Int? {
        let excess = max(advertisement.packetByteCount, advertisement.scanResponseByteCount) - 31
        return excess > 0 ? excess : nil
    }

    /// Starts the backend. The radio's own clock is the one that counts; `clock` should be the same.
    public func activate(clock: BlueCapClock, sink: PeripheralEventSink) { role.with { $0.activate(sink) } }

    /// Takes services and advertisements back; no event follows.
    public func invalidate() { role.with { $0.invalidate() } }

    /// Ends the program over this backend, as `kill -9` ends a process: no event reaches the manager any more, and its
    /// calls have no effect: they fail with `.poweredOff`. Services and advertisements are taken back; links of
    /// centrals stay with the adapter, as BlueZ keeps them.
    ///
    /// Its journal can be opened by the next manager from then on.
    public nonisolated func kill() {
        journals.close()
        role.perform { $0.kill() }
    }

    /// Keeps journals in the radio, with which they end.
    public nonisolated var restorationStore: any RestorationStore { journals }

    /// Begins an operation.
    public func perform(_ request: PeripheralRequest) { role.with { $0.perform(request) } }

    /// Has the app asked when a central wants to pair; without, pairing is refused.
    public func setPairingCapability(_ capability: PairingCapability?) { role.with { $0.setPairing(capability) } }

    /// Answers a question of pairing.
    public func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) {
        role.with { $0.pairing.answer(prompt, answer) }
    }

    /// Answers an access.
    public func respond(to access: AccessID, _ result: Result<Bytes, ATTError>) {
        role.with { $0.respond(to: access, result) }
    }
}

extension VirtualRadio {
    /// A peripheral role on an adapter of this radio.
    public func peripheral(on adapter: VirtualAdapter) -> VirtualPeripheralBackend {
        let peer = localPeer(of: adapter)
        return VirtualPeripheralBackend(
            radio: self, adapter: adapter,
            role: Confined(on: executor) { PeripheralRole(peer: peer.with { $0 }) })
    }

    /// What an adapter is to the others' centrals, for all peripheral roles on it.
    private func localPeer(of adapter: VirtualAdapter) -> Confined<LocalPeer> {
        participants.withLock { participants in
            if let peer = participants.localPeers[adapter.address] { return peer }
            let node = adapter.node
            let peer = Confined(on: executor) { LocalPeer(adapter: node.with { $0 }) }
            participants.localPeers[adapter.address] = peer
            return peer
        }
    }

    /// A peripheral role on the adapter with the given address.
    public func peripheral(
        address: String = "00:00:5E:00:53:02", configuration: VirtualAdapter.Configuration = .init()
    ) -> VirtualPeripheralBackend {
        peripheral(on: adapter(address: address, configuration: configuration))
    }
}
