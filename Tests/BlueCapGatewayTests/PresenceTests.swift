// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@testable import BlueCapGateway

@Suite("A gateway that publishes the presence of devices", .timeLimit(.minutes(60)))
struct PresenceTests {
    private static let keys = "bluecap/cellar/c0de00000001/availability"
    private static let beacon = "9a9c8cbd-3c69-4e0d-9d5a-e8a2d9e2c4b1_1_7"

    /// A gateway in simulated time that hears one device.
    private func run(
        _ data: PeripheralAdvertisements, _ rules: [GatewayRule], kept: [BrokerMessage] = [],
        _ body: @escaping @Sendable (VirtualRadio, VirtualPeripheral, PublishedMessages) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let messages = PublishedMessages()
            let device = VirtualPeripheral(
                name: "Keys", address: "C0:DE:00:00:00:01", advertising: VirtualAdvertising(data: data))
            radio.add(device)
            let central = CentralManager(backend: radio.central(), configuration: .init(clock: radio.clock))
            var plan = GatewayPlan(name: "cellar")
            plan.rules = GatewayRules(rules)
            let gateway = DeviceGateway(plan, publisher: messages, clock: radio.clock)
            for message in kept { await gateway.find(message) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await LastingScan(central: central, gateway: gateway, clock: radio.clock).run() }
                group.addTask {
                    while !Task.isCancelled {
                        try await radio.clock.sleep(for: .seconds(1))
                        await gateway.tick()
                    }
                }
                defer { group.cancelAll() }
                try await body(radio, device, messages)
            }
            await central.invalidate()
        }
    }

    private func rule(_ seconds: Int64?, _ change: (inout GatewayRule.Match) -> Void) -> GatewayRule {
        var rule = GatewayRule()
        change(&rule.match)
        rule.times.presence = seconds.map { .seconds($0) }
        return rule
    }

    private static func all(_ topic: String, _ messages: [BrokerMessage]) -> [BrokerMessage] {
        messages.filter { $0.topic == topic }
    }

    private static func texts(_ topic: String, _ messages: [BrokerMessage]) -> [String] {
        all(topic, messages).map(\.text)
    }

    private func beaconData() throws -> PeripheralAdvertisements {
        let uuid = try BluetoothUUID(text: "9A9C8CBD-3C69-4E0D-9D5A-E8A2D9E2C4B1")
        let frame = IBeacon(proximityUUID: uuid, major: 1, minor: 7, measuredPower: -59)
        return PeripheralAdvertisements(manufacturerData: frame.advertisement.manufacturerData)
    }

    @Test func `a device without values is at home while it is heard, and away after a time`() async throws {
        try await run(PeripheralAdvertisements(localName: "Keys"), [rule(120) { $0.name = "Keys" }]) {
            radio, device, messages in
            try await radio.clock.sleep(for: .seconds(300))
            let published = messages.taken()
            #expect(Self.texts(Self.keys, published) == ["online"])
            let config = try #require(
                published.first { $0.topic == "homeassistant/device/bluecap_c0de00000001/config" }?.object)
            let components = try #require(config["components"] as? [String: [String: Any]])
            let tracker = try #require(components["tracker"])
            #expect(tracker["platform"] as? String == "device_tracker" && tracker["name"] == nil)
            #expect(tracker["state_topic"] as? String == Self.keys)
            #expect(tracker["payload_home"] as? String == "online")
            #expect(tracker["payload_not_home"] as? String == "offline")
            #expect(tracker["source_type"] as? String == "bluetooth_le")
            #expect((tracker["availability"] as? [[String: String]])?.map { $0["topic"] } == ["bluecap/cellar/status"])
            #expect(components["rssi"]?["expire_after"] as? Int == 120)
            device.vanish()
            try await radio.clock.sleep(for: .seconds(115))
            #expect(Self.texts(Self.keys, messages.taken()).isEmpty)
            try await radio.clock.sleep(for: .seconds(10))
            #expect(Self.texts(Self.keys, messages.taken()) == ["offline"])
            device.reappear()
            try await radio.clock.sleep(for: .seconds(5))
            #expect(Self.texts(Self.keys, messages.taken()) == ["online"])
        }
    }

    @Test func `a radio that is off for less than that time sends nobody away`() async throws {
        try await run(PeripheralAdvertisements(localName: "Keys"), [rule(120) { $0.name = "K*" }]) {
            radio, _, messages in
            try await radio.clock.sleep(for: .seconds(10))
            #expect(Self.texts(Self.keys, messages.taken()) == ["online"])
            radio.adapter().change(to: .resetting)
            try await radio.clock.sleep(for: .seconds(60))
            radio.adapter().powerOn()
            try await radio.clock.sleep(for: .seconds(300))
            #expect(Self.texts(Self.keys, messages.taken()).isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `a gateway that starts again leaves a device at home for the time of its rule`(isThere: Bool) async throws {
        let kept = BrokerMessage(topic: Self.keys, text: "online", isRetained: true)
        let match = { @Sendable (match: inout GatewayRule.Match) in match.name = isThere ? "Keys" : "Bag" }
        try await run(PeripheralAdvertisements(localName: "Keys"), [rule(600, match)], kept: [kept]) {
            radio, _, messages in
            try await radio.clock.sleep(for: .seconds(590))
            #expect(Self.texts(Self.keys, messages.taken()) == (isThere ? ["online"] : []))
            try await radio.clock.sleep(for: .seconds(20))
            #expect(Self.texts(Self.keys, messages.taken()) == (isThere ? [] : ["offline"]))
        }
    }

    @Test(arguments: [
        "9A9C8CBD-3C69-4E0D-9D5A-E8A2D9E2C4B1", "9a9c8cbd-3c69-4e0d-9d5a-e8a2d9e2c4b1/1",
        "9A9C8CBD-3C69-4E0D-9D5A-E8A2D9E2C4B1/1/7",
    ])
    func `an iBeacon is one device, whatever address it sends from`(text: String) async throws {
        try await run(try beaconData(), [rule(60) { $0.beacon = BeaconIdentity(text) }]) { radio, device, messages in
            for number in 2...5 {
                try await radio.clock.sleep(for: .seconds(50))
                device.changeAddress(to: "4\(number):DE:00:00:00:01")
            }
            let published = messages.taken()
            #expect(Self.texts("bluecap/cellar/\(Self.beacon)/availability", published) == ["online"])
            let configs = published.filter { $0.topic.hasPrefix("homeassistant/device/") }
            #expect(Set(configs.map(\.topic)) == ["homeassistant/device/bluecap_\(Self.beacon)/config"])
            #expect(configs.first.map { !$0.text.contains("connections") } == true)
        }
    }

    @Test(arguments: ["9A9C8CBD-3C69-4E0D-9D5A-E8A2D9E2C4B1/2", "00112233445566778899"])
    func `another beacon is no device`(text: String) async throws {
        try await run(try beaconData(), [rule(60) { $0.beacon = BeaconIdentity(text) }]) { radio, _, messages in
            try await radio.clock.sleep(for: .seconds(10))
            #expect(messages.taken().isEmpty)
        }
    }

    @Test func `an Eddystone is known by its namespace and instance`() async throws {
        let frame = Eddystone.uid(
            power: -20, namespace: try Bytes(hex: "00112233445566778899"), instance: try Bytes(hex: "AABBCCDDEEFF"))
        let data = PeripheralAdvertisements(serviceData: frame.advertisement.serviceData)
        let match = rule(60) { $0.beacon = BeaconIdentity("00112233445566778899/aabbccddeeff") }
        try await run(data, [match]) { radio, _, messages in
            try await radio.clock.sleep(for: .seconds(10))
            let topic = "bluecap/cellar/00112233445566778899_aabbccddeeff/availability"
            #expect(Self.texts(topic, messages.taken()) == ["online"])
        }
    }

    @Test func `values and presence of one device have one description`() async throws {
        let frame = BTHome(objects: [BTHomeObject(0x02, 20)].compactMap(\.self))
        let data = PeripheralAdvertisements(serviceData: frame.advertisement.serviceData)
        try await run(data, [rule(90) { $0.address = "C0:DE:00:00:00:01" }]) { radio, _, messages in
            try await radio.clock.sleep(for: .seconds(100))
            let published = messages.taken()
            let config = Self.all("homeassistant/device/bluecap_c0de00000001/config", published).first?.object
            let components = try #require(config?["components"] as? [String: Any])
            #expect(components.keys.sorted() == ["rssi", "temperature", "tracker"])
            let states = Self.all("bluecap/cellar/c0de00000001/state", published)
            // A state holds for the time of the rule, and comes again in a third of it.
            #expect(states.count >= 3)
            #expect(states.allSatisfy { $0.expiry == 90 })
        }
    }

    @Test func `a sensor whose address changes is one device by the address in its frames`() async throws {
        let frame = try Bytes(hex: "0512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F")
        try await run(PeripheralAdvertisements(manufacturerData: [0x0499: frame]), []) { radio, device, messages in
            for number in 2...4 {
                try await radio.clock.sleep(for: .seconds(5))
                device.changeAddress(to: "4\(number):DE:00:00:00:01")
            }
            try await radio.clock.sleep(for: .seconds(5))
            let configs = messages.taken().filter { $0.topic.hasPrefix("homeassistant/device/") }
            #expect(Set(configs.map(\.topic)) == ["homeassistant/device/bluecap_cbb8334c884f/config"])
        }
    }

    @Test(arguments: [
        "", "/", "1/2", "00112233445566778899/", "00112233445566778899/aabbccddeeff/1", "180F",
        "9A9C8CBD-3C69-4E0D-9D5A-E8A2D9E2C4B1/65536", "9A9C8CBD-3C69-4E0D-9D5A-E8A2D9E2C4B1/-1",
        "9A9C8CBD-3C69-4E0D-9D5A-E8A2D9E2C4B1/1/2/3", "9A9C8CBD-3C69-4E0D-9D5A-E8A2D9E2C4BZ",
    ])
    func `a text that names no beacon is none`(text: String) { #expect(BeaconIdentity(text) == nil) }

    @Test func `the level of a beacon's topics is read as it was written`() throws {
        let identity = try #require(BeaconIdentity(level: Self.beacon))
        #expect(TopicText.device(identity.device.text) == Self.beacon)
        let topic = "bluecap/cellar/\(Self.beacon)/availability"
        #expect(GatewayPlan(name: "cellar").device(available: topic) == identity.device)
        for level in [
            "9a9c8cbd-3c69-4e0d-9d5a-e8a2d9e2c4b1_01_7", "9A9C8CBD-3C69-4E0D-9D5A-E8A2D9E2C4B1_1_7",
            "9a9c8cbd-3c69-4e0d-9d5a-e8a2d9e2c4b1_1", "00112233445566778899", "_", "__",
        ] {
            #expect(BeaconIdentity(level: level) == nil, "\(level)")
        }
    }
}
#endif
