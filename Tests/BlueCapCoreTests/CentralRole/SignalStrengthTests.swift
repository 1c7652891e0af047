// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Signal strength and retrieval", .timeLimit(.minutes(60)))
struct SignalStrengthTests {
    static let reading = CentralOperation.readRSSI(.one)

    static func sighting(_ rssi: Int?) -> CentralEvent {
        .sighted(Sighting(peripheral: .one, advertisements: PeripheralAdvertisements(), rssi: rssi))
    }

    @Test func `it is measured where the platform can, and fails with its own timeout`() async throws {
        try await World.run(features: .connectionRSSI) { world in
            let peripheral = try await world.connect()
            let first = await world.start { try await peripheral.readRSSI() }
            await world.answer(Self.reading, .rssi(-42))
            #expect(first.value == -42)
            #expect(peripheral.rssi == -42)
            let second = await world.start { try await peripheral.readRSSI(timeout: .seconds(1)) }
            await world.advance(by: .seconds(1))
            #expect(second.error as? PeripheralError == .rssiTimeout)
        }
    }

    @Test(arguments: [(Duration.seconds(15), -60 as Int?), (.seconds(16), nil)])
    func `elsewhere it is that of a sighting of at most 15 s ago`(age: Duration, expected: Int?) async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            await world.emit(Self.sighting(-60))
            await world.advance(by: age)
            let call = await world.start { try await peripheral.readRSSI() }
            #expect(call.value == expected)
            if expected == nil { #expect(call.error as? PeripheralError == .rssiUnavailable) }
        }
    }

    @Test(arguments: [(Duration.seconds(15), -60 as Int?), (.seconds(16), nil)])
    func `where the platform does not measure it when asked, a fresh sighting stands for it`(
        age: Duration, expected: Int?
    ) async throws {
        try await World.run(features: .connectionRSSI) { world in
            let peripheral = try await world.connect()
            await world.emit(Self.sighting(-60))
            await world.advance(by: age)
            let call = await world.start { try await peripheral.readRSSI() }
            await world.refuse(Self.reading, .rssiUnavailable)
            #expect(call.value == expected)
            if expected == nil { #expect(call.error as? PeripheralError == .rssiUnavailable) }
            let readings = Recorder(peripheral.rssiUpdates(every: .seconds(10), capacity: .unbounded), on: world)
            await world.refuse(Self.reading, .rssiUnavailable)
            #expect(readings.all == [expected].compactMap(\.self))
        }
    }

    @Test
    func `a poll reads at once and each period, leaves a gap for a failure, and ends with the link`() async throws {
        try await World.run(features: .connectionRSSI) { world in
            let peripheral = try await world.connect()
            let readings = Recorder(peripheral.rssiUpdates(every: .seconds(10), capacity: .unbounded), on: world)
            await world.answer(Self.reading, .rssi(-1))
            await world.advance(by: .seconds(10))
            await world.refuse(Self.reading, .att(.unlikelyError))
            await world.advance(by: .seconds(10))
            await world.answer(Self.reading, .rssi(-3))
            #expect(readings.all == [-1, -3])
            await world.lose(peripheral)
            #expect(readings.hasEnded)
        }
    }

    @Test
    func `retrieved peripherals come in the order asked for, and are the objects that a scan gives`() async throws {
        try await World.run { world in
            let met = await world.meet(.one)
            let ids: [PeerIdentifier] = ["AA:00:00:00:00:02", .one, "AA:00:00:00:00:03"]
            let call = await world.start { try await world.central.retrievePeripherals(withIdentifiers: ids) }
            await world.answer(
                .retrieve(ids),
                .peripherals([KnownPeripheral(id: .one), KnownPeripheral(id: "AA:00:00:00:00:02", name: "Two")]))
            let found = try call.get()
            #expect(found.map(\.identifier) == ["AA:00:00:00:00:02", .one])
            #expect(found[0].name == "Two")
            #expect(found[1] === met)
        }
    }
}
