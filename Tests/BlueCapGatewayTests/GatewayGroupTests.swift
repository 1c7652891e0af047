// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore
import BlueCapGateway
import BlueCapRuntime
import Testing

@Suite("A gateway of a group", .timeLimit(.minutes(60)))
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

    private func hear(_ gateway: DeviceGateway, _ value: Double = 20, name: String? = nil) async {
        let frame = BTHome(objects: [BTHomeObject(0x02, value)].compactMap(\.self))
        await gateway.hear(frame, from: sensor, name: name, rssi: -60)
    }

    /// The availability that the broker keeps.
    private func kept(_ text: String) -> BrokerMessage {
        BrokerMessage(topic: Self.availability, text: text, isRetained: true)
    }

    /// Gives the gateway rules that hide the devices that fit.
    private func hide(_ match: GatewayRule.Match, _ gateway: DeviceGateway) async {
        var rule = GatewayRule()
        (rule.match, rule.isPublished) = (match, false)
        await gateway.adopt(GatewayRules([rule]), shortestInterval: .seconds(1), longestInterval: .seconds(60))
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
    ///
    /// - Returns: The other messages.
    @discardableResult private func live(_ gateway: DeviceGateway, for time: Duration) async -> [BrokerMessage] {
        clock.advance(by: time)
        await gateway.tendGroup()
        var others: [BrokerMessage] = []
        for message in messages.taken() {
            let isOther = message.topic != "bluecap/home/cellar/alive"
            if isOther { others.append(message) } else { await gateway.find(message) }
        }
        return others
    }

    /// The messages of the next time, in whose steps the signs of life of the gateway come back.
    private func messages(of gateway: DeviceGateway, within time: Duration) async -> [BrokerMessage] {
        var others: [BrokerMessage] = []
        let end = clock.now.elapsed + time
        while clock.now.elapsed < end { others += await live(gateway, for: .milliseconds(300)) }
        return others
    }

    /// What the gateway publishes at its next tick.
    private func ticked(_ gateway: DeviceGateway) async -> [BrokerMessage] {
        await gateway.tick()
        return messages.taken()
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

    @Test(arguments: [true, false])
    func `knows that the broker sends it none of its signs of life`(isSilent: Bool) async {
        let gateway = await gateway()
        for _ in 0..<160 {
            clock.advance(by: .milliseconds(300))
            await gateway.tendGroup()
            let sent = messages.taken()
            if !isSilent { for message in sent { await gateway.find(message) } }
        }
        #expect(await gateway.unansweredFilter == (isSilent ? "bluecap/home/+/alive" : nil))
        await gateway.brokerIsLost()
        #expect(await gateway.unansweredFilter == nil)
    }

    @Test func `does not take a time in which it stood still for one without signs of life`() async {
        let gateway = await gateway()
        clock.advance(by: .seconds(3600))
        await gateway.tendGroup()
        #expect(await gateway.unansweredFilter == nil)
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

    @Test func `leaves others three seconds to take a device that it has not heard for long, while that is available`()
        async throws
    {
        let gateway = await owner()
        // A usual time between two packets of more than a sixth of the time for which states hold.
        for value in [20.0, 21, 22, 23] {
            await live(gateway, for: .seconds(50))
            await hear(gateway, value)
        }
        _ = messages.taken()
        #expect(await messages(of: gateway, within: .seconds(175)).allSatisfy { $0.text.contains("-60") })
        await live(gateway, for: .seconds(2))
        #expect(await ticked(gateway).isEmpty)
        let claim = try #require(await live(gateway, for: .milliseconds(300)).first)
        #expect(claim.text == #"{"owner":"cellar","rssi":null}"#)
        await live(gateway, for: .milliseconds(2500))
        #expect(await ticked(gateway).isEmpty)
        await live(gateway, for: .milliseconds(1500))
        #expect(await ticked(gateway) == [kept("offline")])
    }

    @Test func `takes no device over that it has not heard for as long as values hold`() async {
        let gateway = await gateway()
        await gateway.find(claim("attic"))
        for (wait, value) in [(50, 20.0), (50, 21), (50, 22), (50, 23), (178, nil)] {
            await live(gateway, for: .seconds(wait))
            await gateway.find(BrokerMessage(topic: "bluecap/home/attic/alive", text: "1"))
            if let value { await hear(gateway, value) }
        }
        #expect(await ticked(gateway).isEmpty)
        await gateway.find(BrokerMessage(topic: Self.owner, text: #"{"owner":"attic","rssi":null}"#))
        #expect(await messages(of: gateway, within: .milliseconds(900)).isEmpty)
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

    @Test func `publishes no old values of a device that it gains and does not hear`() async {
        let gateway = await owner()
        await gateway.find(claim("attic"))
        await live(gateway, for: .seconds(181))
        await gateway.find(claim("cellar"))
        #expect(await ticked(gateway).isEmpty)
        await gateway.publishAgain()
        #expect(messages.taken().map(\.topic) == ["bluecap/cellar/status"])
    }

    @Test(arguments: [true, false])
    func `publishes that a device is not available that it gained while its signs of life were late`(
        isKeptBefore: Bool
    ) async {
        let gateway = await gateway()
        if isKeptBefore { await gateway.find(kept("online")) }
        await hear(gateway)
        clock.advance(by: .seconds(1))
        await gateway.tendGroup()
        let sent = messages.taken()
        clock.advance(by: .seconds(1))
        await gateway.find(claim("cellar"))
        if !isKeptBefore { await gateway.find(kept("online")) }
        #expect(messages.taken().isEmpty)
        for message in sent where message.topic.hasSuffix("/alive") { await gateway.find(message) }
        await live(gateway, for: .seconds(181))
        #expect(await ticked(gateway) == [kept("offline")])
        clock.advance(by: .seconds(1))
        await gateway.find(kept("online"))
        #expect(messages.taken().isEmpty)
        await live(gateway, for: .seconds(181))
        #expect(await ticked(gateway) == [kept("offline")])
    }

    @Test func `publishes a device late that it gained while its signs of life were late, and heard before`() async {
        let gateway = await gateway()
        for value in [20.0, 21] {
            await hear(gateway, value)
            await live(gateway, for: .seconds(100))
        }
        clock.advance(by: .seconds(1))
        await gateway.find(claim("cellar"))
        #expect(messages.taken().isEmpty)
        await live(gateway, for: .seconds(181))
        #expect(await ticked(gateway).map(\.topic) == [Self.config, Self.availability, Self.state])
    }

    @Test func `removes nothing of a device of another gateway that its rules do not publish`() async {
        let gateway = await owner()
        await gateway.find(claim("attic"))
        await hide(GatewayRule.Match(), gateway)
        #expect(messages.taken().isEmpty)
    }

    @Test func `removes its claim with a device that its rules do not publish any more`() async {
        let gateway = await owner()
        await hide(GatewayRule.Match(), gateway)
        let removed = messages.taken()
        #expect(removed.map(\.topic) == [Self.config, Self.state, Self.availability, Self.owner])
        #expect(removed.allSatisfy { $0.payload.isEmpty && $0.isRetained })
    }

    @Test func `publishes that a device is not available that the broker keeps, and that has no owner`() async throws {
        let gateway = await gateway()
        await gateway.find(kept("online"))
        #expect(await messages(of: gateway, within: .seconds(14)).isEmpty)
        let claim = try #require(await messages(of: gateway, within: .seconds(6)).first)
        #expect(claim.topic == Self.owner && claim.text == #"{"owner":"cellar","rssi":null}"#)
        await gateway.find(claim)
        await live(gateway, for: .seconds(180))
        #expect(await ticked(gateway).isEmpty)
        await live(gateway, for: .seconds(1))
        #expect(await ticked(gateway) == [kept("offline")])
        #expect(await ticked(gateway).isEmpty)
    }

    @Test func `keeps its claim to a device that it does not hear, until that is not available`() async throws {
        let gateway = await gateway()
        await gateway.find(kept("online"))
        await gateway.find(claim("cellar"))
        let claim = try #require(await messages(of: gateway, within: .seconds(1)).first)
        #expect(claim.text == #"{"owner":"cellar","rssi":null}"#)
        await gateway.find(claim)
        #expect(await messages(of: gateway, within: .seconds(57)).isEmpty)
        #expect(await messages(of: gateway, within: .seconds(5)) == [claim])
        await gateway.find(kept("offline"))
        #expect(await messages(of: gateway, within: .seconds(120)).isEmpty)
    }

    @Test(arguments: ["attic", nil])
    func `leaves a device that it does not hear to its owner, and one that is not available to nobody`(
        owner: String?
    ) async {
        let gateway = await gateway()
        await gateway.find(kept(owner == nil ? "offline" : "online"))
        for _ in 0..<100 {
            if let owner {
                await gateway.find(BrokerMessage(topic: "bluecap/home/\(owner)/alive", text: "1"))
                await gateway.find(claim(owner))
            }
            #expect(await live(gateway, for: .milliseconds(300)).isEmpty)
        }
    }

    @Test func `publishes that its device is not available which another one has called available`() async {
        let gateway = await gateway()
        await gateway.find(claim("cellar"))
        await live(gateway, for: .seconds(181))
        #expect(await ticked(gateway) == [kept("offline")])
        await gateway.find(kept("online"))
        await live(gateway, for: .seconds(181))
        #expect(await ticked(gateway) == [kept("offline")])
    }

    @Test func `removes a device without an owner that no rule can publish, and that the broker keeps`() async throws {
        let gateway = await gateway()
        var match = GatewayRule.Match()
        match.address = sensor
        await hide(match, gateway)
        await gateway.find(kept("offline"))
        let claim = try #require(await messages(of: gateway, within: .seconds(20)).first)
        #expect(claim.topic == Self.owner)
        await gateway.find(claim)
        let removed = await ticked(gateway)
        #expect(removed.map(\.topic) == [Self.config, Self.state, Self.availability, Self.owner])
        #expect(removed.allSatisfy { $0.payload.isEmpty && $0.isRetained })
        for message in removed { await gateway.find(message) }
        #expect(await messages(of: gateway, within: .seconds(30)).isEmpty)
    }

    @Test func `removes a device whose rule was changed while there was no connection`() async {
        let gateway = await owner()
        await gateway.brokerIsLost()
        await hide(GatewayRule.Match(), gateway)
        #expect(messages.taken().isEmpty)
        await gateway.brokerIsBack()
        await gateway.find(kept("online"))
        await gateway.find(claim("cellar"))
        await live(gateway, for: .milliseconds(1))
        await live(gateway, for: .milliseconds(300))
        #expect(await ticked(gateway).map(\.topic) == [Self.config, Self.state, Self.availability, Self.owner])
    }

    @Test func `removes a device whose rule knows it by its name, when it hears that`() async throws {
        let gateway = await gateway()
        var match = GatewayRule.Match()
        match.name = "Window*"
        await hide(match, gateway)
        await gateway.find(kept("offline"))
        await hear(gateway, name: "Window 1")
        let claim = try #require(await messages(of: gateway, within: .seconds(20)).first)
        await gateway.find(claim)
        #expect(await ticked(gateway).isEmpty)
        await hear(gateway, 21, name: "Window 1")
        #expect(messages.taken().map(\.topic) == [Self.config, Self.state, Self.availability, Self.owner])
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
#endif
