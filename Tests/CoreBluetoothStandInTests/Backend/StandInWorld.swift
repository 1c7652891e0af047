// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapRuntime
import BlueCapTesting
import BlueCapVirtual
import CoreBluetooth
import Foundation

/// A conformance world of the CoreBluetooth backend over the stand-in, with the virtual world's peers and far centrals.
///
/// Time passes by itself, whenever the radio, the delegate queues and the tasks on the radio's executor are still.
final class StandInWorld: ConformanceWorld {
    let name = "stand-in for CoreBluetooth"
    let host: StandIn
    /// The faults that last as long as the world.
    let habits: Set<StandInFault>
    let limits = StandInLimits.all
    var seed: UInt64 { air.seed }
    var clock: BlueCapClock { air.clock }
    var linkInterval: Duration { air.linkInterval }
    /// Real time for a random program, whose scene is set by tasks that the world does not see: the clock would go on
    /// to the end of the run.
    var deadlineClock: BlueCapClock { isSeeded ? .continuous : air.clock }
    private let manual: ManualClock
    private let air: VirtualWorld
    private let centrals = Locked<[CentralManager]>([])
    private let peripheralManagers = Locked<[PeripheralManager]>([])
    private let executors = Locked<[DispatchBackendExecutor]>([])
    private let isClosed = Locked(false)
    private let passing = Locked<Task<Void, any Error>?>(nil)

    private let isSeeded: Bool

    /// - Parameters:
    ///   - settings: The settings of the stand-in.
    ///   - seed: The radio's seed, for a random program, whose far centrals keep the values that come.
    ///   - interval: The time from one connection event of a link to a peer to the next.
    init(settings: StandInSettings = .init(), seed: UInt64? = nil, interval: Duration = .milliseconds(45)) {
        isSeeded = seed != nil
        let manual = ManualClock()
        let radio = seed.map { VirtualRadio(seed: $0, clock: manual) } ?? VirtualRadio(clock: manual)
        let host = StandIn(radio: radio, settings: settings)
        habits = settings.faults
        self.manual = manual
        self.host = host
        air = VirtualWorld(
            radio: host.radio, connection: VirtualConnection(interval: interval)
        ) { PeerIdentifier(host.identifier(of: $0).uuidString) }
        passTime()
    }

    /// Runs `body` in a world of its own, on the radio's executor.
    static func run<Value: Sendable>(
        settings: StandInSettings = .init(), interval: Duration = .milliseconds(45),
        _ body: sending @escaping (StandInWorld) async throws -> Value
    ) async throws -> Value {
        let world = StandInWorld(settings: settings, interval: interval)
        return try await Task(executorPreference: world.host.radio.executor) { try await body(world) }.value
    }

    static func run(
        _ behaviour: Behaviour, settings: StandInSettings = .init(), interval: Duration = .milliseconds(45)
    ) async throws {
        try await run(settings: settings, interval: interval) {
            try await Conformance.run(behaviour, in: $0, limit: .seconds(3600))
        }
    }

    /// Gives a backend's queue to the stand-in before its manager is made.
    func attached<Backend: RadioActor>(_ backend: Backend) -> Backend {
        if let executor = backend.executor as? DispatchBackendExecutor {
            host.attach(to: executor.queue)
            executors.withLock { $0.append(executor) }
        }
        return backend
    }

    func makeCentral(restoring store: MemoryRestorationStore?) async throws -> CentralManager {
        makeCentral(over: CoreBluetoothCentralBackend(), journal: store) { $0 }
    }

    /// Creates a central manager, which the end of the world invalidates.
    ///
    /// - Parameters:
    ///   - own: The backend.
    ///   - journal: Where the manager has its journal; nil for none.
    ///   - layer: Returns the manager's backend for the world's own.
    func makeCentral(
        over own: CoreBluetoothCentralBackend, journal: MemoryRestorationStore? = nil,
        through layer: (any CentralBackend) -> any CentralBackend
    ) -> CentralManager {
        func manager(_ backend: some CentralBackend) -> CentralManager {
            CentralManager(
                backend: backend,
                configuration: .init(
                    clock: clock, restoreIdentifier: journal.map { _ in "conformance" }, restorationStore: journal))
        }
        let central = manager(layer(attached(own)))
        centrals.withLock { $0.append(central) }
        return central
    }

    func makePeripheralManager(restoring store: MemoryRestorationStore?) async throws -> PeripheralManager {
        makePeripheralManager(over: CoreBluetoothPeripheralBackend(), journal: store) { $0 }
    }

    /// Creates a peripheral manager, which the end of the world invalidates.
    ///
    /// - Parameters:
    ///   - own: The backend.
    ///   - journal: Where the manager has its journal; nil for none.
    ///   - layer: Returns the manager's backend for the world's own.
    func makePeripheralManager(
        over own: CoreBluetoothPeripheralBackend, journal: MemoryRestorationStore? = nil,
        through layer: (any PeripheralBackend) -> any PeripheralBackend
    ) -> PeripheralManager {
        func manager(_ backend: some PeripheralBackend) -> PeripheralManager {
            PeripheralManager(
                backend: backend,
                configuration: .init(
                    clock: clock, restoreIdentifier: journal.map { _ in "conformance" }, restorationStore: journal))
        }
        let made = manager(layer(attached(own)))
        peripheralManagers.withLock { $0.append(made) }
        return made
    }

    func peer(_ index: Int) async throws -> any ConformancePeer { try await air.peer(index) }

    func farCentral(_ index: Int) async throws -> any FarCentral {
        let central = try await air.farCentral(index)
        return isSeeded ? BufferedCentral(central, in: self) : central
    }

    func begin(_ outage: Outage) async throws { try await air.begin(outage) }

    func end(_ outage: Outage) async throws { try await air.end(outage) }

    func setPower(_ isOn: Bool) async throws { try await air.setPower(isOn) }

    func elapse(_ duration: Duration) async throws { try await air.elapse(duration) }

    /// Waits until a condition holds, for a simulated minute at the most.
    ///
    /// - Returns: Whether it holds.
    func wait(until isMet: () async -> Bool) async throws -> Bool {
        for _ in 0..<1200 {
            if await isMet() { return true }
            try await elapse(.milliseconds(50))
        }
        return await isMet()
    }

    /// Starts a task that the world sees: no time passes before it has come to a wait, however busy the machine is. A
    /// task of the global pool may not have begun when a simulated minute is over.
    func start<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        Task(executorPreference: host.radio.executor) { try await body() }
    }

    func close() async {
        for central in centrals.withLock({ $0 }) { await central.invalidate() }
        for manager in peripheralManagers.withLock({ $0 }) { await manager.invalidate() }
        centrals.withLock { $0 = [] }
        peripheralManagers.withLock { $0 = [] }
        await air.close()
        isClosed.withLock { $0 = true }
        // Wakes the task that passes time, so that it ends.
        _ = clock.schedule(after: .zero) {}
        _ = await passing.withLock { $0 }?.result
    }

    /// Moves the clock to its next timer whenever nothing is under way.
    private func passTime() {
        let (manual, radio, isClosed, executors) = (manual, host.radio.executor, isClosed, executors)
        let settle: @Sendable () async throws -> UInt64 = { [host] in
            while true {
                let before = executors.withLock { $0.map(\.workCount) }
                let count = try await StandIn.settle([host])
                if executors.withLock({ $0.map(\.workCount) }) == before { return count }
            }
        }
        passing.withLock {
            $0 = Task {
                while !isClosed.withLock({ $0 }) {
                    await manual.waitForTimer(within: .seconds(1_000_000))
                    let count = try await settle()
                    await withCheckedContinuation { continuation in
                        radio.submit {
                            // This is the only work since the world was still. All timers of one time are fired: a
                            // behaviour may look for the effect of one when another has woken it.
                            if radio.foreignCount == count + 1, let next = manual.nextDeadline {
                                manual.advance(to: next)
                            }
                            continuation.resume()
                        }
                    }
                }
            }
        }
    }
}
