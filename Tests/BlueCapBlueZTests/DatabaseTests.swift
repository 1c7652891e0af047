// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import Testing

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct DatabaseTests {
        private static let heart = "0000180d-0000-1000-8000-00805f9b34fb"

        private func linked() async throws -> Stage {
            let stage = try await Stage()
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties()) }
            try await stage.connect()
            return stage
        }

        private func services(_ result: Result<CentralReply, OperationFailure>) throws -> [DiscoveredService] {
            guard case .success(.services(let services)) = result else { throw Unexpected("\(result)") }
            return services
        }

        private func resolve(_ stage: Stage, uuids: [String] = []) async {
            await stage.stub.run {
                $0.set(
                    Stage.device, BlueZInterface.device,
                    ["UUIDs": .strings(uuids), "ServicesResolved": .bool(true)])
            }
        }

        @Test func `discovery waits until BlueZ has resolved the services`() async throws {
            let stage = try await linked()
            let id = await stage.request(.discoverServices(Stage.id, nil))
            await stage.stub.run { $0.addDatabase() }
            try await stage.settle()
            await resolve(stage)
            let found = try services(try await stage.answer(to: id))
            #expect(found == [DiscoveredService(id: AttributeID(handle: 0x10), uuid: "180D")])
        }

        @Test(arguments: [false, true])
        func `services that are announced after they are resolved, and after a battery, are waited for (connect.trace)`(
            hasBattery: Bool
        ) async throws {
            let stage = try await linked()
            let id = await stage.request(.discoverServices(Stage.id, nil))
            await stage.stub.run { stub in
                stub.holdsObjects = true
                if hasBattery { stub.add(Stage.device, [BlueZInterface.battery: ["Percentage": .byte(87)]]) }
                stub.set(Stage.device, BlueZInterface.device, ["ServicesResolved": .bool(true)])
                stub.add(Stage.service, Stage.service(Self.heart))
            }
            let reading = try await stage.stub.call("GetManagedObjects")
            await stage.stub.run { stub in
                stub.addDatabase()
                stub.add(Stage.device + "/service0020", Stage.service("0000180f-0000-1000-8000-00805f9b34fb"))
                reading.reply(stub.managed)
            }
            #expect(try services(try await stage.answer(to: id)).map(\.uuid) == ["180D", "180F"])
        }

        @Test func `services that BlueZ failed to read are a failure, not an empty database`() async throws {
            let stage = try await linked()
            let id = await stage.request(.discoverServices(Stage.id, nil))
            await resolve(stage)
            guard case .failure(.backend(let failure)) = try await stage.answer(to: id) else {
                throw Unexpected("no failure")
            }
            #expect(failure.message == "BlueZ found no services")
            #expect(failure.isTransient)
        }

        @Test func `a database of nothing but what BlueZ keeps to itself is empty`() async throws {
            let stage = try await linked()
            let id = await stage.request(.discoverServices(Stage.id, nil))
            await resolve(stage, uuids: ["00001800-0000-1000-8000-00805f9b34fb"])
            #expect(try services(try await stage.answer(to: id)) == [])
        }

        @Test func `asking for a service that BlueZ keeps to itself says so`() async throws {
            let stage = try await Stage.connected()
            guard case .failure(.backend(let failure)) = try await stage.perform(.discoverServices(Stage.id, ["1800"]))
            else {
                throw Unexpected("no failure")
            }
            #expect(failure.message == "BlueZ keeps the services 1800 and 1801 to itself")
        }

        @Test
        func `attributes that share a UUID are told apart by their handles, and come in their order`() async throws {
            let stage = try await linked()
            await stage.stub.run { stub in
                stub.add(Stage.device + "/service0030", Stage.service(Self.heart))
                let including = Stage.service(Self.heart, includes: [Stage.device + "/service0020"])
                stub.add(Stage.device + "/service0010", including)
                stub.add(Stage.device + "/service0020", Stage.service(Self.heart, isPrimary: false))
            }
            await resolve(stage)
            let found = try services(try await stage.perform(.discoverServices(Stage.id, ["180D"])))
            #expect(found.map(\.id) == [AttributeID(handle: 0x10), AttributeID(handle: 0x30)])
        }

        @Test func `a service that BlueZ calls secondary although none includes it is found`() async throws {
            let stage = try await linked()
            await stage.stub.run {
                $0.add(Stage.device + "/service0010", Stage.service(Self.heart, isPrimary: false))
            }
            await resolve(stage)
            let found = try services(try await stage.perform(.discoverServices(Stage.id, ["180D"])))
            #expect(found.map(\.id) == [AttributeID(handle: 0x10)])
            #expect(found.first?.isPrimary == true)
        }

        @Test func `characteristics, descriptors and included services are those below their object`() async throws {
            let stage = try await Stage.connected()
            await stage.stub.run { stub in
                stub.add(Stage.device + "/service0020", Stage.service(Self.heart, includes: [Stage.service]))
            }
            try await stage.settle()
            #expect(
                try await stage.perform(.discoverCharacteristics(Stage.id, service: AttributeID(handle: 0x10), nil))
                    == .success(
                        .characteristics([
                            DiscoveredCharacteristic(id: Stage.valueID, uuid: "2A37", properties: [.read, .notify]),
                            DiscoveredCharacteristic(
                                id: Stage.controlID, uuid: "2A39", properties: [.read, .write, .writeWithoutResponse]),
                        ])))
            #expect(
                try await stage.perform(.discoverDescriptors(Stage.id, characteristic: Stage.controlID))
                    == .success(.descriptors([DiscoveredDescriptor(id: AttributeID(handle: 0x16), uuid: "2901")])))
            let included = try await stage.perform(
                .discoverIncludedServices(Stage.id, service: AttributeID(handle: 0x20), nil))
            #expect(try services(included).map(\.id) == [AttributeID(handle: 0x10)])
        }

        @Test func `an attribute that is not there any more is a failure that says to discover again`() async throws {
            let stage = try await Stage.connected()
            let result = try await stage.perform(.read(Stage.id, AttributeID(handle: 0x99)))
            guard case .failure(.backend(let failure)) = result else { throw Unexpected("\(result)") }
            #expect(failure.name == ErrorName.unknownObject)
        }

        @Test func `what is asked of a service that is gone is answered when that has been told`() async throws {
            let stage = try await Stage.connected()
            let refused = await stage.request(.read(Stage.id, Stage.valueID))
            let call = try await stage.stub.call("ReadValue")
            await stage.stub.run { stub in
                stub.remove(Stage.value)
                stub.remove(Stage.service)
            }
            try await stage.settle()
            call.call.fail(ErrorName.unknownObject)
            let unknown = await stage.request(.read(Stage.id, Stage.valueID))
            try await stage.settle()
            stage.clock.advance(by: .seconds(1))
            guard case .servicesChanged(Stage.id, _) = try await stage.events.next() else {
                throw Unexpected("no change")
            }
            for id in [refused, unknown] {
                guard case .failure(.backend) = try await stage.answer(to: id) else { throw Unexpected("no failure") }
            }
        }

        @Test func `services that come and go are told once they rest (service-changed.trace)`() async throws {
            let stage = try await Stage.connected()
            await stage.stub.run { stub in
                stub.remove(Stage.value)
                stub.remove(Stage.service)
                stub.add(Stage.device + "/service0020", Stage.service(Self.heart))
            }
            try await stage.settle()
            stage.clock.advance(by: .milliseconds(150))
            guard case .servicesChanged(Stage.id, let changed) = try await stage.events.next() else {
                throw Unexpected("no change")
            }
            #expect(changed == [AttributeID(handle: 0x10), AttributeID(handle: 0x20)])
        }

        @Test
        func `services that are gone are told when BlueZ has had the time to read what there is instead`() async throws
        {
            let stage = try await Stage.connected()
            await stage.stub.run { $0.remove(Stage.service) }
            try await stage.settle()
            stage.clock.advance(by: .milliseconds(900))
            await stage.stub.run { $0.add(Stage.device + "/service0020", Stage.service(Self.heart)) }
            try await stage.settle()
            let id = await stage.request(.discoverServices(Stage.id, nil))
            stage.clock.advance(by: .milliseconds(150))
            guard case .servicesChanged = try await stage.events.next() else { throw Unexpected("no change") }
            #expect(try services(try await stage.answer(to: id)).map(\.id) == [AttributeID(handle: 0x20)])
        }

        @Test
        func `a service that BlueZ calls secondary is one only if another includes it (service-changed.trace)`()
            async throws
        {
            let stage = try await Stage.connected()
            await stage.stub.run { stub in
                let included = Stage.device + "/service0030"
                stub.add(
                    Stage.device + "/service0020", Stage.service(Self.heart, isPrimary: false, includes: [included]))
                stub.add(included, Stage.service(Self.heart, isPrimary: false))
            }
            try await stage.settle()
            stage.clock.advance(by: .milliseconds(150))
            guard case .servicesChanged = try await stage.events.next() else { throw Unexpected("no change") }
            let found = try services(try await stage.perform(.discoverServices(Stage.id, nil)))
            #expect(found.map(\.id) == [AttributeID(handle: 0x10), AttributeID(handle: 0x20)])
            let included = try await stage.perform(
                .discoverIncludedServices(Stage.id, service: AttributeID(handle: 0x20), nil))
            #expect(try services(included).map(\.isPrimary) == [false])
        }

        @Test
        func `a cache that proves wrong is read anew: the change is told when the services are resolved again`()
            async throws
        {
            let stage = try await Stage.connected()
            let device = BlueZInterface.device
            await stage.stub.run { stub in
                stub.set(Stage.device, device, ["ServicesResolved": .bool(false)])
                stub.remove(Stage.service)
                stub.add(Stage.device + "/service0020", Stage.service(Self.heart))
            }
            try await stage.settle()
            await stage.stub.run { $0.set(Stage.device, device, ["ServicesResolved": .bool(true)]) }
            guard case .servicesChanged = try await stage.events.next() else { throw Unexpected("no change") }
            #expect(
                try services(try await stage.perform(.discoverServices(Stage.id, nil))).map(\.id) == [
                    AttributeID(handle: 0x20)
                ])
        }

        @Test func `discovery during a change waits for its end`() async throws {
            let stage = try await Stage.connected()
            let device = BlueZInterface.device
            await stage.stub.run { $0.set(Stage.device, device, ["ServicesResolved": .bool(false)]) }
            try await stage.settle()
            let id = await stage.request(.discoverServices(Stage.id, nil))
            try await stage.settle()
            await stage.stub.run { $0.set(Stage.device, device, ["ServicesResolved": .bool(true)]) }
            #expect(try services(try await stage.answer(to: id)).count == 1)
        }

        @Test func `a battery that BlueZ keeps to itself is shown as the service that it is`() async throws {
            let stage = try await Stage.connected()
            await stage.stub.run { $0.add(Stage.device, [BlueZInterface.battery: ["Percentage": .byte(87)]]) }
            try await stage.settle()
            let service = try #require(
                try services(try await stage.perform(.discoverServices(Stage.id, ["180F"]))).first)
            #expect(service.id.rawValue >= 0x1_0000)
            let result = try await stage.perform(.discoverCharacteristics(Stage.id, service: service.id, nil))
            guard case .success(.characteristics(let found)) = result else { throw Unexpected("\(result)") }
            let level = try #require(found.first)
            #expect(level.uuid == "2A19")
            #expect(level.properties == [.read, .notify])
            #expect(try await stage.perform(.read(Stage.id, level.id)) == .success(.value([87])))
            #expect(try await stage.perform(.setNotifying(Stage.id, level.id, true, .standard)) == .success(.done))
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.battery, ["Percentage": .byte(86)]) }
            try await #expect(stage.events.value() == [86])
            #expect(try await stage.perform(.setNotifying(Stage.id, level.id, false, .standard)) == .success(.done))
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.battery, ["Percentage": .byte(85)]) }
            try await stage.settle()
        }

        @Test func `a battery service that BlueZ shows is used as it is (battery.trace)`() async throws {
            let stage = try await Stage.connected()
            await stage.stub.run { stub in
                stub.add(Stage.device, [BlueZInterface.battery: ["Percentage": .byte(87)]])
                stub.add(Stage.device + "/service0020", Stage.service("0000180f-0000-1000-8000-00805f9b34fb"))
            }
            try await stage.settle()
            stage.clock.advance(by: .milliseconds(150))
            guard case .servicesChanged = try await stage.events.next() else { throw Unexpected("no change") }
            let found = try services(try await stage.perform(.discoverServices(Stage.id, ["180F"])))
            #expect(found.map(\.id) == [AttributeID(handle: 0x20)])
        }

        @Test func `the MTU is told when a characteristic tells it`() async throws {
            let stage = try await Stage.connected()
            await stage.stub.run { $0.set(Stage.value, BlueZInterface.characteristic, ["MTU": .uint16(185)]) }
            guard case .maximumTransmissionUnitChanged(Stage.id, 185) = try await stage.events.next() else {
                throw Unexpected("no MTU")
            }
        }

        @Test func `connected peripherals are found by a service, advertised or resolved`() async throws {
            let stage = try await Stage.connected()
            for (service, count) in [("180D", 1), ("1234", 0)] as [(BluetoothUUID, Int)] {
                let result = try await stage.perform(.retrieveConnected(services: [service]))
                guard case .success(.peripherals(let found)) = result else { throw Unexpected("\(result)") }
                #expect(found.count == count)
            }
        }
    }
}
#endif
