// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// A room of its own, beside that of the manager.
@Suite("Databases", .timeLimit(.minutes(60)))
struct DatabasesTests {
    @Test func `services found again keep their objects, and a whole list takes the others out`() async throws {
        try await World.run { world in
            await world.central.act { central in
                let databases = Databases(PublishedCentralState().characteristics, maximumAttributes: 3)
                let record = central.book.record(for: .one, central)
                let battery = DiscoveredService(id: AttributeID(handle: 0x10), uuid: "180F")
                let heart = DiscoveredService(id: AttributeID(handle: 0x20), uuid: "180D")
                let first = databases.merge(services: [battery], into: record, replacing: true)
                let both = databases.merge(services: [battery, heart], into: record, replacing: false)
                #expect(both.first === first.first)
                #expect(record.peripheral.services == both)
                #expect(databases.excess(1, for: record) == nil)
                #expect(databases.excess(2, for: record) == .tooManyAttributes(maximum: 3))
                let last = databases.merge(services: [heart], into: record, replacing: true)
                #expect(last.first === both.last)
                #expect(record.services.keys == [heart.id])
            }
        }
    }
}
