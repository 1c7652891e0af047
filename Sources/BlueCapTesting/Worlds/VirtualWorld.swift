// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
public import BlueCapVirtual

/// The backends of the managers of a ``VirtualWorld``: those of its own radio, unless others come between.
package struct VirtualWorldBackends: Sendable {
    package var central: @Sendable (VirtualAdapter) -> any CentralBackend
    package var peripheral: @Sendable (VirtualAdapter) -> any PeripheralBackend
    /// What they make impossible on a radio that has it.
    package var limits: [WorldLimit]

    package init(
        central: @escaping @Sendable (VirtualAdapter) -> any CentralBackend,
        peripheral: @escaping @Sendable (VirtualAdapter) -> any PeripheralBackend, limits: [WorldLimit] = []
    ) {
        (self.central, self.peripheral, self.limits) = (central, peripheral, limits)
    }
}

/// The conformance suite's world on a virtual radio: no hardware, no real time, the same every time.
///
/// ```swift
/// try await VirtualWorld.run(behaviour, seed: 1)
/// ```
public final class VirtualWorld: ConformanceWorld {
    private struct State {
        var centrals: [CentralManager] = []
        var peripheralManagers: [PeripheralManager] = []
        var peers: [Int: VirtualPeer] = [:]
        var farCentrals: [Int: ManagerCentral] = [:]
        var addresses = 0
    }

    private let radio: VirtualRadio
    private let state = Locked(State())
    private let naming: @Sendable (PeerIdentifier) -> PeerIdentifier
    private let backends: VirtualWorldBackends
    /// The parameters of connections to the peers.
    let connection: VirtualConnection

    public var linkInterval: Duration { connection.interval }

    /// Creates a world on a radio. Use it inside the radio's `run`.
    public convenience init(radio: VirtualRadio) { self.init(radio: radio, backends: nil) }

    /// The same where the central managers are those of another platform on this radio.
    ///
    /// - Parameters:
    ///   - radio: The radio.
    ///   - backends: The backends of the managers.
    ///   - connection: The parameters of connections to the peers.
    ///   - naming: Returns the identifier that the platform has for a peer.
    package init(
        radio: VirtualRadio, backends: VirtualWorldBackends? = nil,
        connection: VirtualConnection = VirtualConnection(),
        naming: @escaping @Sendable (PeerIdentifier) -> PeerIdentifier = { $0 }
    ) {
        self.radio = radio
        self.backends =
            backends
            ?? VirtualWorldBackends(
                central: { radio.central(on: $0) }, peripheral: { radio.peripheral(on: $0) })
        self.naming = naming
        self.connection = connection
    }

    /// Runs a behaviour in a virtual world of its own.
    ///
    /// - Parameters:
    ///   - behaviour: The behaviour to show.
    ///   - seed: The number that all chance follows from.
    ///   - limit: The longest simulated time that it may take.
    /// - Throws: As ``Conformance/run(_:in:limit:)``.
    public static func run(_ behaviour: Behaviour, seed: UInt64 = 1, limit: Duration = .seconds(3600)) async throws {
        try await VirtualRadio.run(seed: seed) { radio in
            try await Conformance.run(behaviour, in: VirtualWorld(radio: radio), limit: limit)
        }
    }

    public let name = "virtual radio"
    public var seed: UInt64 { radio.seed }
    public var limits: [WorldLimit] { backends.limits }
    public var clock: BlueCapClock { radio.clock }
    /// The radio's clock: simulated time passes whenever nothing else does.
    public var deadlineClock: BlueCapClock { radio.clock }

    public func makeCentral(restoring store: MemoryRestorationStore?) async throws -> CentralManager {
        let central = CentralManager(
            backend: backends.central(radio.adapter()),
            configuration: .init(
                clock: radio.clock, restoreIdentifier: store.map { _ in "conformance" }, restorationStore: store))
        state.withLock { $0.centrals.append(central) }
        return central
    }

    public func peer(_ index: Int) async throws -> any ConformancePeer {
        state.withLock { state in
            if let peer = state.peers[index] { return peer }
            let peer = VirtualPeer(world: self)
            state.peers[index] = peer
            return peer
        }
    }

    public func makePeripheralManager(restoring store: MemoryRestorationStore?) async throws -> PeripheralManager {
        let manager = PeripheralManager(
            backend: backends.peripheral(radio.adapter()),
            configuration: .init(
                clock: radio.clock, restoreIdentifier: store.map { _ in "conformance" }, restorationStore: store))
        state.withLock { $0.peripheralManagers.append(manager) }
        return manager
    }

    /// Returns a central manager's far central on an adapter of its own, which the first call makes.
    ///
    /// - Throws: Nothing; the protocol allows it.
    public func farCentral(_ index: Int) async throws -> any FarCentral {
        state.withLock { state in
            if let central = state.farCentrals[index] { return central }
            let manager = CentralManager(
                backend: backends.central(
                    radio.adapter(
                        address: "00:00:5E:00:54:0\(index)", configuration: .init(maximumTransmissionUnit: 185))),
                configuration: .init(clock: radio.clock, acceptsJustWorks: true))
            state.centrals.append(manager)
            let central = ManagerCentral(manager)
            state.farCentrals[index] = central
            return central
        }
    }

    /// Removes the adapter; for a service that ends in order (``Outage/restart``), switches it off before.
    ///
    /// - Throws: Nothing; the protocol allows it.
    public func begin(_ outage: Outage) async throws {
        if outage == .restart { radio.adapter().powerOff() }
        radio.adapter().unplug()
    }

    public func end(_ outage: Outage) async throws { radio.adapter().plugIn() }

    public func setPower(_ isOn: Bool) async throws {
        let adapter = radio.adapter()
        if isOn { adapter.powerOn() } else { adapter.powerOff() }
    }

    public func elapse(_ duration: Duration) async throws { try await radio.clock.sleep(for: duration) }

    public func close() async {
        let last = state.withLock { state in
            defer { state = State() }
            return state
        }
        for central in last.centrals { await central.invalidate() }
        for manager in last.peripheralManagers { await manager.invalidate() }
        for peer in last.peers.values { peer.leave() }
    }

    func add(_ peripheral: VirtualPeripheral) { radio.add(peripheral) }

    func remove(_ peripheral: VirtualPeripheral) { radio.remove(peripheral) }

    /// The identifier by which a central manager of this world knows a peripheral.
    func name(of peripheral: VirtualPeripheral) -> PeerIdentifier { naming(peripheral.identifier) }

    /// A random static address that no peer of this world had.
    func makeAddress() -> String {
        let number = state.withLock { state in
            state.addresses += 1
            return state.addresses
        }
        let digits = String(number, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(4 - digits.count, 0)) + digits
        return "C0:DE:00:01:\(padded.prefix(2)):\(padded.suffix(2))"
    }
}
