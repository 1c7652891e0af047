// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Attributes", .timeLimit(.minutes(60)))
struct AttributeTests {
    @Test func `that share a UUID have identifiers and values of their own`() async throws {
        try await ConnectedWorld.run {
            [
                VirtualService("FFF0") {
                    VirtualCharacteristic("FFF1", value: [1])
                    VirtualCharacteristic("FFF1", value: [2])
                },
                VirtualService("FFF0") { VirtualCharacteristic("FFF1", value: [3]) },
            ]
        } _: { world in
            #expect(world.found.services.map(\.uuid) == ["FFF0", "FFF0"])
            let ids = world.found.characteristics.map(\.id)
            #expect(Set(ids).count == 3)
            var values: [Bytes] = []
            for id in ids {
                guard case .value(let value) = try await world.recorder.perform(.read(world.id, id)).get() else {
                    continue
                }
                values.append(value)
            }
            #expect(values == [[1], [2], [3]])
        }
    }

    @Test func `of a declared type have what the type declares, and its values`() {
        let level = VirtualCharacteristic(Level(rawValue: 40))
        #expect(level.uuid == Level.uuid)
        #expect(level.properties == [.read, .notify])
        #expect(level.permissions == .readable)
        #expect(level.value == [40])
        level.update(Level(rawValue: 41))
        #expect(level.value == [41])
        level.setValue(Level(rawValue: 42))
        #expect(level.value == [42])
    }

    @Test func `of a declared type send values of the type, and keep what they have`() async throws {
        try await VirtualRadio.run { radio in
            let level = VirtualCharacteristic(Level.uuid, properties: [.notify], value: [1])
            let alarm = VirtualCharacteristic(Alarm.uuid, properties: [.indicate], value: [2])
            let service = VirtualService("180F", characteristics: [level, alarm])
            radio.add(VirtualPeripheral(name: "Tag", services: [service]))
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn()
            let peripheral = try await central.firstDiscovery().peripheral
            try await peripheral.connect()
            try await peripheral.discover()
            var levels = try await peripheral.characteristic(Level.self).notifications().makeAsyncIterator()
            var alarms = try await peripheral.characteristic(Alarm.self).notifications().makeAsyncIterator()
            level.notify(Level(rawValue: 43))
            let confirmed = await alarm.indicate(Alarm(rawValue: 44))
            #expect(try await levels.next()?.rawValue == 43)
            #expect(try await alarms.next()?.rawValue == 44)
            #expect(confirmed == 1)
            #expect(level.value == [1])
            #expect(alarm.value == [2])
            await central.invalidate()
        }
    }

    @Test func `of a profile's service are all that it declares, with their initial values`() {
        let profile = ServiceProfile(
            uuid: "180F", name: "Battery",
            characteristics: [
                CharacteristicProfile(
                    uuid: Level.uuid, name: Level.name, permissions: .readEncryptionRequired,
                    properties: [.read, .notify], initialValue: [50]),
                CharacteristicProfile(uuid: Alarm.uuid, name: Alarm.name),
            ])
        let included = VirtualService("FFF0")
        let service = VirtualService(profile: profile, isPrimary: false, includedServices: [included])
        #expect(service.uuid == "180F")
        #expect(!service.isPrimary)
        #expect(service.includedServices.map(\.uuid) == ["FFF0"])
        #expect(service.characteristics.map(\.uuid) == [Level.uuid, Alarm.uuid])
        #expect(service.characteristics.map(\.properties) == [[.read, .notify], [.read, .write, .notify]])
        #expect(service.characteristics.map(\.permissions) == [.readEncryptionRequired, [.readable, .writeable]])
        #expect(service.characteristics.map(\.value) == [[50], []])
    }

    private struct Alarm: RawDeserializable, CharacteristicConfigurable {
        static let uuid: BluetoothUUID = "F000BB0A-0451-4000-B000-000000000000"
        static let name = "Alarm"
        static let properties: CharacteristicProperties = [.indicate]
        let rawValue: UInt8
    }

    private struct Level: RawDeserializable, CharacteristicConfigurable {
        static let uuid: BluetoothUUID = "2A19"
        static let name = "Battery Level"
        static let properties: CharacteristicProperties = [.read, .notify]
        static let permissions: AttributePermissions = .readable
        let rawValue: UInt8
    }

    @Test func `of an included secondary service are found through the service that includes it`() async throws {
        try await ConnectedWorld.run {
            let inner = VirtualService("FFE0", isPrimary: false) { VirtualCharacteristic("FFE1", value: [9]) }
            return [VirtualService("FFF0", includedServices: [inner])]
        } _: { world in
            #expect(world.found.services.map(\.uuid) == ["FFF0"])
            let outer = world.found.services[0].id
            let reply = try await world.recorder.perform(.discoverIncludedServices(world.id, service: outer, nil)).get()
            guard case .services(let services) = reply, let inner = services.first else { throw UnexpectedReply() }
            #expect(inner.uuid == "FFE0")
            #expect(!inner.isPrimary)
            let characteristics = try await world.recorder.characteristics(of: world.id, inner.id)
            #expect(characteristics.map(\.uuid) == ["FFE1"])
        }
    }

    @Test func `are found with their descriptors, and the descriptors read and written`() async throws {
        try await ConnectedWorld.run {
            [
                service(
                    VirtualCharacteristic(
                        "FFF1", properties: [.read, .notify],
                        descriptors: [
                            VirtualDescriptor("2901", permissions: .readable, value: [0x41]), VirtualDescriptor("2900"),
                        ]))
            ]
        } _: { world in
            let found = try await world.recorder.descriptors(of: world.id, world.found.characteristic("FFF1"))
            #expect(found.map(\.uuid) == ["2902", "2901", "2900"])
            let recorder = world.recorder
            #expect(await recorder.perform(.read(world.id, found[1].id)) == .success(.value([0x41])))
            #expect(
                await recorder.perform(.write(world.id, found[1].id, [1], .withResponse))
                    == .failure(.att(.writeNotPermitted)))
            #expect(await recorder.perform(.write(world.id, found[2].id, [7], .withResponse)) == .success(.done))
            #expect(world.characteristic("FFF1").descriptors[1].value == [7])
        }
    }

    @Test func `refuse a client configuration that is written directly`() async throws {
        try await ConnectedWorld.run {
            [service(VirtualCharacteristic("FFF1", properties: [.notify]))]
        } _: { world in
            let found = try await world.recorder.descriptors(of: world.id, world.found.characteristic("FFF1"))
            let configuration = try #require(found.first { $0.uuid == "2902" }).id
            #expect(
                await world.recorder.perform(.write(world.id, configuration, [1, 0], .withResponse))
                    == .failure(.unsupported))
            #expect(await world.recorder.perform(.read(world.id, configuration)) == .success(.value([0, 0])))
        }
    }

    @Test func `without the property are neither read nor written nor subscribed to`() async throws {
        try await ConnectedWorld.run {
            [
                VirtualService("FFF0") {
                    VirtualCharacteristic("FFF1", properties: [.write])
                    VirtualCharacteristic("FFF2", properties: [.read])
                }
            ]
        } _: { world in
            #expect(await world.read("FFF1") == .failure(.att(.readNotPermitted)))
            #expect(await world.write("FFF2", [1]) == .failure(.att(.writeNotPermitted)))
            #expect(await world.setNotifying("FFF2", true) == .failure(.unsupported))
        }
    }

    @Test(arguments: [
        ATTError.invalidHandle, .insufficientAuthorization, .invalidAttributeValueLength, .valueNotAllowed,
        .init(rawValue: 0x80), .init(rawValue: 0xE0), .outOfRange,
    ])
    func `answer with any error that is set, for the operation it is set for`(error: ATTError) async throws {
        try await ConnectedWorld.run {
            [service(VirtualCharacteristic("FFF1", properties: [.read, .write, .notify], value: [1]))]
        } _: { world in
            let characteristic = world.characteristic("FFF1")
            for operation in VirtualOperation.allCases { characteristic.setError(error, for: operation) }
            #expect(await world.read("FFF1") == .failure(.att(error)))
            #expect(await world.write("FFF1", [2]) == .failure(.att(error)))
            #expect(await world.setNotifying("FFF1", true) == .failure(.att(error)))
            #expect(characteristic.value == [1])
            #expect(characteristic.subscriptionCount == 0)
            for operation in VirtualOperation.allCases { characteristic.setError(nil, for: operation) }
            #expect(await world.read("FFF1") == .success(.value([1])))
        }
    }

    @Test func `ask their handlers`() async throws {
        try await ConnectedWorld.run {
            [
                service(
                    VirtualCharacteristic(
                        "FFF1", properties: [.read, .write], onRead: { .success($0.value + [0xFF]) },
                        onWrite: { _, value in value.count == 1 ? .success(()) : .failure(.valueNotAllowed) }))
            ]
        } _: { world in
            #expect(await world.write("FFF1", [5]) == .success(.done))
            #expect(await world.write("FFF1", [6, 7]) == .failure(.att(.valueNotAllowed)))
            #expect(await world.read("FFF1") == .success(.value([5, 0xFF])))
            #expect(world.characteristic("FFF1").writes.map(\.value) == [[5]])
        }
    }

    @Test(arguments: [0, 1, 21, 22, 23, 43, 44, 45, 511, 512])
    func `are read whole at any length around the packet sizes`(count: Int) async throws {
        try await ConnectedWorld.run(connection: .init(maximumTransmissionUnit: 23)) {
            [service(VirtualCharacteristic("FFF1", value: .counting(count)))]
        } _: { world in
            #expect(await world.read("FFF1") == .success(.value(.counting(count))))
        }
    }

    @Test(arguments: [0, 1, 20, 21, 36, 37, 511, 512])
    func `are written whole at any length around the packet sizes`(count: Int) async throws {
        try await ConnectedWorld.run(connection: .init(maximumTransmissionUnit: 23)) {
            [service(VirtualCharacteristic("FFF1", properties: [.write]))]
        } _: { world in
            #expect(await world.write("FFF1", .counting(count)) == .success(.done))
            #expect(world.characteristic("FFF1").value == .counting(count))
        }
    }

    @Test func `refuse values that are too long`() async throws {
        try await ConnectedWorld.run(connection: .init(maximumTransmissionUnit: 23)) {
            [
                service(
                    VirtualCharacteristic("FFF1", properties: [.write, .writeWithoutResponse], maximumLength: 30))
            ]
        } _: { world in
            #expect(await world.write("FFF1", .counting(31)) == .failure(.att(.invalidAttributeValueLength)))
            #expect(await world.write("FFF1", .counting(513)) == .failure(.att(.invalidAttributeValueLength)))
            guard case .failure(.backend) = await world.write("FFF1", .counting(21), .withoutResponse) else {
                throw UnexpectedReply()
            }
            #expect(await world.write("FFF1", .counting(20), .withoutResponse) == .success(.done))
        }
    }

    @Test func `take one round trip for a short value and one for each packet of a long one`() async throws {
        try await ConnectedWorld.run(connection: .init(interval: .milliseconds(50), maximumTransmissionUnit: 23)) {
            [
                VirtualService("FFF0") {
                    VirtualCharacteristic("FFF1", properties: [.read, .write], value: .counting(10))
                    VirtualCharacteristic("FFF2", properties: [.read, .write], value: .counting(100))
                }
            ]
        } _: { world in
            #expect(await world.duration { _ = await world.read("FFF1") } == .milliseconds(100))
            // 22 bytes come with each answer: four full ones and the rest.
            #expect(await world.duration { _ = await world.read("FFF2") } == .milliseconds(500))
            // 18 bytes go with each prepared write: six of them, and the execution.
            #expect(
                await world.duration { _ = await world.write("FFF2", .counting(100)) } == .milliseconds(700))
        }
    }

    @Test func `written without a response arrive all, in order, at the pace of the link`() async throws {
        try await ConnectedWorld.run(connection: .init(interval: .milliseconds(50), packetsPerEvent: 4)) {
            [service(VirtualCharacteristic("FFF1", properties: [.writeWithoutResponse]))]
        } _: { world in
            let values = (0..<40).map { Bytes([UInt8($0)]) }
            let duration = await world.duration {
                for value in values {
                    #expect(await world.write("FFF1", value, .withoutResponse) == .success(.done))
                }
            }
            // Eight wait in the channel; the others go in with the packets that go out, four at each event.
            #expect(duration == .milliseconds(400))
            try await world.peripheral.wait { $0.characteristic("FFF1")?.writes.count == 40 }
            #expect(
                world.characteristic("FFF1").writes == values.map { VirtualWrite(value: $0, wantsResponse: false) })
        }
    }
}
