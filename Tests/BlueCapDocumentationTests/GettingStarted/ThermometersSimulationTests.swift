// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTesting
import Synchronization
import Testing

/// The article about several devices, with two thermometers, while everything goes wrong that can.
private struct Thermometers: SimulatedApp {
    struct NotHeard: Error { let degrees: Double }

    /// When each temperature was shown last.
    private final class Shown: Sendable {
        private let times = Mutex<[Double: Duration]>([:])

        func note(_ degrees: Double, at time: Duration) { times.withLock { $0[degrees] = time } }
        func last(_ degrees: Double) -> Duration { times.withLock { $0[degrees] ?? .zero } }
    }

    private let central: CentralManager
    private let degrees = [18.0, 21]
    private let temperatures: [VirtualCharacteristic]
    private let shown = Shown()

    init(in world: SimulatedWorld) async throws {
        central = world.makeCentral()
        temperatures = degrees.map { _ in
            VirtualCharacteristic(EnvironmentalSensingService.Temperature.uuid, properties: [.read, .notify])
        }
        for (degrees, temperature) in zip(degrees, temperatures) {
            world.radio.add(
                VirtualPeripheral(
                    name: "at \(Int(degrees))",
                    services: [VirtualService(EnvironmentalSensingService.uuid, characteristics: [temperature])]))
        }
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await listenToAll(
                    central, show: { shown.note($1, at: central.clock.elapsed) }, report: { _, _ in })
            }
            group.addTask {
                while true {
                    for (degrees, temperature) in zip(degrees, temperatures) {
                        temperature.notify(try EnvironmentalSensingService.Temperature(degrees))
                    }
                    try await central.clock.sleep(for: .seconds(10))
                }
            }
            try await group.waitForAll()
        }
    }

    func check() async throws {
        for degrees in degrees where central.clock.elapsed - shown.last(degrees) > .seconds(60) {
            throw NotHeard(degrees: degrees)
        }
    }
}

@Suite("Several devices under simulation", .timeLimit(.minutes(5)))
struct ThermometersSimulationTests {
    @Test func `all thermometers are heard again after every fault`() async throws {
        try await Simulation().run(Thermometers.self, seeds: 1...50)
    }
}
