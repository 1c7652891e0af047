// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTesting
import FreezerWatch
import Testing

/// The app while everything goes wrong that can: the thermometer restarts, falls silent, loses packets or moves away,
/// and the adapter is switched off or unplugged.
struct FreezerSimulation: SimulatedApp {
    struct NotHeard: Error {}

    private let watch: FreezerWatch
    private let clock: BlueCapClock
    private let temperature = VirtualCharacteristic(
        EnvironmentalSensingService.Temperature.uuid, properties: [.read, .notify])

    init(in world: SimulatedWorld) async throws {
        clock = world.clock
        watch = FreezerWatch(central: world.makeCentral(), clock: world.clock) { _ in }
        world.radio.add(
            VirtualPeripheral(
                name: "Freezer",
                services: [VirtualService(EnvironmentalSensingService.uuid, characteristics: [temperature])]))
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch.run() }
            group.addTask {
                while true {
                    temperature.notify(try EnvironmentalSensingService.Temperature(-18))
                    try await clock.sleep(for: .seconds(10))
                }
            }
            // The first error ends both.
            for try await _ in group {}
        }
    }

    /// Once every fault is gone, the thermometer is heard again.
    func check() async throws {
        if await clock.elapsed - watch.heardAt > .seconds(60) { throw NotHeard() }
    }
}

@Suite(.timeLimit(.minutes(60)))
struct FreezerSimulationTests {
    @Test func `the thermometer is heard again after every fault`() async throws {
        try await Simulation().run(FreezerSimulation.self, seeds: 1...50)
    }
}
