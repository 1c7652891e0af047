// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Discovering", .timeLimit(.minutes(60)))
struct DiscoveringTests {
    static let services = CentralOperation.discoverServices(.one, nil)
    static let descriptors = CentralOperation.discoverDescriptors(.one, characteristic: Battery.level)
    static let configuration = DiscoveredDescriptor(id: AttributeID(handle: 0x14), uuid: "2902")
    static let description = DiscoveredDescriptor(id: AttributeID(handle: 0x13), uuid: "2901")

    @Test
    func `after a reconnection a handle is stale until it is discovered again, and then the same object`() async throws
    {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            await world.lose(peripheral)
            try await world.connect(peripheral)
            let stale = await world.start { try await level.read() }
            #expect(stale.error as? CharacteristicError == .notDiscovered("2A19"))
            #expect(try await world.discover(peripheral) === level)
            let call = await world.start { try await level.read() }
            await world.answer(ReadingWritingTests.read, .value([1]))
            #expect(call.value == [1])
        }
    }

    @Test func `a characteristic that came back with other properties is another object`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            await world.lose(peripheral)
            try await world.connect(peripheral)
            var database = Battery()
            database.level.properties = .read
            #expect(try await world.discover(peripheral, database) !== level)
        }
    }

    @Test func `a lookup by a UUID that nothing or several things have says so`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let service = Battery().service
            let call = await world.start { try await peripheral.discover() }
            await world.answer(Self.services, .services([service]))
            var database = Battery()
            database.status.uuid = "2A19"
            await world.answer(
                .discoverCharacteristics(.one, service: service.id, nil), .characteristics(database.characteristics))
            #expect(call.isDone)
            #expect(throws: CharacteristicError.ambiguous("2A19", count: 2)) { try peripheral.characteristic("2A19") }
            let found = peripheral.services[0].characteristics(withUUID: "2A19")
            #expect(found.map(\.id) == [Battery.level, Battery.status])
            #expect(throws: CharacteristicError.missing("2A00")) { try peripheral.characteristic("2A00") }
        }
    }

    @Test func `a lost link fails a discovery that waits`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let call = await world.start { try await peripheral.discoverServices() }
            await world.lose(peripheral)
            #expect(call.error as? PeripheralError == .disconnected)
        }
    }

    @Test func `a service discovery that times out ends the link, which counts as a loss`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let events = Recorder(peripheral.connectionEvents(), on: world)
            await world.idle()
            let call = await world.start { try await peripheral.discoverServices(timeout: .seconds(2)) }
            await world.advance(by: .seconds(2))
            #expect(call.error as? PeripheralError == .serviceDiscoveryTimeout)
            #expect(await world.backend.linkCalls.last == .disconnect(.one))
            await world.lose(peripheral)
            #expect(events.all == [.disconnected(.serviceDiscoveryTimeout)])
            #expect(peripheral.statistics.disconnectionCount == 1)
        }
    }

    @Test func `a service that the peer does not have is named`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let call = await world.start { try await peripheral.discover(["180F", "180A"]) }
            await world.answer(.discoverServices(.one, ["180F", "180A"]), .services([Battery().service]))
            #expect(call.error as? PeripheralError == .missing("180A"))
        }
    }

    @Test
    func `a device that lacks a service or a characteristic is told from a discovery that is missing`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            #expect(throws: PeripheralError.notDiscovered("180A")) { try peripheral.service("180A") }
            #expect(throws: CharacteristicError.notDiscovered("2A00")) { try peripheral.characteristic("2A00") }
            let services = await world.start { try await peripheral.discoverServices() }
            await world.answer(Self.services, .services([Battery().service]))
            let battery = try #require(services.value?.first)
            #expect(throws: PeripheralError.missing("180A")) { try peripheral.service("180A") }
            #expect(throws: CharacteristicError.notDiscovered("2A00")) { try peripheral.characteristic("2A00") }
            #expect(throws: CharacteristicError.notDiscovered("2A00")) {
                try peripheral.characteristic("2A00", in: battery)
            }
            let call = await world.start { try await battery.discoverCharacteristics() }
            await world.answer(
                .discoverCharacteristics(.one, service: battery.id, nil), .characteristics(Battery().characteristics))
            #expect(call.isDone)
            #expect(throws: CharacteristicError.missing("2A00")) { try peripheral.characteristic("2A00") }
            #expect(throws: CharacteristicError.missing("2A00")) { try peripheral.characteristic("2A00", in: battery) }
            let text = "\(PeripheralError.missing("180A"))"
            #expect(text.hasPrefix("the peripheral has no service 180A: check the UUID"))
            await world.emit(.servicesChanged(.one, invalidated: [battery.id]))
            #expect(throws: PeripheralError.notDiscovered("180F")) { try peripheral.service("180F") }
        }
    }

    @Test(arguments: [
        (ATTError.insufficientAuthentication, true), (.insufficientEncryption, true), (.outOfRange, false),
    ])
    func `a refusal for want of pairing says how to pair`(_ error: ATTError, _ isAdvised: Bool) {
        let advice = CharacteristicError.att(error).advice
        #expect((advice?.contains("listen to pairingRequests(capability:)") == true) == isAdvised)
        #expect(PeripheralError.att(error).advice == advice)
        #expect(MutableCharacteristicError.att(error).advice == nil)
    }

    @Test func `replies that nobody waits for are counted on any thread`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let call = await world.start { try await level.read(timeout: .seconds(1)) }
            await world.advance(by: .seconds(1))
            #expect(call.error as? CharacteristicError == .readTimeout)
            await world.answer(ReadingWritingTests.read, .value([1]))
            // Without `await`, as droppedCount.
            let counts: @Sendable () -> [Int] = { [world.central.unclaimedCount, world.central.droppedCount] }
            #expect(counts() == [1, 0])
        }
    }

    @Test
    func `descriptors are discovered, read and written; the client configuration is written by subscribing only`()
        async throws
    {
        try await World.run { world in
            let (_, level) = try await world.level()
            let discovery = await world.start { try await level.discoverDescriptors() }
            await world.answer(Self.descriptors, .descriptors([Self.description, Self.configuration]))
            let found = try discovery.get()
            #expect(found.map(\.uuid) == ["2901", "2902"])
            let refused = await world.start { try await found[1].write([1, 0]) }
            #expect(refused.error as? CharacteristicError == .writeNotSupported)
            let read = await world.start { try await found[0].read() }
            await world.answer(.read(.one, Self.description.id), .value([0x41]))
            #expect(read.value == [0x41])
            #expect(found[0].value == [0x41])
            let encoded = await world.start { try await found[0].write("B") }
            await world.answer(.write(.one, Self.description.id, [0x42], .withResponse), .done)
            #expect(encoded.value != nil)
        }
    }

    @Test func `included services stay what they are through a new discovery of the primary ones`() async throws {
        try await World.run { world in
            let (peripheral, _) = try await world.level()
            let service = try #require(peripheral.services.first)
            let other = DiscoveredService(id: AttributeID(handle: 0x30), uuid: "1812", isPrimary: false)
            let first = await world.start { try await service.discoverIncludedServices() }
            let operation = CentralOperation.discoverIncludedServices(.one, service: service.id, nil)
            await world.answer(operation, .services([other]))
            let included = try first.get()
            #expect(service.includedServices == included)
            #expect(peripheral.services == [service])
            try await world.discover(peripheral)
            let characteristics = await world.start { try await included[0].discoverCharacteristics() }
            await world.answer(.discoverCharacteristics(.one, service: other.id, nil), .characteristics([]))
            #expect(characteristics.value == [])
        }
    }

    @Test func `a changed database is told, and what it took away is stale and ends its listeners`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let changes = Recorder(peripheral.serviceChanges(), on: world)
            let values = Recorder(try await NotifyingTests.listen(world, level), on: world)
            await world.emit(.servicesChanged(.one, invalidated: [Battery().service.id]))
            #expect(changes.all == [["180F"]])
            #expect(values.error as? CharacteristicError == .notDiscovered("2A19"))
            #expect(peripheral.services == [])
            let stale = await world.start { try await level.read() }
            #expect(stale.error as? CharacteristicError == .notDiscovered("2A19"))
        }
    }

    @Test
    func `what is under way for what a change took away ends with that, at once, and the link goes on`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let battery = Battery()
            let service = try #require(peripheral.services.first)
            let reads = [await world.start { try await level.read() }, await world.start { try await level.read() }]
            let listening = await world.start { try await level.notifications() }
            let descriptors = await world.start { try await level.discoverDescriptors() }
            let included = await world.start { try await service.discoverIncludedServices() }
            let characteristics = await world.start { try await service.discoverCharacteristics() }
            let services = await world.start { try await peripheral.discoverServices() }
            let late = await world.backend.take(ReadingWritingTests.read)
            await world.emit(.servicesChanged(.one, invalidated: [battery.service.id]))
            for read in reads { #expect(read.error as? CharacteristicError == .notDiscovered("2A19")) }
            #expect(listening.error as? CharacteristicError == .notDiscovered("2A19"))
            #expect(descriptors.error as? CharacteristicError == .notDiscovered("2A19"))
            #expect(included.error as? ServiceError == .notDiscovered("180F"))
            #expect(characteristics.error as? ServiceError == .notDiscovered("180F"))
            #expect(!services.isDone)
            await world.answer(Self.services, .services([battery.service]))
            #expect(services.isDone)
            let again = try await world.discover(peripheral)
            let next = await world.start { try await again.read() }
            await world.emit(.reply(late, .success(.value([1]))))
            #expect(!next.isDone)
            #expect(world.central.unclaimedCount == 1)
            await world.answer(ReadingWritingTests.read, .value([2]))
            #expect(next.value == [2])
        }
    }

    @Test func `a database that names one attribute twice is taken in without a trap`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            for _ in 0..<2 {
                let call = await world.start { try await peripheral.discoverServices() }
                await world.answer(Self.services, .services([Battery().service, Battery().service]))
                #expect(call.isDone)
            }
            #expect(peripheral.services.count == 1)
        }
    }
}
