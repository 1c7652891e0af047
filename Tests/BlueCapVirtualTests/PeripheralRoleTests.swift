// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("A peripheral role on a virtual adapter", .timeLimit(.minutes(60)))
struct PeripheralRoleTests {
    private static let first = AdvertisementID(rawValue: 1)

    @Test func `is sighted by another adapter with what it advertises, and not by its own`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let server = await ServerRecorder.on(radio.peripheral())
            let advertisement = Advertisement(
                localName: "Ours", serviceUUIDs: ["180F"], serviceData: ["180F": [7]], manufacturerData: [76: [1, 2]],
                appearance: 0x341)
            await server.perform(.advertise(Self.first, advertisement))
            let own = await Recorder.on(radio.central(on: radio.adapter(address: RolesWorld.address.text)))
            let other = await Recorder.on(radio.central())
            await own.scan(ScanRequest())
            await other.scan(ScanRequest())
            let sighting = try #require(await other.sighting(of: "Ours"))
            #expect(sighting.peripheral == RolesWorld.address)
            #expect(sighting.advertisements.serviceUUIDs == ["180F"])
            #expect(sighting.advertisements.serviceData == ["180F": [7]])
            #expect(sighting.advertisements.manufacturerData == [76: [1, 2]])
            #expect(sighting.advertisements.appearance == 0x341)
            #expect(sighting.advertisements.isConnectable == true)
            // The adapter's own central listens all the time: it hears a device that begins to advertise after this.
            radio.add(VirtualPeripheral(name: "Later"))
            _ = try #require(await own.sighting(of: "Later"))
            let names = await own.entries.compactMap { entry in
                if case .sighted(let sighting) = entry.event { sighting.advertisements.localName } else { nil }
            }
            #expect(Set(names) == ["Later"])
        }
    }

    @Test func `says something else at once when its advertisement is updated`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let server = await ServerRecorder.on(radio.peripheral())
            await server.perform(.advertise(Self.first, Advertisement(localName: "Before")))
            let central = await Recorder.on(radio.central())
            await central.scan(ScanRequest())
            _ = await central.sighting(of: "Before")
            await server.perform(.updateAdvertisement(Self.first, Advertisement(localName: "After")))
            #expect(await central.sighting(of: "After")?.peripheral == RolesWorld.address)
        }
    }

    @Test func `ends an advertisement when its time is over`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let manager = PeripheralManager(backend: radio.peripheral(), configuration: .init(clock: radio.clock))
            try await manager.whenPoweredOn()
            var events = manager.advertisingEvents().makeAsyncIterator()
            try await manager.startAdvertising(Advertisement(localName: "Short", timeout: .seconds(3)))
            let start = radio.clock.elapsed
            #expect(await events.next()?.kind == .started)
            #expect(await events.next()?.kind == .ended(.timeOver))
            #expect(radio.clock.elapsed - start == .seconds(3))
        }
    }

    @Test(arguments: [0, 22, 512])
    func `is asked for each read, and its answer reaches the central, long values too`(count: Int) async throws {
        try await RolesWorld.run(handler: { _ in .success(.counting(count)) }) { world in
            let reply = await world.central.perform(.read(RolesWorld.address, world.value))
            #expect(reply == .success(.value(.counting(count))))
            let access = try #require(await world.server.nextAccess())
            #expect(access.attribute == RolesWorld.characteristic)
            #expect(access.central?.identifier == "00:00:5E:00:53:01")
        }
    }

    @Test func `refuses a read and a write with its own error`() async throws {
        try await RolesWorld.run(handler: { _ in .failure(.outOfRange) }) { world in
            let read = await world.central.perform(.read(RolesWorld.address, world.value))
            let write = await world.central.perform(.write(RolesWorld.address, world.value, [1], .withResponse))
            #expect(read == .failure(.att(.outOfRange)))
            #expect(write == .failure(.att(.outOfRange)))
        }
    }

    @Test(arguments: [
        (WriteKind.withResponse, 1, WriteRequestKind.request), (.withoutResponse, 1, .command),
        (.withResponse, 300, .prepared),
    ])
    func `is told how a value was written`(kind: WriteKind, count: Int, expected: WriteRequestKind) async throws {
        let adapter = VirtualAdapter.Configuration(maximumTransmissionUnit: 100)
        try await RolesWorld.run(properties: [.write, .writeWithoutResponse], adapter: adapter) { world in
            _ = await world.central.perform(.write(RolesWorld.address, world.value, .counting(count), kind))
            let access = try #require(await world.server.nextAccess())
            #expect(access.kind == .write(.counting(count), offset: 0, expected))
        }
    }

    @Test func `is not asked for what its permissions forbid`() async throws {
        try await RolesWorld.run(permissions: []) { world in
            let read = await world.central.perform(.read(RolesWorld.address, world.value))
            let write = await world.central.perform(.write(RolesWorld.address, world.value, [1], .withResponse))
            #expect(read == .failure(.att(.readNotPermitted)))
            #expect(write == .failure(.att(.writeNotPermitted)))
            #expect(await !world.server.events.contains { if case .access = $0 { true } else { false } })
        }
    }

    @Test func `learns of a subscription, sends values in order, and learns of its end`() async throws {
        try await RolesWorld.run { world in
            _ = await world.central.perform(.setNotifying(RolesWorld.address, world.value, true, .standard))
            let subscribed = await world.server.next { if case .subscribed = $0 { true } else { false } }
            if case .subscribed(let attribute, let central) = subscribed {
                #expect(attribute == RolesWorld.characteristic)
                #expect(central.maximumUpdateLength == 514)
            }
            for number in 0..<100 as Range<UInt8> {
                let failure = await world.server.perform(.update(RolesWorld.characteristic, [number], central: nil))
                #expect(failure == nil)
            }
            var received: [Bytes] = []
            while received.count < 100 {
                let entry = await world.central.next { if case .valueChanged = $0 { true } else { false } }
                if case .valueChanged(_, _, let value) = entry.event { received.append(value) }
            }
            #expect(received == (0..<100).map { [UInt8($0)] })
            _ = await world.central.perform(.setNotifying(RolesWorld.address, world.value, false, .standard))
            _ = await world.server.next { if case .unsubscribed = $0 { true } else { false } }
            let late = await world.server.perform(.update(RolesWorld.characteristic, [1], central: nil))
            #expect(late == .disconnected)
        }
    }

    @Test func `is answered for an indication when the central has confirmed it`() async throws {
        try await RolesWorld.run(properties: [.indicate]) { world in
            _ = await world.central.perform(.setNotifying(RolesWorld.address, world.value, true, .standard))
            let failure = await world.server.perform(.update(RolesWorld.characteristic, [5], central: nil))
            #expect(failure == nil)
            let isThere = await world.central.entries.contains {
                if case .valueChanged(_, _, [5]) = $0.event { true } else { false }
            }
            #expect(isThere)
        }
    }

    @Test func `is told that an access is void and a subscription over when the central leaves`() async throws {
        try await RolesWorld.run(properties: [.writeWithoutResponse, .notify], handler: { _ in nil }) { world in
            _ = await world.central.perform(.setNotifying(RolesWorld.address, world.value, true, .standard))
            _ = await world.central.perform(.write(RolesWorld.address, world.value, [1], .withoutResponse))
            let access = try #require(await world.server.nextAccess())
            await world.central.disconnect(RolesWorld.address)
            _ = await world.server.next { if case .accessCancelled(access.id) = $0 { true } else { false } }
            _ = await world.server.next { if case .unsubscribed = $0 { true } else { false } }
            await world.server.respond(to: access.id, .success([]))
        }
    }

    @Test func `adds and removes services while a central is connected, which learns of it`() async throws {
        try await RolesWorld.run { world in
            await world.server.perform(.add(RolesWorld.service(id: 10, [.read], .readable)))
            _ = await world.central.next { if case .servicesChanged(_, []) = $0 { true } else { false } }
            let two = try await world.central.services(of: RolesWorld.address)
            #expect(two.count == 2)
            await world.server.perform(.remove(AttributeID(rawValue: 1)))
            _ = await world.central.next {
                if case .servicesChanged(_, let gone?) = $0 { !gone.isEmpty } else { false }
            }
            let one = try await world.central.services(of: RolesWorld.address)
            #expect(one.count == 1)
        }
    }

    @Test(arguments: [false, true])
    func `keeps what it was told over a power-off, and forgets it when the adapter is taken away`(isTakenAway: Bool)
        async throws
    {
        try await RolesWorld.run { world in
            let adapter = world.radio.adapter(address: RolesWorld.address.text)
            if isTakenAway { adapter.unplug() } else { adapter.powerOff() }
            adapter.powerOn()
            _ = await world.server.next { if case .stateChanged(.poweredOn, _) = $0 { true } else { false } }
            let isLost = await world.server.events.contains { if case .registrationsLost = $0 { true } else { false } }
            #expect(isLost == isTakenAway)
            let stop = await world.server.perform(.stopAdvertising(Self.first))
            #expect((stop == nil) == !isTakenAway)
        }
    }
}
