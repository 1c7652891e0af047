// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// The limits in the article Limits; the bounds of the memory about devices are in `MemoryBoundTests`.
@Suite("Limits", .timeLimit(.minutes(60)))
struct LimitsTests {
    static func services(_ count: Int) -> [DiscoveredService] {
        (1...count).map { DiscoveredService(id: AttributeID(rawValue: UInt32($0)), uuid: "180F") }
    }

    /// The services that a program gets from a peer that answers with `count` of them.
    static func discover(_ count: Int, in world: World, _ peripheral: Peripheral) async -> Call<[Service]> {
        let call = await world.start { try await peripheral.discoverServices() }
        await world.answer(.discoverServices(.one, nil), .services(services(count)))
        return call
    }

    @Test
    func `a peer with 10,000 services is refused with a reason, costs nothing more, and stays connected`() async throws
    {
        try await World.run { world in
            let peripheral = try await world.connect()
            let many = await Self.discover(10_000, in: world, peripheral)
            #expect(many.error as? PeripheralError == .backend(.tooManyAttributes(maximum: 4096)))
            #expect(peripheral.services.isEmpty)
            #expect(peripheral.isConnected)
            let few = await Self.discover(4096, in: world, peripheral)
            #expect(few.value?.count == 4096)
        }
    }

    @Test
    func `services, characteristics and descriptors count together, and those that are known count once`() async throws
    {
        try await World.run(maximumAttributes: 3) { world in
            let peripheral = try await world.connect()
            let level = try await world.discover(peripheral)
            let again = await world.start { try await peripheral.discoverServices() }
            await world.answer(.discoverServices(.one, nil), .services([Battery().service]))
            #expect(again.value?.count == 1)
            let descriptors = await world.start { try await level.discoverDescriptors() }
            await world.answer(
                .discoverDescriptors(.one, characteristic: level.id),
                .descriptors([DiscoveredDescriptor(id: AttributeID(handle: 0x13), uuid: "2902")]))
            #expect(descriptors.error as? CharacteristicError == .backend(.tooManyAttributes(maximum: 3)))
        }
    }

    @Test(arguments: [false, true])
    func `a database that has grown while the link was lost ends those who wait for it`(inServices: Bool) async throws {
        try await World.run(maximumAttributes: 4) { world in
            let (peripheral, level) = try await world.level()
            let listener = try await NotifyingTests.listen(world, level, onDisconnect: .resubscribe)
            let values = Recorder(listener, on: world)
            await world.lose(peripheral)
            try await world.connect(peripheral)
            let battery = Battery()
            let copies = (1...10 as ClosedRange<UInt16>).map { AttributeID(handle: 0x1000 + $0) }
            let services = copies.map { DiscoveredService(id: $0, uuid: battery.service.uuid, isPrimary: true) }
            await world.answer(
                .discoverServices(.one, [battery.service.uuid]),
                .services([battery.service] + (inServices ? services : [])))
            if !inServices {
                await world.answer(
                    .discoverCharacteristics(.one, service: battery.service.id, nil),
                    .characteristics(
                        battery.characteristics
                            + copies.map { DiscoveredCharacteristic(id: $0, uuid: "2A19", properties: .read) }))
            }
            #expect(values.error as? CharacteristicError == .backend(.tooManyAttributes(maximum: 4)))
            #expect(await world.backend.pending == [])
        }
    }

    @Test func `a name longer than a device name can be is cut`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            await world.emit(.nameChanged(.one, String(repeating: "a", count: 100_000)))
            #expect(peripheral.displayName.utf8.count == 248)
            await world.emit(.nameChanged(.one, String(repeating: "é", count: 200)))
            #expect(peripheral.displayName.hasPrefix("éé"))
        }
    }

    @Test func `an empty name takes the place of none, whoever tells it`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            await world.emit(.nameChanged(.one, "Lamp"))
            await world.emit(.nameChanged(.one, ""))
            #expect(peripheral.displayName == "Lamp")
            let silent = PeripheralAdvertisements(localName: "")
            for name in ["", nil] {
                await world.emit(
                    .sighted(Sighting(peripheral: .one, name: name, advertisements: silent, rssi: -50)))
                #expect(peripheral.displayName == "Lamp")
            }
        }
    }

    @Test
    func `a value longer than an attribute can have is refused where it is read, and dropped where it is notified`()
        async throws
    {
        try await World.run { world in
            let (_, level) = try await world.level()
            let longest = Bytes([UInt8](repeating: 1, count: 512))
            for (value, isTaken) in [(longest, true), (Bytes([UInt8](repeating: 2, count: 513)), false)] {
                let read = await world.start { try await level.read() }
                await world.answer(.read(.one, level.id), .value(value))
                #expect(isTaken == (read.error == nil))
                if !isTaken { #expect(read.error as? CharacteristicError == .backend(.valueTooLong(count: 513))) }
            }
            #expect(level.value == longest)
            let values = await world.start { try await level.notifications() }
            await world.answer(.setNotifying(.one, level.id, true, .standard), .done)
            await world.emit(.valueChanged(.one, level.id, Bytes([UInt8](repeating: 3, count: 513))))
            #expect(level.value == longest)
            #expect(level.droppedCount == 1)
            #expect(values.value?.droppedCount == 1)
        }
    }

    @Test func `requests of centrals beyond those that may wait for the app are refused at once`() async throws {
        try await PeripheralWorld.run(maximumOpenRequests: 2) { world in
            let characteristic = try await world.characteristic()
            let requests = await world.recorder(characteristic.writeRequests())
            let first = try await world.write([1], to: characteristic)
            _ = try await world.write([2], to: characteristic)
            let third = try await world.write([3], to: characteristic)
            #expect(await world.answers(to: third) == [.failure(.insufficientResources)])
            #expect(requests.all.map(\.value) == [[1], [2]])
            requests.all.first?.accept()
            #expect(await world.answers(to: first) == [.success([])])
            let fourth = try await world.write([4], to: characteristic)
            #expect(await world.answers(to: fourth).isEmpty)
        }
    }

    #if os(Linux)
    // Each of these runs in a process of its own. A first small round of the same work loads the code that it needs,
    // which would otherwise count as memory that the work takes.

    @Test func `10,000 services of one peer cost less than 10 MB where they are allowed`() async {
        await #expect(processExitsWith: .success) {
            try await World.run(maximumAttributes: 65_535) { world in
                let peripheral = try await world.connect()
                _ = await LimitsTests.discover(100, in: world, peripheral)
                let before = ResidentMemory.bytes
                let call = await LimitsTests.discover(10_000, in: world, peripheral)
                let growth = ResidentMemory.bytes - before
                #expect(call.value?.count == 10_000)
                #expect(growth < 10_000_000, "took \(growth) bytes")
            }
        }
    }

    /// Sights 2,000 devices, which is to take less than `limit` bytes.
    static func sightMany(remembering maximum: Int, limit: Int) async throws {
        try await World.run(maximumDiscoveredPeripherals: maximum) { world in
            // Keeps none of the sightings.
            let scan = await world.start { for try await _ in world.central.scan() {} }
            defer { scan.cancel() }
            for number in 0..<100 { await world.sight(MemoryBoundTests.id(number), name: "Sensor \(number)") }
            let before = ResidentMemory.bytes
            for number in 100..<2_100 { await world.sight(MemoryBoundTests.id(number), name: "Sensor \(number)") }
            let growth = ResidentMemory.bytes - before
            #expect(growth < limit, "took \(growth) bytes")
        }
    }

    @Test func `2,000 devices cost less than 5 MB where all are remembered`() async {
        await #expect(processExitsWith: .success) {
            try await LimitsTests.sightMany(remembering: 4096, limit: 5_000_000)
        }
    }

    @Test func `2,000 devices cost less than 2.5 MB where 64 are remembered`() async {
        await #expect(processExitsWith: .success) {
            try await LimitsTests.sightMany(remembering: 64, limit: 2_500_000)
        }
    }
    #endif
}
