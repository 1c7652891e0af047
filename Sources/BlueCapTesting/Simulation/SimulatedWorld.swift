public import BlueCapCore
public import BlueCapVirtual
import Logging

/// The world of one run of a ``Simulation``: a virtual radio on which things go wrong.
///
/// Faults befall the virtual peripherals on the radio and the adapters of the managers that were made here.
public final class SimulatedWorld: Sendable {
    private struct State {
        var adapters: [VirtualAdapter] = []
        var devices: [SimulatedDevice] = []
        var centrals: [CentralManager] = []
        var servers: [PeripheralManager] = []
        var isHealed = false
    }

    /// The radio. Add virtual peripherals to it.
    public let radio: VirtualRadio
    let journal: Journal
    let steps: [SimulationStep]
    private let state = Locked(State())

    init(radio: VirtualRadio, steps: [SimulationStep]) {
        self.radio = radio
        self.steps = steps
        journal = Journal(clock: radio.clock)
    }

    private static let silent = Logger(label: "bluecap.simulation") { _ in SwiftLogNoOpLogHandler() }

    /// The number that all chance follows from.
    public var seed: UInt64 { radio.seed }

    /// Where all time comes from.
    public var clock: BlueCapClock { radio.clock }

    /// A central manager on an adapter, whose contract with its backend is watched.
    ///
    /// - Parameters:
    ///   - address: The adapter's address.
    ///   - configuration: What is chosen, with the radio's clock; when left out, nothing is logged.
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
        let adapter = adapter(address)
        let watch = SeamWatch(journal: journal)
        let central = CentralManager(
            backend: WatchedCentral(radio.central(on: adapter), watch: watch), configuration: configuration)
        state.withLock { $0.centrals.append(central) }
        return (central, watch)
    }

    /// A peripheral manager on an adapter.
    ///
    /// - Parameters:
    ///   - address: The adapter's address.
    ///   - configuration: What is chosen, with the radio's clock; when left out, nothing is logged.
    public func makePeripheralManager(
        address: String = "00:00:5E:00:53:01", configuration: PeripheralManager.Configuration? = nil
    ) -> PeripheralManager {
        var configuration = configuration ?? .init(logger: Self.silent)
        configuration.clock = clock
        let server = PeripheralManager(backend: radio.peripheral(on: adapter(address)), configuration: configuration)
        state.withLock { $0.servers.append(server) }
        return server
    }

    private func adapter(_ address: String) -> VirtualAdapter {
        let adapter = radio.adapter(address: address)
        state.withLock { state in
            if !state.adapters.contains(where: { $0 === adapter }) { state.adapters.append(adapter) }
        }
        return adapter
    }

    // MARK: Faults

    /// Remembers what the radio's peripherals are like while nothing is wrong with them.
    private func meet() {
        state.withLock { state in
            for peripheral in radio.peripherals where !state.devices.contains(where: { $0.peripheral === peripheral }) {
                state.devices.append(SimulatedDevice(peripheral))
            }
        }
    }

    /// Has everything go wrong that the steps say, at its time.
    func playFaults() async {
        for step in steps.sorted(by: { $0.time < $1.time }) {
            guard case .fault(let fault) = step.action else { continue }
            do { try await clock.sleep(for: step.time - clock.elapsed) } catch { return }
            meet()
            play(fault)
        }
    }

    private func play(_ fault: SimulatedFault) {
        journal.note("\(fault)")
        let (devices, adapters) = state.withLock { ($0.devices, $0.adapters) }
        switch fault {
        case .device(let index, let fault): if !devices.isEmpty { devices[index % devices.count].play(fault) }
        case .adapter(let index, let fault): if !adapters.isEmpty { adapters[index % adapters.count].play(fault) }
        }
    }

    /// Takes every fault back.
    func heal() {
        journal.note("every fault is taken back")
        meet()
        let (devices, adapters) = state.withLock { ($0.devices, $0.adapters) }
        for adapter in adapters { adapter.powerOn() }
        for device in devices { device.heal() }
        state.withLock { $0.isHealed = true }
    }

    /// Returns when every fault was taken back, or the task is cancelled.
    func healed() async {
        while !state.withLock({ $0.isHealed }) {
            guard (try? await clock.sleep(for: .seconds(1))) != nil else { return }
        }
    }

    // MARK: The end

    /// Ends the managers, lets the far devices notice, and looks whether anything is left.
    ///
    /// - Returns: What must be gone when nothing holds the world any more.
    func close() async -> [WeakManager] {
        let last = state.withLock { state in
            defer { state = State() }
            return state
        }
        for central in last.centrals { await central.invalidate() }
        for server in last.servers { await server.invalidate() }
        try? await clock.sleep(for: .seconds(60))
        for central in last.centrals { await check(central.remains, of: "a central manager") }
        for server in last.servers { await check(server.remains, of: "a peripheral manager") }
        for peripheral in radio.peripherals {
            if peripheral.connectionCount > 0 { journal.violate("\(peripheral.name) has a link that nobody has made") }
            radio.remove(peripheral)
        }
        if let count = radio.manualClock?.timerCount, count > 0 { journal.violate("\(count) timers are left") }
        return last.centrals.map { WeakManager($0, "a central manager") }
            + last.servers.map { WeakManager($0, "a peripheral manager") }
    }

    private func check(_ remains: [String: Int], of manager: String) {
        for (what, count) in remains.sorted(by: { $0.key < $1.key }) {
            journal.violate("\(manager) still has \(count) \(what)")
        }
    }
}

/// A manager that should be gone.
struct WeakManager: Sendable {
    // Written once, before it is shared.
    private final class Box: Sendable {
        weak let manager: (any Actor)?
        init(_ manager: any Actor) { self.manager = manager }
    }

    private let box: Box
    let name: String

    init(_ manager: any Actor, _ name: String) {
        box = Box(manager)
        self.name = name
    }

    var isGone: Bool { box.manager == nil }
}
