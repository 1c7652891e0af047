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
    /// The radio that the backend belongs to.
    public nonisolated let radio: VirtualRadio
    /// The adapter that the backend uses.
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

    public nonisolated var ownClock: BlueCapClock { radio.clock }

    public nonisolated var executor: any BackendExecutor { role.executor }

    // SAFETY: `role` keeps the executor alive for as long as the actor lives.
    /// The radio's executor, as the actor uses it.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe role.executor.asUnownedSerialExecutor() }

    /// The features beyond the common ground: the backend supports several advertisements at once, sends values to
    /// individual subscribers, distinguishes write requests from commands, reports and ends the links of centrals, and
    /// takes their channels.
    public nonisolated var features: PeripheralFeatures {
        [.severalAdvertisements, .individualSubscribers, .writeKinds, .centralLinks, .centralDisconnection, .channels]
    }

    /// The time after which a central gives up an unanswered access: 30 s (Core Specification, Vol 3, Part F, 3.3.3).
    public nonisolated var accessTimeLimit: Duration? { .seconds(30) }

    /// Returns true: every error reaches the central.
    public nonisolated func isSendable(_ error: ATTError) -> Bool { true }

    /// Returns the number of bytes by which an advertisement exceeds the 31 of a packet, the 251 of one of extended
    /// advertising, or its name and scan response exceed theirs; nil if it fits.
    public nonisolated func excessByteCount(of advertisement: Advertisement) -> Int? {
        Self.excessByteCount(of: advertisement)
    }

    package static func excessByteCount(of advertisement: Advertisement) -> Int? {
        // 251: what a host gives its controller in one command (Core Specification, Vol 4, Part E, 7.8.54).
        let room = advertisement.secondaryPHY == nil ? 31 : 251
        let excess = max(advertisement.packetByteCount, advertisement.scanResponseByteCount) - room
        return excess > 0 ? excess : nil
    }

    public func activate(clock: BlueCapClock, sink: PeripheralEventSink) { role.with { $0.activate(sink) } }

    /// Removes the services and advertisements; no event follows.
    public func invalidate() { role.with { $0.invalidate() } }

    /// Ends the program over this backend, as `kill -9` ends a process: no event reaches the manager any more, and its
    /// calls have no effect: they fail with `.poweredOff`. The services and advertisements are removed; links of
    /// centrals stay with the adapter, as BlueZ keeps them.
    ///
    /// Its journal can be opened by the next manager from then on.
    public nonisolated func kill() {
        journals.close()
        role.perform { $0.kill() }
    }

    public nonisolated var restorationStore: any RestorationStore { journals }

    public func perform(_ request: PeripheralRequest) { role.with { $0.perform(request) } }

    public func activateChannels(_ sink: ChannelEventSink) { role.with { $0.channels.activate(sink) } }

    public func performOnChannels(_ request: ChannelRequest) { role.with { $0.perform(request) } }

    public func command(_ command: ChannelCommand) { role.with { $0.channels.command(command) } }

    public func setPairingCapability(_ capability: PairingCapability?) { role.with { $0.setPairing(capability) } }

    public func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) {
        role.with { $0.pairing.answer(prompt, answer) }
    }

    public func respond(to access: AccessID, _ result: Result<Bytes, ATTError>) {
        role.with { $0.respond(to: access, result) }
    }
}

extension VirtualRadio {
    /// Creates a peripheral role on an adapter of this radio.
    public func peripheral(on adapter: VirtualAdapter) -> VirtualPeripheralBackend {
        let peer = localPeer(of: adapter)
        return VirtualPeripheralBackend(
            radio: self, adapter: adapter,
            role: Confined(on: executor) { PeripheralRole(peer: peer.with { $0 }) })
    }

    /// The adapter as the others' centrals see it, for all peripheral roles on it.
    private func localPeer(of adapter: VirtualAdapter) -> Confined<LocalPeer> {
        participants.withLock { participants in
            if let peer = participants.localPeers[adapter.address] { return peer }
            let node = adapter.node
            let peer = Confined(on: executor) { LocalPeer(adapter: node.with { $0 }) }
            participants.localPeers[adapter.address] = peer
            return peer
        }
    }

    /// Creates a peripheral role on the adapter with the given address, which is made if it does not exist.
    ///
    /// - Parameters:
    ///   - address: The address of the adapter, as for ``VirtualRadio/adapter(address:configuration:)``: a text that is
    ///     none is a mistake that traps.
    ///   - configuration: The configuration of the adapter; without effect if the adapter exists.
    public func peripheral(
        address: String = "00:00:5E:00:53:02", configuration: VirtualAdapter.Configuration = .init()
    ) -> VirtualPeripheralBackend {
        peripheral(on: adapter(address: address, configuration: configuration))
    }
}
