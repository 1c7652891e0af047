// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// The attributes that a manager offers, without a manager.
@Suite struct LocalDatabaseTests {
    private static func characteristic(_ uuid: BluetoothUUID, descriptors: Int = 0) -> MutableCharacteristic {
        let characteristic = MutableCharacteristic(uuid: uuid)
        characteristic.descriptors = (0..<descriptors).map { _ in MutableDescriptor(uuid: "2901") }
        return characteristic
    }

    private static func service(_ characteristics: MutableCharacteristic...) -> MutableService {
        let service = MutableService(uuid: "180F")
        service.characteristics = characteristics
        return service
    }

    @Test func `a claim numbers the service, then each characteristic before its descriptors`() async throws {
        try await PeripheralRooms.run { stage, _ in
            try await stage.act { stage in
                let database = LocalDatabase(meter: stage.meter)
                let service = Self.service(Self.characteristic("2A19", descriptors: 2), Self.characteristic("2A1A"))
                let local = try database.claim(service, handle: nil, including: [], stage)
                #expect(local.id.rawValue == 1)
                #expect(local.characteristics.map(\.id.rawValue) == [2, 5])
                #expect(local.characteristics[0].descriptors.map(\.id.rawValue) == [3, 4])
                #expect(database.count == 4)
                database.release(service, local, stage)
                #expect(database.count == 0)
                #expect(!service.isAdded)
            }
        }
    }

    @Test func `a claim that meets a characteristic of another service takes nothing`() async throws {
        try await PeripheralRooms.run { stage, _ in
            try await stage.act { stage in
                let database = LocalDatabase(meter: stage.meter)
                let taken = Self.characteristic("2A1A")
                _ = try database.claim(Self.service(taken), handle: nil, including: [], stage)
                let free = Self.characteristic("2A19", descriptors: 1)
                let service = Self.service(free, taken)
                #expect(throws: PeripheralManagerError.alreadyAdded("2A1A")) {
                    try database.claim(service, handle: nil, including: [], stage)
                }
                #expect(!service.isAdded)
                #expect(free.registration == nil)
                #expect(database.count == 1)
            }
        }
    }

    @Test func `a released database frees its handles and ends their streams`() async throws {
        try await PeripheralRooms.run { stage, _ in
            let service = Self.service(Self.characteristic("2A19"))
            let writes = service.characteristics[0].writeRequests()
            try await stage.act { stage in
                let database = LocalDatabase(meter: stage.meter)
                _ = try database.claim(service, handle: nil, including: [], stage)
                #expect(service.isAdded)
            }
            #expect(!service.isAdded)
            for await _ in writes { Issue.record("a write that no central made") }
        }
    }
}
