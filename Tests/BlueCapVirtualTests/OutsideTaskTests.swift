// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapVirtual
import Testing

@Suite("Tasks outside of a run", .timeLimit(.minutes(60)))
struct OutsideTaskTests {
    /// An executor whose threads are busy elsewhere: each turn of a task comes 100 s of simulated time late.
    private final class BusyExecutor: TaskExecutor {
        let clock: BlueCapClock

        init(clock: BlueCapClock) { self.clock = clock }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            _ = clock.schedule(after: .seconds(100)) {
                unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
            }
        }
    }

    @Test func `a scope whose task has its turns late connects, however short its longest absence is`() async throws {
        try await VirtualRadio.run(limit: .seconds(100_000)) { radio in
            radio.add(VirtualPeripheral(name: "Strap", services: []))
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn()
            let strap = try await central.firstDiscovery().peripheral
            let value = try await Task(executorPreference: BusyExecutor(clock: radio.clock)) {
                try await strap.stayConnected(ReconnectPolicy(maximumAbsence: .seconds(60))) { _ in 7 }
            }.value
            #expect(value == 7)
        }
    }

    @Test func `a scope whose task has its turns late connects again after a loss, too`() async throws {
        try await VirtualRadio.run(limit: .seconds(100_000)) { radio in
            let strap = VirtualPeripheral(name: "Strap", services: [])
            radio.add(strap)
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn()
            let peripheral = try await central.firstDiscovery().peripheral
            let count = try await Task(executorPreference: BusyExecutor(clock: radio.clock)) {
                try await peripheral.stayConnected(ReconnectPolicy(maximumAbsence: .seconds(60))) { peripheral in
                    let count = peripheral.statistics.connectionCount
                    if count == 2 { return count }
                    strap.disconnect()
                    try await radio.clock.sleep(for: .seconds(3600))
                    return 0
                }
            }.value
            #expect(count == 2)
        }
    }

    @Test func `a scope whose device does not come back is over after its longest absence`() async throws {
        try await VirtualRadio.run(limit: .seconds(100_000)) { radio in
            let strap = VirtualPeripheral(name: "Strap", services: [])
            radio.add(strap)
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn()
            let peripheral = try await central.firstDiscovery().peripheral
            await #expect(throws: PeripheralError.self) {
                try await Task(executorPreference: BusyExecutor(clock: radio.clock)) {
                    try await peripheral.stayConnected(ReconnectPolicy(maximumAbsence: .seconds(60))) { _ in
                        strap.vanish()
                        try await radio.clock.sleep(for: .seconds(3600))
                    }
                }.value
            }
            #expect(radio.clock.elapsed < .seconds(3600))
        }
    }

    /// The notices of a run.
    private static func notices(
        _ body: sending @escaping (VirtualRadio) async throws -> Void
    ) async throws -> [String] {
        let notices = Locked<[String]>([])
        // The other threads are those of all tests at once.
        try await VirtualRadio(clock: ManualClock()).run(
            patience: .seconds(3600), noticing: { text in notices.withLock { $0.append(text) } }, body)
        return notices.withLock { $0 }
    }

    @Test func `a run says that its clock jumped over a task that had not begun`() async throws {
        let notices = try await Self.notices { radio in
            let (begins, begin) = AsyncStream<Void>.makeStream()
            // No thread has a turn for it before.
            _ = radio.clock.schedule(after: .seconds(60)) { radio.executor.submit { begin.finish() } }
            await Task { for await _ in begins {} }.value
        }
        #expect(notices.count == 1)
        #expect(notices.first?.contains("at 60.0 seconds, and the clock had moved by 60.0 seconds") == true)
    }

    @Test func `a run whose tasks are all its own says nothing`() async throws {
        let notices = try await Self.notices { radio in
            async let other: Void = radio.clock.sleep(for: .seconds(600))
            try await Task(executorPreference: radio.executor) { try await radio.clock.sleep(for: .seconds(60)) }.value
            try await other
        }
        #expect(notices == [])
    }
}
