// SPDX-License-Identifier: MIT

import BlueCap
import FreezerWatch
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60)))
struct FreezerWatchTests {
    @Test func `a freezer that is cold raises no alarm for a day`() async throws {
        let alarms = try await Self.alarms { world in
            try await world.measure(-18, for: .seconds(86_400))
        }
        #expect(alarms == [])
    }

    @Test func `a freezer that stays warm raises one alarm after five minutes`() async throws {
        let alarms = try await Self.alarms { world in
            try await world.measure(-18, for: .seconds(60))
            try await world.measure(-3, for: .seconds(290))
            #expect(world.alarms == [])
            try await world.measure(-3, for: .seconds(600))
        }
        #expect(alarms == [.warm])
    }

    @Test func `a door that is open for a while raises none`() async throws {
        let alarms = try await Self.alarms { world in
            for _ in 0..<10 {
                try await world.measure(-3, for: .seconds(240))
                try await world.measure(-18, for: .seconds(60))
            }
        }
        #expect(alarms == [])
    }

    @Test func `a thermometer that is carried away raises one alarm, and is heard again`() async throws {
        let alarms = try await Self.alarms { world in
            try await world.measure(-18, for: .seconds(60))
            world.thermometer.vanish()
            try await world.clock.sleep(for: .seconds(620))
            #expect(world.alarms == [.silent])
            world.thermometer.reappear()
            try await world.measure(-3, for: .seconds(620))
        }
        #expect(alarms == [.silent, .warm])
    }

    @Test func `a thermometer that was away is warm five minutes after its first value`() async throws {
        let alarms = try await Self.alarms { world in
            try await world.measure(-18, for: .seconds(60))
            world.thermometer.vanish()
            try await world.clock.sleep(for: .seconds(400))
            world.thermometer.reappear()
            try await world.measure(-3, for: .seconds(200))
            try await world.measure(-18, for: .seconds(60))
        }
        #expect(alarms == [])
    }

    @Test func `a thermometer that does not know its temperature is silent, and not warm`() async throws {
        let alarms = try await Self.alarms { world in
            try await world.measure(-18, for: .seconds(60))
            try await world.measure(nil, for: .seconds(620))
        }
        #expect(alarms == [.silent])
    }

    @Test func `a radio that is switched off for a minute is no cause`() async throws {
        let alarms = try await Self.alarms { world in
            try await world.measure(-18, for: .seconds(60))
            world.radio.adapter().powerOff()
            try await world.clock.sleep(for: .seconds(60))
            world.radio.adapter().powerOn()
            try await world.measure(-18, for: .seconds(3600))
        }
        #expect(alarms == [])
    }

    /// The alarms that the app raises while a story runs.
    private static func alarms(
        _ story: @escaping @Sendable (World) async throws -> Void
    ) async throws -> [FreezerWatch.Alarm] {
        try await VirtualRadio.run(limit: .seconds(100_000)) { radio in
            let world = World(radio)
            let central = CentralManager(backend: radio.central())
            let watch = FreezerWatch(central: central, clock: radio.clock) { world.note($0) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await watch.run() }
                group.addTask { try await story(world) }
                // The first to end, with its error if it has one.
                try await group.next()
                group.cancelAll()
            }
            return world.alarms
        }
    }
}

/// A freezer with its thermometer.
final class World: Sendable {
    let radio: VirtualRadio
    let thermometer: VirtualPeripheral
    private let temperature = VirtualCharacteristic(
        EnvironmentalSensingService.Temperature.uuid, properties: [.read, .notify])
    private let raised = Mutex<[FreezerWatch.Alarm]>([])

    init(_ radio: VirtualRadio) {
        self.radio = radio
        thermometer = VirtualPeripheral(
            name: "Freezer",
            services: [VirtualService(EnvironmentalSensingService.uuid, characteristics: [temperature])])
        radio.add(thermometer)
    }

    var clock: BlueCapClock { radio.clock }
    var alarms: [FreezerWatch.Alarm] { raised.withLock { $0 } }

    func note(_ alarm: FreezerWatch.Alarm) { raised.withLock { $0.append(alarm) } }

    /// Measures a temperature every ten seconds; nil where the thermometer does not know it.
    func measure(_ degrees: Double?, for duration: Duration) async throws {
        typealias Temperature = EnvironmentalSensingService.Temperature
        let value = try degrees.map { try Temperature($0) } ?? Temperature(rawValue: .min)
        let end = clock.elapsed + duration
        while clock.elapsed < end {
            temperature.notify(value)
            try await clock.sleep(for: .seconds(10))
        }
    }
}
