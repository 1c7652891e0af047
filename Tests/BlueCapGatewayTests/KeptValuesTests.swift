// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore
import BlueCapProfiles
import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapGateway

@Suite("A gateway with devices that are on only while they measure", .timeLimit(.minutes(60)))
struct KeptValuesTests {
    private let clock = ManualClock()
    private let messages = PublishedMessages()
    private let scale = PeerIdentifier("A4:C1:38:00:00:01")
    private static let config = "homeassistant/device/bluecap_a4c138000001/config"
    private static let state = "bluecap/cellar/a4c138000001/state"
    private static let availability = "bluecap/cellar/a4c138000001/availability"

    private func gateway(
        _ change: (inout GatewayRule) -> Void = { _ in }, _ plan: (inout GatewayPlan) -> Void = { _ in }
    ) -> DeviceGateway {
        var rule = GatewayRule()
        change(&rule)
        var settings = GatewayPlan(name: "cellar")
        settings.rules = GatewayRules([rule])
        plan(&settings)
        let clock = clock
        let date = { @Sendable in Timestamp(sinceEpoch: .seconds(1_700_000_000) + clock.now.elapsed) }
        return DeviceGateway(settings, publisher: messages, clock: BlueCapClock(clock, date: date))
    }

    /// Lets the gateway hear a scale with a mass that has settled, in steps of 5 g.
    private func weigh(_ gateway: DeviceGateway, _ steps: UInt16 = 14_000, flags: UInt8 = 0x22) async {
        let frame = Bytes([flags, UInt8(steps & 0xFF), UInt8(steps >> 8), 0xE7, 0x07, 11, 14, 22, 13, 20])
        let readings = SensorFormats.shipped.readings(
            in: PeripheralAdvertisements(serviceData: ["181D": frame]))
        await gateway.hear(readings, from: scale, name: "Scale", rssi: -60)
    }

    private func warm(_ gateway: DeviceGateway) async {
        let frame = BTHome(objects: [BTHomeObject(0x02, 20)].compactMap(\.self))
        await gateway.hear(frame, from: scale, name: nil, rssi: -60)
    }

    private func states() -> [String] { messages.taken().filter { $0.topic == Self.state }.map(\.text) }

    @Test func `a scale's value stays with its time, and is not described as one that ends`() async throws {
        let gateway = gateway()
        await weigh(gateway)
        let published = messages.taken()
        let state = try #require(published.first { $0.topic == Self.state })
        #expect(state.text == #"{"mass":70,"measured":"2023-11-14T22:13:20.000Z","rssi":-60}"#)
        #expect(state.isRetained && state.expiry == nil)
        let config = try #require(published.first { $0.topic == Self.config }).object
        #expect((config["availability"] as? [[String: String]])?.map { $0["topic"] } == ["bluecap/cellar/status"])
        let components = try #require(config["components"] as? [String: [String: Any]])
        #expect(components.keys.sorted() == ["mass", "measured", "rssi"])
        #expect(components.values.allSatisfy { $0["expire_after"] == nil })
        #expect(components["measured"]?["device_class"] as? String == "timestamp")
        // It switches itself off: the topic says so, and the value stays.
        clock.advance(by: .seconds(3600))
        await gateway.tick()
        #expect(messages.taken() == [BrokerMessage(topic: Self.availability, text: "offline", isRetained: true)])
        await gateway.publishAgain()
        let again = messages.taken()
        #expect(again.map(\.topic) == ["bluecap/cellar/status", Self.config, Self.availability, Self.state])
        #expect(again.last == state)
    }

    @Test func `frames of one measurement have one time, and the next measurement has its own`() async {
        let gateway = gateway()
        for _ in 0..<15 {
            await weigh(gateway)
            clock.advance(by: .seconds(1))
        }
        #expect(states() == [#"{"mass":70,"measured":"2023-11-14T22:13:20.000Z","rssi":-60}"#])
        // The same person an hour later, and another one at once.
        clock.advance(by: .seconds(3585))
        await weigh(gateway)
        #expect(states() == [#"{"mass":70,"measured":"2023-11-14T23:13:20.000Z","rssi":-60}"#])
        clock.advance(by: .seconds(2))
        await weigh(gateway, 12_000)
        #expect(states() == [#"{"mass":60,"measured":"2023-11-14T23:13:22.000Z","rssi":-60}"#])
    }

    @Test func `the unit that a flag of the frame chooses is described`() async throws {
        let gateway = gateway()
        await weigh(gateway)
        _ = messages.taken()
        clock.advance(by: .seconds(60))
        await weigh(gateway, 15_432, flags: 0x23)
        let published = messages.taken()
        let config = try #require(published.first { $0.topic == Self.config }).object
        let components = try #require(config["components"] as? [String: [String: Any]])
        #expect(components["mass"]?["unit_of_measurement"] as? String == "lb")
        #expect(published.last?.object["mass"] as? Double == 154.32)
    }

    @Test func `a rule keeps the values of other devices, and lets those of a scale end`() async throws {
        let keeping = gateway { $0.keepsValues = true }
        await warm(keeping)
        let kept = try #require(messages.taken().first { $0.topic == Self.state })
        #expect(kept.text == #"{"measured":"2023-11-14T22:13:20.000Z","rssi":-60,"temperature":20}"#)
        #expect(kept.expiry == nil)
        let ending = gateway { $0.keepsValues = false }
        await weigh(ending)
        let ended = try #require(messages.taken().first { $0.topic == Self.state })
        #expect(ended.text == #"{"mass":70,"rssi":-60}"# && ended.expiry == 180)
    }

    @Test func `a rule that keeps values is taken while it runs`() async throws {
        let gateway = gateway()
        await warm(gateway)
        _ = messages.taken()
        var rule = GatewayRule()
        rule.keepsValues = true
        clock.advance(by: .seconds(1))
        await gateway.adopt(GatewayRules([rule]), shortestInterval: .seconds(1), longestInterval: nil)
        let published = messages.taken()
        #expect(published.map(\.topic) == [Self.config, Self.state] && published[1].expiry == nil)
        #expect((published[0].object["availability"] as? [Any])?.count == 1)
    }

    /// The topics, with a mark behind each of a message that removes another from the broker.
    private func topics(_ messages: [BrokerMessage]) -> [String] {
        messages.map { $0.topic + ($0.payload.isEmpty ? " -" : "") }
    }

    private func components(_ message: BrokerMessage?) -> [String] {
        (message?.object["components"] as? [String: Any])?.keys.sorted() ?? []
    }

    @Test func `the time of a measurement is described with the first one behind the rule that keeps it`() async {
        let gateway = gateway()
        await warm(gateway)
        var rule = GatewayRule()
        rule.keepsValues = true
        await gateway.adopt(GatewayRules([rule]), shortestInterval: .seconds(1), longestInterval: nil)
        clock.advance(by: .seconds(2))
        _ = messages.taken()
        await warm(gateway)
        #expect(components(messages.taken().first { $0.topic == Self.config }) == ["measured", "rssi", "temperature"])
    }

    @Test func `the time of a measurement goes from Home Assistant with the rule that keeps the values`() async {
        let gateway = gateway { $0.keepsValues = true }
        await warm(gateway)
        clock.advance(by: .seconds(2))
        _ = messages.taken()
        await gateway.adopt(GatewayRules(), shortestInterval: .seconds(1), longestInterval: nil)
        let published = messages.taken()
        let all = [Self.config, Self.state, Self.availability]
        #expect(topics(published) == all.map { $0 + " -" } + [Self.config, Self.availability, Self.state])
        #expect(components(published.last { $0.topic == Self.config }) == ["rssi", "temperature"])
        #expect(published.last?.text == #"{"rssi":-60,"temperature":20}"#)
    }

    @Test func `a tracker goes from Home Assistant with the rule for presence, also of a device that is away`() async {
        let gateway = gateway { $0.times.presence = .seconds(60) }
        await warm(gateway)
        #expect(components(messages.taken().first) == ["rssi", "temperature", "tracker"])
        clock.advance(by: .seconds(61))
        await gateway.tick()
        #expect(messages.taken().map(\.text) == ["offline"])
        await gateway.adopt(GatewayRules(), shortestInterval: .seconds(1), longestInterval: nil)
        let published = messages.taken()
        #expect(published.first { $0.topic == Self.config }?.payload.isEmpty == true)
        #expect(components(published.last { $0.topic == Self.config }) == ["rssi", "temperature"])
        #expect(published.last { $0.topic == Self.availability }?.text == "offline")
    }

    @Test func `a rule that fits later by a service describes a tracker, however short its time is`() async {
        let gateway = gateway {
            $0.match.service = "181A"
            $0.times.presence = .seconds(30)
        }
        await warm(gateway)
        clock.advance(by: .seconds(2))
        _ = messages.taken()
        let frame = BTHome(objects: [BTHomeObject(0x02, 20)].compactMap(\.self))
        await gateway.hear(frame, from: scale, name: nil, services: ["181A"], rssi: -60)
        let config = messages.taken().first { $0.topic == Self.config }
        #expect(components(config) == ["rssi", "temperature", "tracker"])
        // It has that service, also where a packet leaves it out.
        clock.advance(by: .seconds(20))
        await warm(gateway)
        #expect(messages.taken().map(\.topic) == [Self.state])
    }

    @Test func `frames that come in turn do not remove the values that the rule of the others leaves out`() async {
        let gateway = gateway {
            $0.match.format = "Mi Smart Scale"
            $0.values = ["mass"]
        }
        await weigh(gateway)
        for _ in 0..<10 {
            clock.advance(by: .seconds(2))
            await warm(gateway)
            clock.advance(by: .seconds(2))
            await weigh(gateway)
        }
        let published = messages.taken()
        #expect(!published.contains { $0.payload.isEmpty })
        #expect(published.filter { $0.topic == Self.config }.count == 2)
    }

    @Test func `rules of frames that come in turn leave the tracker of one of them alone`() async {
        let gateway = gateway {
            $0.match.format = "Mi Smart Scale"
            $0.times.presence = .seconds(60)
        }
        await weigh(gateway)
        #expect(components(messages.taken().first) == ["mass", "measured", "rssi", "tracker"])
        for _ in 0..<10 {
            clock.advance(by: .seconds(2))
            await warm(gateway)
            clock.advance(by: .seconds(2))
            await weigh(gateway)
        }
        let published = messages.taken()
        // For the temperature, which is new, and with the tracker again.
        let configs = published.filter { $0.topic == Self.config }
        #expect(configs.count == 2 && !published.contains { $0.payload.isEmpty })
        #expect(components(configs.last) == ["mass", "measured", "rssi", "temperature", "tracker"])
    }

    @Test func `a device whose values stay gives way behind the others`() async {
        let gateway = gateway({ _ in }, { $0.maximumDevices = 2 })
        await weigh(gateway)
        for number in 2...3 {
            clock.advance(by: .seconds(1))
            let frame = BTHome(objects: [BTHomeObject(0x02, 20)].compactMap(\.self))
            await gateway.hear(frame, from: PeerIdentifier("A4:C1:38:00:00:0\(number)"), name: nil, rssi: -60)
        }
        let removed = messages.taken().filter { $0.payload.isEmpty && $0.isRetained }.map(\.topic)
        #expect(removed.first == "homeassistant/device/bluecap_a4c138000002/config")
    }

    @Test func `after a restart the broker keeps the values`() async {
        let gateway = gateway()
        await gateway.find(BrokerMessage(topic: Self.availability, text: "online", isRetained: true))
        await gateway.publishAgain()
        #expect(messages.taken().map(\.topic) == [Self.availability, "bluecap/cellar/status"])
    }

    @Test(arguments: [
        ("2A35", "0078005000" + "5A00", true), ("2A9D", "00B036", true), ("2A1C", "00FF0000FE", true),
        ("2A37", "0048", false),
    ])
    func `cuffs, scales and thermometers of patients are on only while they measure`(
        uuid: String, value: String, isMomentary: Bool
    ) throws {
        let id = try BluetoothUUID(text: uuid)
        let profile = try #require(
            BLESIGGATTProfiles.services.lazy.flatMap(\.characteristics).first { $0.uuid == id })
        let values = try #require(BlueCapGateway.Measurement.all(in: try Bytes(hex: value), of: profile))
        #expect(values.contains { $0.kind.isMomentary } == isMomentary)
    }
}
#endif
