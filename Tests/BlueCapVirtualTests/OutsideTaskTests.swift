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
}
