// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
public import BlueCapVirtual
import Logging

/// The world of one run of a ``Simulation``: a virtual radio with faults.
///
/// The faults concern the virtual peripherals on the radio and the adapters of the managers that this world made. In a
/// world without virtual peripherals the faults of devices concern the links between those adapters: a central or a
/// device goes out of range, falls silent, loses packets, refuses connections or advertisements.
public final class SimulatedWorld: SimulationScene {
    private struct State {
        var adapters: [(adapter: VirtualAdapter, hasServer: Bool)] = []
        /// The adapters in their order, with their normal state, once a fault has come.
        var normal: [SimulatedAdapter] = []
        var devices: [SimulatedDevice] = []
        var centrals: [(manager: CentralManager, backend: VirtualCentralBackend)] = []
        var servers: [(manager: PeripheralManager, backend: VirtualPeripheralBackend, watch: ServerWatch)] = []
        /// Objects of killed programs that have to be released.
        var killed: [WeakObject] = []
    }

    /// The radio. Add virtual peripherals to it.
    public let radio: VirtualRadio
    let journal: RunJournal
    let steps: [SimulationStep]
    private let state = Locked(State())

    init(radio: VirtualRadio, steps: [SimulationStep]) {
        self.radio = radio
        self.steps = steps
        journal = RunJournal(clock: radio.clock)
    }

    static let silent = Logger(label: "bluecap.simulation") { _ in SwiftLogNoOpLogHandler() }

    /// The seed of all random numbers of the run.
    public var seed: UInt64 { radio.seed }

    /// The radio's clock, which all times come from.
    public var clock: BlueCapClock { radio.clock }

    /// Creates a central manager on an adapter, and watches its contract with its backend.
    ///
    /// - Parameters:
    ///   - address: The address of the adapter: six octets with colons between. Another text is a mistake that traps.
    ///   - configuration: The configuration of the manager, whose clock is replaced by the radio's; nil for the
    ///     defaults without logging.
    public func makeCentral(
        address: String = "00:00:5E:00:53:01", configuration: CentralManager.Configuration? = nil
    ) -> CentralManager {
        makeWatchedCentral(address: address, configuration: configuration).central
    }

    func makeWatchedCentral(
        address: String = "00:00:5E:00:53:01", configuration: CentralManager.Configuration? = nil
    ) -> (central: CentralManager, watch: SeamWatch) {
        var configuration = configuration ?? .init(logger: Self.silent)
        configuration.clock = clock
        let adapter = adapter(address, hasServer: false)
        let watch = SeamWatch(journal: journal) { [weak self] in self?.identity(of: $0) ?? $0 }
        let backend = radio.central(on: adapter)
        let central = CentralManager(
            backend: WatchedCentral(backend, watch: watch), configuration: configuration)
        state.withLock { $0.centrals.append((central, backend)) }
        return (central, watch)
    }

    /// Creates a peripheral manager on an adapter, and watches its contract with its backend.
    ///
    /// By default it is on the adapter of ``makeCentral(address:configuration:)``, as both roles of an app are on one
    /// machine. An adapter does not hear itself: where the two managers are to meet, give one another address.
    ///
    /// - Parameters:
    ///   - address: The address of the adapter: six octets with colons between. Another text is a mistake that traps.
    ///   - configuration: The configuration of the manager, whose clock is replaced by the radio's; nil for the
    ///     defaults without logging.
    public func makePeripheralManager(
        address: String = "00:00:5E:00:53:01", configuration: PeripheralManager.Configuration? = nil
    ) -> PeripheralManager {
        var configuration = configuration ?? .init(logger: Self.silent)
        configuration.clock = clock
        let watch = ServerWatch(journal: journal)
        let backend = radio.peripheral(on: adapter(address, hasServer: true))
        let server = PeripheralManager(
            backend: WatchedPeripheral(backend, watch: watch), configuration: configuration)
        state.withLock { $0.servers.append((server, backend, watch)) }
        return server
    }

    /// Ends the program over a manager of this world, as `kill -9` ends a process: see `VirtualCentralBackend.kill()`.
    /// Cancel the tasks of that program, and release its objects; make managers with the same `restoreIdentifier` for
    /// the next one.
    public func kill(_ central: CentralManager) {
        let backend = state.withLock { state in
            guard let index = state.centrals.firstIndex(where: { $0.manager === central }) else {
                return VirtualCentralBackend?.none
            }
            state.killed.append(WeakObject(central, "a central manager that was killed"))
            return state.centrals.remove(at: index).backend
        }
        backend?.kill()
    }

    /// Ends the program over a manager of this world, as `kill -9` ends a process: see
    /// `VirtualPeripheralBackend.kill()`.
    public func kill(_ server: PeripheralManager) {
        let backend = state.withLock { state in
            guard let index = state.servers.firstIndex(where: { $0.manager === server }) else {
                return VirtualPeripheralBackend?.none
            }
            state.killed.append(WeakObject(server, "a peripheral manager that was killed"))
            return state.servers.remove(at: index).backend
        }
        backend?.kill()
    }

    private func adapter(_ address: String, hasServer: Bool) -> VirtualAdapter {
        let adapter = radio.adapter(address: address)
        state.withLock { state in
            if let index = state.adapters.firstIndex(where: { $0.adapter === adapter }) {
                if hasServer { state.adapters[index].hasServer = true }
            } else {
                state.adapters.append((adapter, hasServer))
            }
        }
        return adapter
    }

    /// The first address of the peripheral that has an address.
    private func identity(of address: PeerIdentifier) -> PeerIdentifier {
        state.withLock { $0.devices.first { $0.identifiers.contains(address) }?.identifiers.first } ?? address
    }

    // MARK: Faults

    /// Remembers the normal state of the adapters and of the radio's peripherals.
    private func meet() {
        state.withLock { state in
            for (adapter, hasServer) in state.adapters {
                if let index = state.normal.firstIndex(where: { $0.adapter === adapter }) {
                    state.normal[index].hasServer = hasServer
                } else {
                    state.normal.append(SimulatedAdapter(adapter, hasServer: hasServer))
                }
            }
            for peripheral in radio.peripherals where !state.devices.contains(where: { $0.peripheral === peripheral }) {
                state.devices.append(SimulatedDevice(peripheral, index: state.devices.count))
            }
        }
    }

    func play(_ fault: SimulatedFault) async -> PlayedFault? {
        meet()
        let (devices, adapters) = state.withLock { ($0.devices, $0.normal) }
        switch fault {
        case .device(let index, let fault) where !devices.isEmpty:
            return devices[index % devices.count].play(fault, on: radio)
        case .device(let index, let fault) where !adapters.isEmpty:
            // Of those that the fault concerns.
            let concerned = adapters.filter { fault.isOnAir || $0.hasServer }
            return concerned.isEmpty ? nil : concerned[index % concerned.count].play(fault)
        case .adapter(let index, let fault) where !adapters.isEmpty:
            return adapters[index % adapters.count].play(fault)
        case .device, .adapter, .outage, .service: return nil
        }
    }

    func heal() async {
        meet()
        let (devices, adapters) = state.withLock { ($0.devices, $0.normal) }
        for adapter in adapters { adapter.heal() }
        for device in devices { device.heal(on: radio) }
    }

    // MARK: The end

    var pending: PendingWork {
        get async {
            let (centrals, servers) = state.withLock { ($0.centrals.map(\.manager), $0.servers.map(\.manager)) }
            return await PendingWork(of: centrals, and: servers)
        }
    }

    func close() async -> [WeakObject] {
        let last = state.withLock { state in
            defer { state = State() }
            return state
        }
        // The radio waits for 30 s, and a manager for less.
        for server in last.servers { server.watch.checkThatAllWereAnswered(within: .seconds(30)) }
        var objects = last.killed + last.devices.map { WeakObject($0.peripheral, $0.peripheral.name) }
        for central in last.centrals.map(\.manager) {
            objects.append(WeakObject(central, "a central manager"))
            objects += central.peripherals.map { WeakObject($0, "the handle of \($0.identifier)") }
            await central.invalidate(timeout: nil)
        }
        for server in last.servers.map(\.manager) {
            objects.append(WeakObject(server, "a peripheral manager"))
            await server.invalidate(timeout: nil)
        }
        try? await clock.sleep(for: .seconds(60))
        for central in last.centrals { await check(central.manager.remains, of: "a central manager") }
        for server in last.servers { await check(server.manager.remains, of: "a peripheral manager") }
        for peripheral in radio.peripherals {
            if peripheral.connectionCount > 0 {
                journal.violate("\(peripheral.name) has a link that nobody has made")
            }
            radio.remove(peripheral)
        }
        if let count = radio.manualClock?.timerCount, count > 0 { journal.violate("\(count) timers are left") }
        return objects
    }
}
