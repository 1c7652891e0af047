// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapCore
import BlueCapRuntime
import BlueCapVirtual
import Testing

@testable import BlueCapESPHome

@Suite("Advertisements of a proxy", .timeLimit(.minutes(60)))
struct ProxyAdvertisementsTests {
    /// How often the device was heard since the last call.
    private func count(_ client: ProxyTestClient, of address: UInt64 = ProxyScene.address) -> Int {
        client.taken(RawAdvertisementsResponse.self).flatMap(\.advertisements).filter { $0.address == address }.count
    }

    /// Lets time pass, in which a client says that it is there.
    private func pass(_ duration: Duration, _ client: ProxyTestClient, _ scene: ProxyScene) async throws {
        var left = duration
        while left > .zero {
            await client.send(PingRequest())
            try await scene.pass(min(left, .seconds(60)))
            left -= .seconds(60)
        }
    }

    @Test func `end with the last that was heard, and the loss of the device is none`() async throws {
        try await ProxyScene.run { scene in
            let client = try await scene.listener()
            scene.device.vanish()
            try await pass(.seconds(1), client, scene)
            _ = count(client)
            for _ in 0..<20 {
                try await pass(.seconds(10), client, scene)
                #expect(count(client) == 0)
            }
            scene.device.reappear()
            try await pass(.seconds(10), client, scene)
            #expect(count(client) > 0)
        }
    }

    @Test func `of a platform that reports once are repeated for as long as clients would believe them`() async throws {
        try await ProxyScene.runReportingOnce { scene, _ in
            let client = try await scene.listener()
            for _ in 0..<4 {
                try await pass(.seconds(45), client, scene)
                // Home Assistant takes a proxy for stuck after 90 seconds, and a device for gone after 195.
                #expect((1...2).contains(count(client)))
            }
            try await pass(.seconds(60), client, scene)
            _ = count(client)
            try await pass(.seconds(600), client, scene)
            #expect(count(client) == 0)
            // A change is news, and begins the time anew.
            scene.device.changeAdvertisement(to: VirtualAdvertising(data: PeripheralAdvertisements(localName: "Other")))
            try await pass(.seconds(45), client, scene)
            #expect(count(client) == 2)
        }
    }

    @Test func `are not repeated where absences show, nor after the radio was off`() async throws {
        try await ProxyScene.runReportingOnce { scene, backend in
            let client = try await scene.listener()
            await backend.report(once: false)
            scene.device.vanish()
            try await pass(.seconds(1), client, scene)
            _ = count(client)
            try await pass(.seconds(600), client, scene)
            #expect(count(client) == 0)
            await backend.report(once: true)
            scene.device.reappear()
            try await pass(.seconds(50), client, scene)
            #expect(count(client) == 2)
            scene.device.vanish()
            scene.adapter.powerOff()
            try await pass(.seconds(1), client, scene)
            scene.adapter.powerOn()
            try await pass(.seconds(100), client, scene)
            #expect(count(client) == 0)
        }
    }

    @Test func `have the type of address that the platform knows`() async throws {
        let name: UInt64 = 0x04DE_0000_0007
        try await ProxyScene.run { scene in
            scene.radio.add(VirtualPeripheral(name: "Lamp", address: "04:DE:00:00:00:07"))
            let client = try await scene.opened()
            await client.send(SubscribeAdvertisementsRequest())
            try await scene.pass(.seconds(5))
            let heard = client.taken(RawAdvertisementsResponse.self).flatMap(\.advertisements)
            #expect(heard.first { $0.address == name }?.addressType == 1)
        }
    }

    @Test(arguments: [("C0:11:22:33:44:55", 1), ("51:11:22:33:44:55", 1), ("04:DE:00:00:00:07", 0), ("A4:C1", 1)])
    func `have a type by the first bits of the address where no platform knows it`(text: String, type: UInt32) {
        let address = DeviceAddress(PeerIdentifier(text))
        #expect(address.type(isRandom: nil) == type)
        #expect(address.type(isRandom: true) == 1 && address.type(isRandom: false) == 0)
    }

    @Test func `of more devices than there is room for are kept for those that were reported last`() {
        var heard = HeardDevices()
        for number in 0..<HeardDevices.capacity + 10 {
            heard.hear(Self.advertisement(UInt64(number)), of: PeripheralAdvertisements(), at: .milliseconds(number))
        }
        heard.hear(Self.advertisement(10), of: PeripheralAdvertisements(), at: .seconds(20))
        heard.lose(11)
        heard.lose(11)
        #expect(heard.count == HeardDevices.capacity - 1)
        #expect(heard.due(at: .seconds(30)).isEmpty)
        let due = heard.due(at: .seconds(40)).map(\.address)
        #expect(due == (12..<UInt64(HeardDevices.capacity) + 10).map(\.self))
        #expect(heard.due(at: .seconds(49)).isEmpty)
        #expect(heard.due(at: .seconds(50)).map(\.address) == [10])
        #expect(heard.due(at: .seconds(300)).isEmpty && heard.count == 0)
    }

    @Test func `are written once for as long as a device says the same`() {
        var heard = HeardDevices()
        let fields = PeripheralAdvertisements(localName: "Sensor")
        #expect(heard.data(of: 7, fields) == nil)
        heard.hear(Self.advertisement(7, [1, 2]), of: fields, at: .zero)
        #expect(heard.data(of: 7, fields) == [1, 2])
        #expect(heard.data(of: 8, fields) == nil)
        var changed = fields
        changed.localName = "Other"
        #expect(heard.data(of: 7, changed) == nil)
        heard.hear(Self.advertisement(7, [3]), of: changed, at: .seconds(1))
        #expect(heard.data(of: 7, changed) == [3])
        #expect(heard.data(of: 7, fields) == nil)
    }

    private static func advertisement(_ address: UInt64, _ data: [UInt8] = []) -> RawAdvertisement {
        var advertisement = RawAdvertisement()
        (advertisement.address, advertisement.data) = (address, data)
        return advertisement
    }
}
#endif
