// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTesting
import Synchronization
import Testing

/// The library for soil sensors in an app that is killed again and again, while everything goes wrong that can.
private struct Garden: SimulatedApp {
    struct Stale: Error { let updatedAt: Duration? }
    struct OutOfOrder: Error { let before: UInt32, next: UInt32 }
    struct StillTrying: Error { let attempts: [PeerIdentifier] }

    private let world: SimulatedWorld
    private let model = SoilModel()
    private let reading = VirtualCharacteristic(SoilReading.uuid, properties: [.read, .notify])

    init(in world: SimulatedWorld) async throws {
        self.world = world
        world.radio.add(
            VirtualPeripheral(
                name: "Bed 1", services: [VirtualService(SoilSensor.service, characteristics: [reading])]))
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await measure() }
            group.addTask {
                for length in 0... { try await live(for: .seconds(20 + 17 * (length % 7))) }
            }
            for try await _ in group {}
        }
    }

    private func measure() async throws {
        for number in 1... as PartialRangeFrom<UInt32> {
            if let value = SoilReading(rawValue1: number, rawValue2: UInt16(number % 1000)) { reading.notify(value) }
            try await world.clock.sleep(for: .seconds(10))
        }
    }

    /// One life of the app, which ends as by `kill -9`.
    private func live(for length: Duration) async throws {
        var configuration = CentralManager.Configuration(restoreIdentifier: "garden")
        configuration.logLevel = .off
        let central = world.makeCentral(configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await show(SoilSensor(central: central, executor: world.radio.executor)) }
            try await world.clock.sleep(for: length)
            world.kill(central)
            group.cancelAll()
        }
    }

    private func show(_ sensor: SoilSensor) async throws {
        for try await reading in sensor.readings() {
            let before = await model.readings.last?.number ?? 0
            if reading.number <= before { throw OutOfOrder(before: before, next: reading.number) }
            await model.take(reading, at: world.clock.elapsed)
        }
    }

    func check() async throws {
        if await model.isStale(at: world.clock.elapsed) { throw Stale(updatedAt: await model.updatedAt) }
    }

    func check(pending: PendingWork) async throws {
        if pending.attempts.count > 1 { throw StillTrying(attempts: pending.attempts) }
    }
}

@Suite("A library for soil sensors", .timeLimit(.minutes(60)))
struct SoilSensorSimulationTests {
    @Test func `readings come again after every fault, in order over all lives`() async {
        await SimulationSeeds.play(Garden.self, in: Self.self)
    }

    @Test func `readings come for six hours, with 100 faults and a kill every minute or two`() async throws {
        try await Simulation(duration: .seconds(6 * 3600), faultCount: 100, shrinkingLimit: 0).run(Garden.self, seed: 1)
    }

    @Test func `an app that makes its stream in an ordinary task gets its readings in a run`() async throws {
        try await VirtualRadio.run(limit: .seconds(10_000_000), patience: .seconds(3600)) { radio in
            let reading = VirtualCharacteristic(SoilReading.uuid, properties: [.read, .notify])
            let service = VirtualService(SoilSensor.service, characteristics: [reading])
            radio.add(VirtualPeripheral(name: "Bed 1", services: [service]))
            reading.sendOnSubscription([SerDe.serialize(UInt32(1), UInt16(500))])
            let central = CentralManager(backend: radio.central())
            typealias Readings = AsyncThrowingStream<SoilReading, any Error>
            let follow: @Sendable (Readings.Continuation) async throws -> Void = { continuation in
                try await central.whenPoweredOn()
                let sensor = try await central.firstDiscovery(for: [SoilSensor.service]).peripheral
                let policy = ReconnectPolicy(maximumAbsence: .seconds(60))
                try await sensor.stayConnected(policy, discovering: [SoilSensor.service]) { sensor in
                    let reading = try sensor.characteristic(SoilReading.self)
                    for try await value in try await reading.notifications() { continuation.yield(value) }
                }
            }
            let readings: @Sendable () -> Readings = {
                AsyncThrowingStream { continuation in
                    let task = Task { try await follow(continuation) }
                    continuation.onTermination = { _ in task.cancel() }
                }
            }
            for readings in [readings, { SoilSensor(central: central).readings() }] {
                for try await value in readings() {
                    #expect(value.moisture == 0.5)
                    break
                }
            }
        }
    }
}
