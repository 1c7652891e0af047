// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@testable import BlueCapESPHome

@Suite("A proxy", .timeLimit(.minutes(60)))
struct ProxyServerTests {
    @Test(arguments: [nil, ProxyScene.key])
    func `introduces itself, with a key and without`(key: NoiseKey?) async throws {
        try await ProxyScene.run(key: key) { scene in
            let client = scene.client()
            await client.open()
            let hello = try await client.next(HelloResponse.self)
            #expect(hello.majorVersion == 1 && hello.name == "cellar")
            #expect(try await !client.next(AuthenticationResponse.self).isInvalid)
            await client.send(DeviceInfoRequest())
            let info = try await client.next(DeviceInfoResponse.self)
            #expect(info.name == "cellar" && info.friendlyName == "Cellar" && info.isEncrypted == (key != nil))
            #expect(info.address.hasPrefix("02:") && info.bluetoothAddress == scene.adapter.address)
            #expect(info.projectName.contains(".") && info.proxyFeatures == 0x3F)
            await client.send(CapabilitiesRequest())
            #expect(try await client.next(CapabilitiesResponse.self).proxy?.features == 0x3F)
            await client.send(ListEntitiesRequest())
            _ = try await client.next(ListEntitiesDoneResponse.self)
            await client.send(PingRequest())
            _ = try await client.next(PingResponse.self)
            await client.send(SetKeyRequest())
            #expect(try await !client.next(SetKeyResponse.self).isSet)
            await client.send(DisconnectRequest())
            _ = try await client.next(DisconnectResponse.self)
            #expect(client.isClosed)
            #expect(scene.events.withLock { $0 } == [.joined("test"), .left("test")])
        }
    }

    @Test func `passes on what it hears, to each client that listens`() async throws {
        try await ProxyScene.run(key: ProxyScene.key) { scene in
            let first = try await scene.listener()
            #expect(try await first.next(ScannerStateResponse.self).state == 2)
            let second = try await scene.listener()
            _ = first.taken(RawAdvertisementsResponse.self)
            try await scene.pass(.seconds(5))
            let messages = first.taken(RawAdvertisementsResponse.self)
            #expect(messages.allSatisfy { (1...16).contains($0.advertisements.count) })
            #expect(messages.count >= 40)
            let heard = try #require(messages.flatMap(\.advertisements).first { $0.address == ProxyScene.address })
            #expect(heard.addressType == 1 && (-100...0).contains(heard.rssi))
            #expect(PeripheralAdvertisements(packets: [Bytes(heard.data)]).localName == "Strap")
            await first.send(UnsubscribeAdvertisementsRequest())
            _ = first.taken(RawAdvertisementsResponse.self)
            _ = second.taken(RawAdvertisementsResponse.self)
            try await scene.pass(.seconds(2))
            #expect(first.taken(RawAdvertisementsResponse.self).isEmpty)
            #expect(!second.taken(RawAdvertisementsResponse.self).isEmpty)
            await second.leave()
            #expect(await scene.server.counts.droppedAdvertisements == 0)
        }
    }

    @Test func `connects, reads, writes, listens and lets go`() async throws {
        try await ProxyScene.run(key: ProxyScene.key) { scene in
            let (client, address) = (try await scene.listener(), ProxyScene.address)
            await client.send(SubscribeSlotsRequest())
            #expect(try await client.next(SlotsResponse.self).free == 3)
            let up = try await client.connect(address)
            #expect(up.isConnected && up.maximumTransmissionUnit >= 23 && up.error == 0)
            #expect(try await client.next(SlotsResponse.self).allocated == [address])
            #expect(try await client.connect(address).isConnected)
            let services = try await client.services(address)
            #expect(services.map(\.shortUUID) == [0x180D, 0x180F, 0])
            #expect(services[2].uuid == [0x1234_5678_1234_5678, 0x1234_5678_1234_5678])
            let all = services.flatMap(\.characteristics)
            #expect(all.map(\.shortUUID) == [0x2A37, 0x2A39, 0x2A19, 0])
            #expect(
                all.filter { $0.properties & 0x30 != 0 }.allSatisfy {
                    $0.descriptors.contains { $0.shortUUID == 0x2902 }
                })
            #expect(all[3].descriptors.contains { $0.shortUUID == 0x2901 })
            let handles = services.map(\.handle) + all.map(\.handle) + all.flatMap(\.descriptors).map(\.handle)
            #expect(Set(handles).count == handles.count && !handles.contains(0))

            await client.read(address, all[2].handle)
            #expect(try await client.next(ReadResponse.self).data == [97])
            var write = WriteRequest()
            (write.address, write.handle, write.data, write.needsResponse) = (address, all[1].handle, [5], true)
            await client.send(write)
            #expect(try await client.next(WriteResponse.self).handle == all[1].handle)
            #expect(scene.device.characteristic("2A39")?.value == [5])
            (write.data, write.needsResponse) = ([6], false)
            await client.send(write)
            _ = try await client.next(WriteResponse.self)

            var notify = NotifyRequest()
            (notify.address, notify.handle, notify.isOn) = (address, all[0].handle, true)
            await client.send(notify)
            #expect(try await client.next(NotifyResponse.self).handle == all[0].handle)
            var configuration = WriteDescriptorRequest()
            (configuration.address, configuration.data) = (address, [1, 0])
            configuration.handle = try #require(all[0].descriptors.first { $0.shortUUID == 0x2902 }).handle
            await client.send(configuration)
            #expect(try await client.next(WriteResponse.self).handle == configuration.handle)
            scene.device.characteristic("2A37")?.update(Bytes([0, 60]))
            #expect(try await client.next(NotifiedValueResponse.self).data == [0, 60])
            var reading = ReadDescriptorRequest()
            (reading.address, reading.handle) = (address, configuration.handle)
            await client.send(reading)
            #expect(try await client.next(ReadResponse.self).data == [1, 0])
            reading.handle = try #require(all[3].descriptors.first { $0.shortUUID == 0x2901 }).handle
            await client.send(reading)
            #expect(try await client.next(ReadResponse.self).data == [0x68, 0x69])
            notify.isOn = false
            await client.send(notify)
            _ = try await client.next(NotifyResponse.self)
            try await scene.pass(.seconds(1))
            scene.device.characteristic("2A37")?.update(Bytes([0, 61]))
            try await scene.pass(.seconds(1))
            #expect(client.taken(NotifiedValueResponse.self).isEmpty)

            await client.request(address, .clearCache)
            #expect(try await client.next(ClearCacheResponse.self).isDone)
            _ = client.taken(SlotsResponse.self)
            await client.request(address, .disconnect)
            #expect(try await !client.next(DeviceConnectionResponse.self).isConnected)
            #expect(try await client.next(SlotsResponse.self).free == 3)
            #expect(scene.device.connectionCount == 0)
            await client.request(address, .disconnect)
            #expect(try await !client.next(DeviceConnectionResponse.self).isConnected)
        }
    }

    @Test func `has the same handles after a restart, for a client that asks for none`() async throws {
        try await ProxyScene.run { scene in
            let (client, address) = (try await scene.listener(), ProxyScene.address)
            _ = try await client.connect(address)
            let services = try await client.services(address)
            let level = try #require(services.flatMap(\.characteristics).first { $0.shortUUID == 0x2A19 })
            await client.leave()
            try await scene.pass(.seconds(10))
            let adapter = scene.radio.adapter(address: "00:00:5E:00:53:02")
            let server = ProxyScene.server(scene.radio, adapter)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await server.run() }
                defer { group.cancelAll() }
                let later = ProxyTestClient(server, clock: scene.radio.clock)
                await later.open()
                await later.send(SubscribeAdvertisementsRequest())
                _ = try await later.next(RawAdvertisementsResponse.self)
                try await scene.pass(.seconds(1))
                #expect(try await later.connect(address, hasCache: true).isConnected)
                await later.read(address, level.handle)
                #expect(try await later.next(ReadResponse.self).data == [97])
                #expect(try await later.services(address) == services)
            }
        }
    }

    @Test func `gives older clients whole identifiers`() async throws {
        try await ProxyScene.run { scene in
            _ = try await scene.listener()
            let client = try await scene.opened(minorVersion: 10)
            _ = try await client.connect(ProxyScene.address)
            let services = try await client.services(ProxyScene.address)
            #expect(services[0].uuid == [0x0000_180D_0000_1000, 0x8000_0080_5F9B_34FB])
            #expect(services.allSatisfy { $0.shortUUID == 0 && $0.uuid.count == 2 })
        }
    }

    @Test func `keeps a link for the client that made it, and ends it with the client`() async throws {
        try await ProxyScene.run { scene in
            let (owner, address) = (try await scene.listener(), ProxyScene.address)
            let other = try await scene.opened()
            await other.send(SubscribeSlotsRequest())
            #expect(try await owner.connect(address).isConnected)
            let handle = try #require(try await owner.services(address).flatMap(\.characteristics).last).handle
            #expect(try await !other.connect(address).isConnected)
            await other.read(address, handle)
            #expect(try await other.next(ErrorResponse.self).error == -1)
            await other.request(address, .disconnect)
            #expect(try await !other.next(DeviceConnectionResponse.self).isConnected)
            #expect(scene.device.connectionCount == 1)
            _ = other.taken(SlotsResponse.self)
            await owner.leave()
            #expect(try await other.next(SlotsResponse.self).free == 3)
            try await scene.pass(.seconds(1))
            #expect(scene.device.connectionCount == 0)
            #expect(try await other.connect(address).isConnected)
        }
    }

    @Test func `has so many slots`() async throws {
        try await ProxyScene.run(slots: 1) { scene in
            let client = try await scene.listener()
            await client.request(0xC0DE_0000_0009, .connectWithoutCache)
            #expect(try await !client.connect(ProxyScene.address).isConnected)
        }
        try await ProxyScene.run(slots: 0) { scene in
            let client = try await scene.listener()
            await client.send(DeviceInfoRequest())
            #expect(try await client.next(DeviceInfoResponse.self).proxyFeatures == 0x21)
            #expect(try await !client.connect(ProxyScene.address).isConnected)
        }
    }

    @Test func `gives up a device that is not there, and frees its slot`() async throws {
        try await ProxyScene.run { scene in
            let client = try await scene.listener()
            await client.send(SubscribeSlotsRequest())
            scene.device.vanish()
            let failed = try await client.connect(ProxyScene.address)
            #expect(!failed.isConnected && failed.error == 0x3E)
            #expect(client.taken(SlotsResponse.self).last?.free == 3)
            let unknown = try await client.connect(0xC0DE_0000_0009)
            #expect(!unknown.isConnected && unknown.error == 0x3E)
            scene.device.reappear()
            #expect(try await client.connect(ProxyScene.address).isConnected)
        }
    }

    @Test func `lets an attempt go that its client gives up`() async throws {
        try await ProxyScene.run { scene in
            let client = try await scene.listener()
            scene.device.vanish()
            await client.request(ProxyScene.address, .connectWithoutCache)
            try await scene.pass(.seconds(1))
            await client.request(ProxyScene.address, .disconnect)
            let ended = try await client.next(DeviceConnectionResponse.self, within: .seconds(6))
            #expect(!ended.isConnected && ended.error == 0x16)
        }
    }

    @Test func `reports the end of a link, of the radio, and of a database`() async throws {
        try await ProxyScene.run { scene in
            let (client, address) = (try await scene.listener(), ProxyScene.address)
            #expect(try await client.connect(address).isConnected)
            scene.device.disconnect()
            #expect(try await client.next(DeviceConnectionResponse.self) == Self.ended(address, 0x08))
            #expect(try await client.connect(address).isConnected)
            scene.device.changeServices(to: [])
            #expect(try await !client.next(DeviceConnectionResponse.self).isConnected)
            #expect(try await client.connect(address).isConnected)
            _ = client.taken(ScannerStateResponse.self)
            scene.adapter.powerOff()
            #expect(try await client.next(DeviceConnectionResponse.self) == Self.ended(address, 0x08))
            #expect(try await client.next(ScannerStateResponse.self).state == 3)
            scene.adapter.powerOn()
            #expect(try await client.next(ScannerStateResponse.self).state == 2)
            _ = client.taken(RawAdvertisementsResponse.self)
            _ = try await client.next(RawAdvertisementsResponse.self)
            #expect(try await client.connect(address).isConnected)
            let events = scene.events.withLock { $0 }
            #expect(events.contains(.radioLost(.poweredOff)) && events.contains(.radioReturned))
        }
    }

    private static func ended(_ address: UInt64, _ error: Int32) -> DeviceConnectionResponse {
        var response = DeviceConnectionResponse()
        (response.address, response.error) = (address, error)
        return response
    }

    @Test func `says nothing rather than a part of a database`() async throws {
        try await ProxyScene.run { scene in
            let (client, address) = (try await scene.listener(), ProxyScene.address)
            #expect(try await client.connect(address, hasCache: true).isConnected)
            scene.device.mute()
            var request = ServicesRequest()
            request.address = address
            await client.send(request)
            _ = try await client.next(DeviceConnectionResponse.self, within: .seconds(120))
            #expect(client.taken(ServicesDoneResponse.self).isEmpty && client.taken(ServicesResponse.self).isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `ends a link whose database has changed meanwhile for clients that have kept it`(hasCache: Bool) async throws {
        try await ProxyScene.run { scene in
            let (client, address) = (try await scene.listener(), ProxyScene.address)
            #expect(try await client.connect(address).isConnected)
            await client.request(address, .disconnect)
            #expect(try await !client.next(DeviceConnectionResponse.self).isConnected)
            scene.device.changeServices(to: ProxyScene.services() + [VirtualService("180A") {}])
            #expect(try await client.connect(address, hasCache: hasCache).isConnected)
            try await scene.pass(.seconds(5))
            #expect(client.taken(DeviceConnectionResponse.self).count == (hasCache ? 1 : 0))
            if !hasCache { #expect(try await client.services(address).last?.shortUUID == 0x180A) }
        }
    }

    @Test func `pairs and unpairs`() async throws {
        try await ProxyScene.run { scene in
            let (client, address) = (try await scene.listener(), ProxyScene.address)
            await client.request(address, .unpair)
            let none = try await client.next(UnpairingResponse.self)
            #expect(!none.isDone && none.error == -1)
            await client.request(address, .pair)
            #expect(try await client.next(PairingResponse.self).error == -1)
            #expect(try await client.connect(address).isConnected)
            await client.request(address, .pair)
            #expect(try await client.next(PairingResponse.self).isDone)
            let other = try await scene.opened()
            await other.request(address, .unpair)
            #expect(try await !other.next(UnpairingResponse.self).isDone)
            _ = client.taken(RawAdvertisementsResponse.self)
            await client.send(UnsubscribeAdvertisementsRequest())
            await client.request(address, .unpair)
            try await scene.pass(.seconds(10))
            // The end of the link before the answer would be a failure of the request.
            let numbers = client.numbers.filter { $0 != RawAdvertisementsResponse.number }
            #expect(numbers.suffix(2) == [UnpairingResponse.number, DeviceConnectionResponse.number])
            let answer = try await client.next(UnpairingResponse.self)
            #expect(answer.isDone)
            // In one piece, before the client can begin its next request.
            let end = try await client.next(DeviceConnectionResponse.self)
            #expect(client.pieces.contains(Frame.clear(answer.raw).bytes + Frame.clear(end.raw).bytes))
        }
    }

    @Test func `ends its links with itself`() async throws {
        try await VirtualRadio.run { radio in
            let scene = ProxyScene(radio, key: nil, slots: 3)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await scene.server.run() }
                let client = try await scene.listener()
                #expect(try await client.connect(ProxyScene.address).isConnected)
                group.cancelAll()
                try await group.next()
                #expect(client.isClosed)
                try await scene.pass(.seconds(6))
                #expect(scene.device.connectionCount == 0)
            }
        }
    }
}
#endif
