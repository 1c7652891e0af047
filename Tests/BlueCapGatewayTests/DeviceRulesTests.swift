// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapGateway

@Suite("A gateway with rules", .timeLimit(.minutes(60)))
struct DeviceRulesTests {
    private let clock = ManualClock()
    private let messages = PublishedMessages()
    private let sensor = PeerIdentifier("54:48:E6:8F:80:A5")
    private static let state = "bluecap/cellar/5448e68f80a5/state"
    private static let topics = [
        "homeassistant/device/bluecap_5448e68f80a5/config", state, "bluecap/cellar/5448e68f80a5/availability",
    ]
    private static let key = BindKey(hex: "231d39c1d7cc1ab1aee224cd096db932")

    private func rule(_ change: (inout GatewayRule) -> Void) -> GatewayRule {
        var rule = GatewayRule()
        change(&rule)
        return rule
    }

    private func gateway(_ rules: GatewayRule...) -> DeviceGateway {
        var plan = GatewayPlan(name: "cellar")
        plan.rules = GatewayRules(rules)
        return DeviceGateway(plan, publisher: messages, clock: BlueCapClock(clock))
    }

    private func frame(_ objects: (UInt8, Double)...) -> BTHome {
        BTHome(objects: objects.compactMap { BTHomeObject($0, $1) })
    }

    private func hear(_ frame: BTHome, _ gateway: DeviceGateway, name: String? = nil) async {
        await gateway.hear(frame, from: sensor, name: name, rssi: nil)
    }

    private func adopt(_ rules: [GatewayRule], _ gateway: DeviceGateway) async {
        await gateway.adopt(GatewayRules(rules), shortestInterval: .seconds(1), longestInterval: .seconds(60))
    }

    /// The states that were published since the last call.
    private func states() -> [String] { messages.taken().filter { $0.topic == Self.state }.map(\.text) }

    private func removed() -> [String] { messages.taken().filter { $0.payload.isEmpty && $0.isRetained }.map(\.topic) }

    // MARK: Conditions

    @Test func `takes the first rule all of whose conditions hold`() {
        let subject = GatewayRule.Subject(
            identifier: sensor, name: "Cellar 1", services: ["181A"], isEncrypted: false)
        let fitting: [(inout GatewayRule) -> Void] = [
            { _ in }, { $0.match.address = PeerIdentifier("54:48:e6:8f:80:a5") }, { $0.match.name = "Cellar 1" },
            { $0.match.name = "Cellar*" }, { $0.match.service = "181A" }, { $0.match.isEncrypted = false },
        ]
        let others: [(inout GatewayRule) -> Void] = [
            { $0.match.address = PeerIdentifier("54:48:E6:8F:80:A6") }, { $0.match.name = "Cellar" },
            { $0.match.name = "cellar*" }, { $0.match.service = "181B" }, { $0.match.isEncrypted = true },
            {
                $0.match.name = "Cellar*"
                $0.match.isEncrypted = true
            },
        ]
        for fit in fitting {
            let rules = others.map(rule) + [rule(fit), rule { $0.name = "last" }]
            #expect(GatewayRules(rules).first(for: subject) == rule(fit))
        }
        #expect(GatewayRules(others.map(rule)).first(for: subject) == nil)
    }

    @Test func `publishes nothing of a device whose rule says so`() async {
        let gateway = gateway(
            rule { $0.match.name = "Cellar" }, rule { $0.isPublished = false })
        await hear(frame((0x02, 20)), gateway, name: "Attic")
        #expect(messages.taken().isEmpty)
        await hear(frame((0x02, 20)), gateway, name: "Cellar")
        #expect(states() == [#"{"temperature":20}"#])
    }

    @Test func `removes a device whose name, which came late, has a rule that it is not published`() async {
        let gateway = gateway(
            rule {
                $0.match.name = "Neighbour*"
                $0.isPublished = false
            })
        await hear(frame((0x02, 20)), gateway)
        #expect(states().count == 1)
        await hear(frame((0x02, 20)), gateway, name: "Neighbour's")
        #expect(removed() == Self.topics)
        await hear(frame((0x02, 20)), gateway)
        #expect(states().count == 1)
    }

    @Test func `leaves a clear device where an encrypted frame is not published, which another may have sent`()
        async throws
    {
        let gateway = gateway(
            rule {
                $0.match.isEncrypted = true
                $0.isPublished = false
            })
        await hear(frame((0x02, 20)), gateway)
        await hear(try SerDe.deserialize(try Bytes(hex: "41a47266c95f730011223378237214")), gateway)
        #expect(removed().isEmpty)
    }

    @Test func `calls a device as its rule does`() async throws {
        let gateway = gateway(rule { $0.name = "Freezer" })
        await hear(frame((0x02, 20)), gateway, name: "ATC_8F80A5")
        let configuration = try #require(messages.taken().first { $0.topic == Self.topics[0] })
        #expect((configuration.object["device"] as? [String: Any])?["name"] as? String == "Freezer")
    }

    // MARK: Times and changes

    @Test func `publishes a change at most as often as the rule says`() async {
        let gateway = gateway(
            rule {
                $0.times.shortest = .seconds(10)
                $0.times.longest = .seconds(20)
            })
        for value in 0..<31 {
            await hear(frame((0x02, Double(value))), gateway)
            clock.advance(by: .seconds(1))
        }
        #expect(states() == [0, 10, 20, 30].map { #"{"temperature":\#($0)}"# })
        for _ in 0..<41 {
            await hear(frame((0x02, 30)), gateway)
            clock.advance(by: .seconds(1))
        }
        #expect(states().count == 2)
    }

    @Test func `publishes a change of as much as the rule says, since the last state, and all values then`() async {
        let gateway = gateway(rule { $0.thresholds = ["temperature": 0.5] })
        let steps: [(Double, Double)] = [
            (20, 50), (20.2, 50), (20.4, 50), (20.5, 50), (20.1, 50), (20.9, 50), (20, 50), (20.1, 51),
        ]
        for (temperature, humidity) in steps {
            await hear(frame((0x02, temperature), (0x03, humidity)), gateway)
            clock.advance(by: .seconds(2))
        }
        #expect(
            states() == [
                #"{"humidity":50,"temperature":20}"#, #"{"humidity":50,"temperature":20.5}"#,
                #"{"humidity":50,"temperature":20}"#, #"{"humidity":51,"temperature":20.1}"#,
            ])
    }

    @Test func `has the threshold of a kind for each of its values, or one of its own`() async {
        let gateway = gateway(rule { $0.thresholds = ["temperature": 1, "temperature_2": 5] })
        for (first, second) in [(20, 20), (20, 22), (20, 25), (21, 25)] as [(Double, Double)] {
            await hear(frame((0x02, first), (0x02, second)), gateway)
            clock.advance(by: .seconds(2))
        }
        #expect(states().count == 3)
    }

    // MARK: Other rules

    @Test func `removes a device whose rule went away, and takes it again with the next`() async {
        let others = rule { $0.isPublished = false }
        let own = rule { [sensor] in $0.match.address = sensor }
        let gateway = gateway(own, others)
        await hear(frame((0x02, 20)), gateway)
        _ = messages.taken()
        await adopt([others], gateway)
        #expect(removed() == Self.topics)
        await hear(frame((0x02, 21)), gateway)
        #expect(messages.taken().isEmpty)
        await adopt([own, others], gateway)
        await hear(frame((0x02, 22)), gateway)
        #expect(states() == [#"{"temperature":22}"#])
        let device = GatewayEvent.device(sensor, name: sensor.text)
        #expect(gateway.events.taken() == [device, .removed(sensor), device])
    }

    @Test func `describes a device again where its rule has another name, and leaves the others`() async {
        let gateway = gateway()
        let other = PeerIdentifier("54:48:E6:8F:80:A6")
        await hear(frame((0x02, 20)), gateway)
        await gateway.hear(frame((0x02, 20)), from: other, name: nil, rssi: nil)
        _ = messages.taken()
        let named = rule { [sensor] in
            $0.match.address = sensor
            $0.name = "Freezer"
        }
        await adopt([named], gateway)
        #expect(messages.taken().map(\.topic) == [Self.topics[0], Self.state])
        await adopt([named], gateway)
        #expect(messages.taken().isEmpty)
        await adopt([], gateway)
        #expect(messages.taken().map(\.topic) == [Self.topics[0], Self.state])
    }

    @Test func `publishes a state again that would end before the next one by a rule with a longer interval`() async {
        let gateway = gateway()
        await hear(frame((0x02, 20)), gateway)
        let first = messages.taken().first { $0.topic == Self.state }
        await adopt([rule { $0.times.longest = .seconds(3600) }], gateway)
        let second = messages.taken().first { $0.topic == Self.state }
        #expect((first?.expiry, second?.expiry) == (180, 10_800))
    }

    @Test func `publishes of a device alone the values that its rule names`() async throws {
        let gateway = gateway(rule { $0.values = ["temperature", "battery_2"] })
        await hear(frame((0x02, 20), (0x03, 50), (0x01, 90), (0x01, 80)), gateway)
        let state = try #require(messages.taken().last { $0.topic == Self.state })
        #expect(state.text == #"{"battery_2":80,"temperature":20}"#)
        clock.advance(by: .seconds(10))
        // The device is there, and its state stays as it is.
        await hear(frame((0x03, 60)), gateway)
        #expect(messages.taken().isEmpty)
        clock.advance(by: .seconds(175))
        await gateway.tick()
        #expect(!messages.taken().contains { $0.topic == Self.topics[2] })
    }

    @Test func `removes a device with values that its rule does not name any more, and publishes the others`() async {
        let gateway = gateway()
        await hear(frame((0x02, 20), (0x03, 50)), gateway)
        _ = messages.taken()
        await adopt([rule { $0.values = ["temperature"] }], gateway)
        let published = messages.taken()
        #expect(published.prefix(3).map(\.topic) == Self.topics && published.prefix(3).allSatisfy(\.payload.isEmpty))
        #expect(published.last { $0.topic == Self.state }?.text == #"{"temperature":20}"#)
        await adopt([rule { $0.values = ["battery"] }], gateway)
        #expect(removed() == Self.topics)
    }

    @Test func `removes a device whose name has come, and whose rule names none of its values`() async {
        let gateway = gateway(
            rule {
                $0.match.name = "Cellar"
                $0.values = ["battery"]
            })
        await hear(frame((0x02, 20)), gateway)
        _ = messages.taken()
        await hear(frame((0x02, 20)), gateway, name: "Cellar")
        #expect(removed() == Self.topics)
    }

    @Test func `leaves values out that it had published before the name of the device came`() async throws {
        let gateway = gateway(
            rule {
                $0.match.name = "Cellar"
                $0.values = ["temperature"]
            })
        await hear(frame((0x02, 20), (0x03, 50)), gateway)
        _ = messages.taken()
        await hear(frame((0x02, 20), (0x03, 50)), gateway, name: "Cellar")
        let published = messages.taken()
        #expect(published.prefix(3).map(\.topic) == Self.topics && published.prefix(3).allSatisfy(\.payload.isEmpty))
        #expect(published.last { $0.topic == Self.state }?.text == #"{"temperature":20}"#)
    }

    // MARK: Earlier runs

    private func kept(_ topic: String, isRetained: Bool = true) -> BrokerMessage {
        BrokerMessage(topic: topic, text: "offline", isRetained: isRetained)
    }

    @Test func `removes what an earlier run has published, and no rule lets be published any more`() async {
        let gateway = gateway(
            rule { $0.match.address = PeerIdentifier("54:48:E6:8F:80:A6") }, rule { $0.isPublished = false })
        await gateway.find(kept("bluecap/cellar/5448e68f80a6/availability"))
        #expect(messages.taken().isEmpty)
        await gateway.find(kept(Self.topics[2]))
        #expect(removed() == Self.topics)
        await adopt([rule { $0.isPublished = false }], gateway)
        #expect(removed().map { $0.contains("5448e68f80a6") } == [true, true, true])
    }

    @Test func `publishes that a device of an earlier run is not available until it is heard`() async {
        let gateway = gateway()
        let online = BrokerMessage(topic: Self.topics[2], text: "online", isRetained: true)
        await gateway.find(online)
        #expect(messages.taken() == [kept(Self.topics[2])])
        await hear(frame((0x02, 20)), gateway)
        #expect(messages.taken().contains(online))
        await gateway.find(online)
        #expect(messages.taken().isEmpty)
    }

    @Test func `leaves a device of an earlier run whose name may have a rule`() async {
        let gateway = gateway(rule { $0.match.name = "Cellar" }, rule { $0.isPublished = false })
        await gateway.find(kept(Self.topics[2]))
        #expect(messages.taken().isEmpty)
        await hear(frame((0x02, 20)), gateway)
        #expect(messages.taken().isEmpty)
        await hear(frame((0x02, 20)), gateway, name: "Attic")
        #expect(removed() == Self.topics)
    }

    @Test func `keeps no more devices of earlier runs than devices in all`() async {
        var plan = GatewayPlan(name: "cellar")
        plan.maximumDevices = 1
        let gateway = DeviceGateway(plan, publisher: messages, clock: BlueCapClock(clock))
        await gateway.find(kept("bluecap/cellar/5448e68f80a6/availability"))
        #expect(messages.taken().isEmpty)
        await gateway.find(kept(Self.topics[2]))
        #expect(removed() == Self.topics)
        await hear(frame((0x02, 20)), gateway)
        #expect(removed().map { $0.contains("5448e68f80a6") } == [true, true, true])
    }

    @Test(arguments: [
        "bluecap/attic/5448e68f80a5/availability", "bluecap/cellar/5448e68f80a5/state", "bluecap/cellar/availability",
        "bluecap/cellar/5448e68f80/availability", "bluecap/cellar/5448E68F80A5/availability", "",
        "bluecap/cellar/5448e68f80a5/a/availability", "bluecap/cellar/zz48e68f80a5/availability", "availability",
        "bluecap/cellar/👍👍👍/availability",
    ])
    func `takes no other topic for one of an earlier run`(topic: String) async {
        let gateway = gateway(rule { $0.isPublished = false })
        await gateway.find(kept(topic))
        await gateway.find(kept(Self.topics[2], isRetained: false))
        #expect(messages.taken().isEmpty)
    }

    #if Crypto
    // MARK: Keys

    private func sealed(_ temperature: Double, counter: UInt32, key: BindKey? = Self.key) throws -> BTHome {
        let key = try #require(key.flatMap { BTHomeKey($0.bytes) })
        var encryptor = BTHomeEncryptor(key: key, device: sensor, counter: counter)
        return try encryptor.encrypt(frame((0x02, temperature)))
    }

    private func keyed() -> GatewayRule {
        rule { [sensor] in
            $0.match.address = sensor
            $0.key = Self.key
        }
    }

    /// What the gateway reported of frames that it did not read.
    private func reports(_ gateway: DeviceGateway) -> [String] {
        gateway.events.taken().compactMap { if case .unread(_, let reason) = $0 { reason } else { nil } }
    }

    @Test func `publishes the values of encrypted frames of a device whose key it has`() async throws {
        let gateway = gateway(keyed())
        // The example of the format's own page.
        let example: BTHome = try SerDe.deserialize(try Bytes(hex: "41a47266c95f730011223378237214"))
        await hear(example, gateway)
        #expect(states() == [#"{"humidity":50.55,"temperature":25.06}"#])
        #expect(await gateway.unreadFrames == FrameCounts())
    }

    @Test func `counts frames that are sent again, and publishes nothing of them`() async throws {
        let gateway = gateway(keyed())
        for (temperature, counter) in [(20, 7), (21, 8), (21, 8), (20, 7), (20, 6), (22, 9)] as [(Double, UInt32)] {
            await hear(try sealed(temperature, counter: counter), gateway)
            clock.advance(by: .seconds(2))
        }
        #expect(states() == [20, 21, 22].map { #"{"temperature":\#($0)}"# })
        // One that repeats the newest is no replay: sensors send each frame several times.
        #expect(await gateway.unreadFrames == FrameCounts(replayed: 2))
        #expect(reports(gateway).count == 1)
    }

    @Test func `counts frames of another key, and clear ones, reports each once, and publishes nothing of them`()
        async throws
    {
        let gateway = gateway(keyed())
        let other = BindKey(hex: String(repeating: "0", count: 32))
        for counter in 1...10 as ClosedRange<UInt32> {
            await hear(try sealed(20, counter: counter, key: other), gateway)
            await hear(frame((0x02, 20)), gateway)
        }
        #expect(messages.taken().isEmpty)
        #expect(await gateway.unreadFrames == FrameCounts(refused: 20))
        // A second key that is wrong is another mistake.
        var second = keyed()
        second.key = BindKey(hex: String(repeating: "1", count: 32))
        await adopt([second], gateway)
        await hear(try sealed(20, counter: 11), gateway)
        let reports = reports(gateway)
        #expect(reports.count == 3 && reports.contains { $0.contains("the key") })
        #expect(reports.contains("the frame is not encrypted"))
    }

    @Test func `believes no clear frame of a device with a key, whichever rule it fits`() async throws {
        var conditions = [keyed(), keyed()]
        conditions[0].match.name = "Freezer"
        conditions[1].match.isEncrypted = true
        for rule in conditions {
            let gateway = gateway(rule)
            await hear(frame((0x02, 20)), gateway, name: "Attic")
            #expect(messages.taken().isEmpty)
            #expect(await gateway.unreadFrames == FrameCounts(refused: 1))
        }
    }

    @Test func `takes a device that repeats its newest encrypted frame for one that is heard`() async throws {
        let gateway = gateway(keyed())
        let frame = try sealed(20, counter: 7)
        for _ in 0..<20 {
            await hear(frame, gateway)
            clock.advance(by: .seconds(30))
            await gateway.tick()
        }
        #expect(!messages.taken().contains { $0.topic == Self.topics[2] && $0.text == "offline" })
    }

    @Test func `keeps the counter of a device over other rules, and forgets it with the key`() async throws {
        let gateway = gateway(keyed())
        await hear(try sealed(20, counter: 7), gateway)
        await adopt([keyed(), rule { $0.isPublished = false }], gateway)
        clock.advance(by: .seconds(2))
        await hear(try sealed(21, counter: 6), gateway)
        #expect(states() == [#"{"temperature":20}"#])
        await adopt([], gateway)
        #expect(removed() == Self.topics)
        await hear(try sealed(22, counter: 8), gateway)
        #expect(await gateway.unreadFrames == FrameCounts(encrypted: 1, replayed: 1))
        await adopt([keyed()], gateway)
        await hear(try sealed(23, counter: 1), gateway)
        #expect(states() == [#"{"temperature":23}"#])
    }

    @Test func `refuses frames of before the last run, and reads its newest one once more`() async throws {
        let first = gateway(keyed())
        await hear(try sealed(20, counter: 7), first)
        let second = gateway(keyed())
        await second.restore(await first.frameCounters)
        _ = messages.taken()
        await hear(try sealed(19, counter: 5), second)
        #expect(states().isEmpty)
        #expect(await second.frameCounters == first.frameCounters)
        await hear(try sealed(20, counter: 7), second)
        #expect(states() == [#"{"temperature":20}"#])
        #expect(await second.unreadFrames == FrameCounts(replayed: 1))
    }

    @Test func `publishes no press of a frame that an earlier run has read`() async throws {
        func press(counter: UInt32) throws -> BTHome {
            let key = try #require(Self.key.flatMap { BTHomeKey($0.bytes) })
            var encryptor = BTHomeEncryptor(key: key, device: sensor, counter: counter)
            return try encryptor.encrypt(frame((0x3A, 1)))
        }
        let first = gateway(keyed())
        await hear(try press(counter: 7), first)
        let second = gateway(keyed())
        await second.restore(await first.frameCounters)
        await second.radioIsBack()
        clock.advance(by: .seconds(11))
        await hear(try press(counter: 7), second)
        clock.advance(by: .seconds(2))
        await second.tick()
        #expect(!messages.taken().contains { $0.topic.hasSuffix("/press") })
        await hear(try press(counter: 8), second)
        #expect(messages.taken().filter { $0.topic.hasSuffix("/press") }.count == 1)
    }

    @Test func `removes a device that was read in the clear when it has a key`() async {
        let gateway = gateway()
        await hear(frame((0x02, 20)), gateway)
        await adopt([keyed()], gateway)
        #expect(removed() == Self.topics)
    }
    #endif
}
#endif
