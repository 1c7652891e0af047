// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapGateway
import BlueCapRuntime
import Testing

@Suite("A gateway of a group", .timeLimit(.minutes(5)))
struct GatewayGroupTests {
    private let clock = ManualClock()
    private let messages = PublishedMessages()
    private let sensor = PeerIdentifier("A4:C1:38:00:00:01")
    private static let state = "bluecap/home/a4c138000001/state"
    private static let availability = "bluecap/home/a4c138000001/availability"
    private static let owner = "bluecap/home/a4c138000001/owner"
    private static let config = "homeassistant/device/bluecap_a4c138000001/config"

    /// A gateway whose first sign of life has come back.
    private func gateway() async -> DeviceGateway {
        var plan = GatewayPlan(name: "cellar")
        plan.group = "home"
        let gateway = DeviceGateway(plan, publisher: messages, clock: BlueCapClock(clock))
        await gateway.brokerIsBack()
        #expect(messages.taken().map(\.topic) == ["bluecap/cellar/status", "bluecap/home/cellar/alive"])
        await gateway.find(BrokerMessage(topic: "bluecap/home/cellar/alive", text: "1"))
        return gateway
    }

    private func hear(_ gateway: DeviceGateway, _ value: Double = 20) async {
        let frame = BTHome(objects: [BTHomeObject(0x02, value)].compactMap(\.self))
        await gateway.hear(frame, from: sensor, name: nil, rssi: -60)
    }

    private func claim(_ owner: String) -> BrokerMessage {
        BrokerMessage(topic: Self.owner, text: "{\"owner\":\"\(owner)\",\"rssi\":-60}", isRetained: true)
    }

    /// A gateway that owns the sensor.
    private func owner() async -> DeviceGateway {
        let gateway = await gateway()
        await hear(gateway)
        await gateway.find(claim("cellar"))
        _ = messages.taken()
        return gateway
    }

    /// Lets a time pass, at whose end a sign of life of the gateway comes back.
    private func live(_ gateway: DeviceGateway, for time: Duration) async {
        clock.advance(by: time)
        await gateway.tendGroup()
        for message in messages.taken() where message.topic == "bluecap/home/cellar/alive" {
            await gateway.find(message)
        }
    }

    @Test func `publishes nothing of a device but a claim, until it owns the device`() async throws {
        let gateway = await gateway()
        await hear(gateway)
        clock.advance(by: .milliseconds(300))
        await gateway.tendGroup()
        let published = messages.taken().filter { $0.topic != "bluecap/home/cellar/alive" }
        #expect(published.map(\.topic) == [Self.owner])
        let claim = try #require(published.first)
        #expect(claim.text == #"{"owner":"cellar","rssi":-60}"# && claim.isRetained && claim.expiry == 180)
        await gateway.find(claim)
        #expect(messages.taken().map(\.topic) == [Self.config, Self.availability, Self.state])
    }

    @Test func `publishes nothing more of a device that another gateway has taken`() async {
        let gateway = await owner()
        await gateway.find(claim("attic"))
        clock.advance(by: .seconds(2))
        await hear(gateway, 21)
        await gateway.tick()
        await gateway.publishAgain()
        await gateway.radioIsLost("Bluetooth is off")
        clock.advance(by: .seconds(5))
        await gateway.tick()
        #expect(messages.taken().map(\.topic) == ["bluecap/cellar/status"])
    }

    @Test func `describes a device by topics without the name of a gateway`() async throws {
        let gateway = await gateway()
        await hear(gateway)
        await gateway.find(claim("cellar"))
        let config = try #require(messages.taken().first { $0.topic == Self.config })
        #expect(config.object["state_topic"] as? String == Self.state)
        let availability = try #require(config.object["availability"] as? [[String: String]])
        #expect(availability == [["topic": Self.availability]])
    }

    @Test func `publishes the availability again that another gateway has published for a device of its own`() async {
        let gateway = await owner()
        await gateway.find(BrokerMessage(topic: Self.availability, text: "offline"))
        #expect(messages.taken() == [BrokerMessage(topic: Self.availability, text: "online", isRetained: true)])
        await gateway.find(BrokerMessage(topic: Self.availability, text: "online"))
        #expect(messages.taken().isEmpty)
    }

    @Test func `leaves others three seconds to take its devices when its radio is lost`() async {
        let gateway = await owner()
        await gateway.radioIsLost("Bluetooth is off")
        await gateway.tick()
        #expect(messages.taken().isEmpty)
        await live(gateway, for: .seconds(3))
        await gateway.tick()
        #expect(messages.taken() == [BrokerMessage(topic: Self.availability, text: "offline", isRetained: true)])
    }

    @Test func `publishes that a device is not available that it owns and that nobody hears`() async {
        let gateway = await gateway()
        await gateway.find(claim("cellar"))
        await live(gateway, for: .seconds(180))
        await gateway.tick()
        #expect(messages.taken().isEmpty)
        await live(gateway, for: .seconds(1))
        await gateway.tick()
        await gateway.tick()
        #expect(messages.taken() == [BrokerMessage(topic: Self.availability, text: "offline", isRetained: true)])
    }

    @Test func `removes nothing of a device of another gateway that its rules do not publish`() async {
        let gateway = await owner()
        await gateway.find(claim("attic"))
        var rule = GatewayRule()
        rule.isPublished = false
        await gateway.adopt(
            GatewayRules([rule]), shortestInterval: .seconds(1), longestInterval: .seconds(60))
        #expect(messages.taken().isEmpty)
    }

    @Test func `removes its claim with a device that its rules do not publish any more`() async {
        let gateway = await owner()
        var rule = GatewayRule()
        rule.isPublished = false
        await gateway.adopt(
            GatewayRules([rule]), shortestInterval: .seconds(1), longestInterval: .seconds(60))
        let removed = messages.taken()
        #expect(removed.map(\.topic) == [Self.config, Self.state, Self.availability, Self.owner])
        #expect(removed.allSatisfy { $0.payload.isEmpty && $0.isRetained })
    }

    @Test(arguments: [
        ("bluecap/home/a4c138000001/owner", "x"), ("bluecap/home/A4C138000001/owner", "{}"),
        ("bluecap/home/x/owner", "{}"), ("bluecap/home/attic/alive", "-1"), ("bluecap/home/attic/alive", ""),
        ("bluecap/a b/status", "online"), ("bluecap/home/owner", "{}"), ("", ""),
        ("bluecap/home/attic/alive", String(repeating: "1", count: 1000)),
    ])
    func `counts a message that is none of a gateway`(topic: String, text: String) async {
        let gateway = await gateway()
        await gateway.find(BrokerMessage(topic: topic, text: text))
        #expect(await gateway.ignoredMessages == 1)
    }
}
