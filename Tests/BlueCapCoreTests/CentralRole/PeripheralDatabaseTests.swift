// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// The database of one record, without a manager.
@Suite("Database of a peripheral", .timeLimit(.minutes(60)))
struct PeripheralDatabaseTests {
    @Test func `services found again keep their objects, and a whole list takes the others out`() async throws {
        try await CentralRooms.run { stage, _ in
            try await stage.act { stage in
                let record = try stage.connect(.one)
                let database = record.database
                let battery = DiscoveredService(id: AttributeID(handle: 0x10), uuid: "180F")
                let heart = DiscoveredService(id: AttributeID(handle: 0x20), uuid: "180D")
                let first = database.merge(services: [battery], replacing: true)
                let both = database.merge(services: [battery, heart])
                #expect(both.first === first.first)
                #expect(record.peripheral.services == both)
                let last = database.merge(services: [heart], replacing: true)
                #expect(last.first === both.last)
                #expect(database.services.keys == [heart.id])
            }
        }
    }

    @Test func `a discovery that finds more than the maximum changes nothing`() async throws {
        try await CentralRooms.run { stage, _ in
            try await stage.act { stage in
                let database = try stage.connect(.one).database
                let services = [0x10, 0x20, 0x30].map { DiscoveredService(id: AttributeID(handle: $0), uuid: "180F") }
                let two = try database.take(services: Array(services.prefix(2)), maximum: 2).get()
                #expect(two.count == 2)
                let three = database.take(services: services, replacing: true, maximum: 2)
                #expect(three == .failure(.tooManyAttributes(maximum: 2)))
                #expect(database.services.keys == two.map(\.id))
            }
        }
    }

    @Test func `requests for attributes that are gone end with them, and others go on`() async throws {
        try await CentralRooms.run { stage, _ in
            try await stage.act { stage in
                let (record, characteristics) = try stage.discovered()
                let id = record.peripheral.identifier
                let outcomes = Locked<[String]>([])
                stage.begin(.read(id, Battery.level), in: .value(Battery.level)) { _, outcome in
                    outcomes.withLock { $0.append("read \(outcome)") }
                }
                stage.begin(.readRSSI(id), in: .rssi) { _, outcome in
                    outcomes.withLock { $0.append("strength \(outcome)") }
                }
                #expect(stage.requests.count == 2)
                record.database.changed(nil, stage)
                #expect(outcomes.withLock { $0.map { $0.prefix(4) } } == ["read"])
                #expect(stage.requests.count == 1)
                #expect(record.database.characteristics.isEmpty)
                #expect(record.peripheral.services.isEmpty)
                #expect(throws: CharacteristicError.notDiscovered("2A19")) {
                    try stage.book.record(of: characteristics[0], stage)
                }
            }
        }
    }
}
