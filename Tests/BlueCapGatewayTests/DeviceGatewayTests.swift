// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore
import BlueCapGateway
import BlueCapRuntime
import BlueCapSerDe
import Testing

@Suite("A gateway", .timeLimit(.minutes(60)))
struct DeviceGatewayTests {
    private let clock = ManualClock()
    private let messages = PublishedMessages()
    private let sensor = PeerIdentifier("A4:C1:38:00:00:01")
    private static let state = "bluecap/cellar/a4c138000001/state"
    private static let availability = "bluecap/cellar/a4c138000001/availability"
    private static let config = "homeassistant/device/bluecap_a4c138000001/config"

    private func gateway(_ change: (inout GatewayPlan) -> Void = { _ in }) -> DeviceGateway {
        var plan = GatewayPlan(name: "cellar")
        change(&plan)
        return DeviceGateway(plan, publisher: messages, clock: BlueCapClock(clock))
    }

    private func frame(_ objects: (UInt8, Double)...) -> BTHome {
        BTHome(objects: objects.compactMap { BTHomeObject($0, $1) })
    }

    @Test func `publishes the values of a frame as one retained state`() async throws {
        let gateway = gateway()
        await gateway.hear(frame((0x01, 97), (0x02, 21.5), (0x2D, 1)), from: sensor, name: "Cellar", rssi: -63)
        let published = messages.taken()
        let state = try #require(published.last)
        #expect(state.topic == Self.state && state.isRetained)
        #expect(state.text == #"{"battery":97,"rssi":-63,"temperature":21.5,"window":"ON"}"#)
        #expect(state.expiry == 180)
    }

    @Test func `tells Home Assistant of a device once, with the unit and the class of each value`() async throws {
        let gateway = gateway()
        for _ in 0..<3 {
            await gateway.hear(frame((0x02, 21.5), (0x2D, 1)), from: sensor, name: "Cellar", rssi: -63)
        }
        let configurations = messages.taken().filter { $0.topic == Self.config }
        #expect(configurations.count == 1)
        let object = try #require(configurations.first?.object)
        let components = try #require(object["components"] as? [String: [String: Any]])
        #expect(object["state_topic"] as? String == Self.state)
        let availability = try #require(object["availability"] as? [[String: String]])
        #expect(availability.map { $0["topic"] } == ["bluecap/cellar/status", Self.availability])
        #expect(object["availability_mode"] as? String == "all")
        #expect((object["device"] as? [String: Any])?["name"] as? String == "Cellar")
        #expect(components.keys.sorted() == ["rssi", "temperature", "window"])
        let temperature = try #require(components["temperature"])
        #expect(temperature["platform"] as? String == "sensor")
        #expect(temperature["device_class"] as? String == "temperature")
        #expect(temperature["unit_of_measurement"] as? String == "°C")
        #expect(temperature["state_class"] as? String == "measurement")
        #expect(temperature["expire_after"] as? Int == 180)
        #expect(components["window"]?["platform"] as? String == "binary_sensor")
    }

    @Test func `publishes a state that changes at most once a second, and then the newest`() async throws {
        let gateway = gateway()
        for value in [20, 21, 22] as [Double] {
            await gateway.hear(frame((0x02, value)), from: sensor, name: nil, rssi: -60)
        }
        #expect(messages.taken().filter { $0.topic == Self.state }.map { $0.object["temperature"] as? Double } == [20])
        clock.advance(by: .seconds(1))
        await gateway.tick()
        #expect(messages.taken().map { $0.object["temperature"] as? Double } == [22])
        clock.advance(by: .seconds(30))
        await gateway.tick()
        #expect(messages.taken().isEmpty)
    }

    @Test func `publishes each change at once where the shortest time between two is zero`() async {
        let gateway = gateway { $0.shortestInterval = .zero }
        for value in [20, 21, 21, 22] as [Double] {
            await gateway.hear(frame((0x02, value)), from: sensor, name: nil, rssi: -60)
        }
        let states = messages.taken().filter { $0.topic == Self.state }
        #expect(states.map { $0.object["temperature"] as? Double } == [20, 21, 22])
    }

    @Test func `repeats a state that stays the same while its device is heard, and not afterwards`() async {
        let gateway = gateway()
        for _ in 0..<61 {
            await gateway.hear(frame((0x02, 20)), from: sensor, name: nil, rssi: -60)
            clock.advance(by: .seconds(1))
        }
        #expect(messages.taken().count { $0.topic == Self.state } == 2)
        clock.advance(by: .seconds(120))
        await gateway.tick()
        #expect(messages.taken().count { $0.topic == Self.state } == 0)
    }

    @Test func `publishes everything again for a broker that may have lost it`() async {
        let gateway = gateway()
        await gateway.hear(frame((0x02, 20)), from: sensor, name: nil, rssi: -60)
        _ = messages.taken()
        await gateway.publishAgain()
        #expect(messages.taken().map(\.topic) == ["bluecap/cellar/status", Self.config, Self.availability, Self.state])
    }

    @Test func `forgets the device that it has not heard for longest, and removes it from the broker`() async {
        let gateway = gateway { $0.maximumDevices = 2 }
        for number in 1...4 {
            clock.advance(by: .seconds(1))
            let sensor = PeerIdentifier("A4:C1:38:00:00:0\(number)")
            await gateway.hear(frame((0x02, 20)), from: sensor, name: nil, rssi: -60)
        }
        let removed = messages.taken().filter { $0.payload.isEmpty && $0.isRetained }.map(\.topic)
        #expect(removed.prefix(3) == [Self.config, Self.state, Self.availability])
        #expect(await gateway.forgottenCount == 2)
        let told = gateway.events.taken()
        // A sender whose address is another one in each packet fills no log.
        #expect(told.count == 3 && told.last == .forgotten(PeerIdentifier("A4:C1:38:00:00:01")))
    }

    @Test func `publishes that a device is available until it has been silent for longer than its state holds`() async {
        let gateway = gateway()
        await gateway.hear(frame((0x02, 20)), from: sensor, name: nil, rssi: -60)
        #expect(messages.taken().map(\.topic) == [Self.config, Self.availability, Self.state])
        clock.advance(by: .seconds(180))
        await gateway.tick()
        #expect(messages.taken().isEmpty)
        clock.advance(by: .seconds(1))
        await gateway.tick()
        await gateway.tick()
        #expect(messages.taken() == [BrokerMessage(topic: Self.availability, text: "offline", isRetained: true)])
        await gateway.hear(frame((0x02, 20)), from: sensor, name: nil, rssi: -60)
        let back = messages.taken()
        #expect(back.map(\.topic) == [Self.config, Self.availability, Self.state] && back[1].text == "online")
    }

    @Test func `describes a device again whose states have to hold for longer, as it is heard seldom`() async throws {
        let gateway = gateway()
        var expiries: [Int] = []
        for _ in 0..<6 {
            await gateway.hear(frame((0x02, 20)), from: sensor, name: nil, rssi: -60)
            for message in messages.taken() where message.topic == Self.config {
                let components = try #require(message.object["components"] as? [String: [String: Any]])
                expiries.append(try #require(components["temperature"]?["expire_after"] as? Int))
            }
            clock.advance(by: .seconds(600))
        }
        #expect(expiries == [180, 2880])
    }

    @Test func `takes a device that was away for a night for as frequent as it was before`() async {
        let gateway = gateway()
        for number in 0..<60 {
            if number == 50 { clock.advance(by: .seconds(36_000)) }
            await gateway.hear(frame((0x02, 20)), from: sensor, name: nil, rssi: -60)
            clock.advance(by: .seconds(1))
        }
        #expect(messages.taken().last { $0.topic == Self.state }?.expiry == 180)
        clock.advance(by: .seconds(180))
        await gateway.tick()
        #expect(messages.taken().last { $0.topic == Self.availability }?.text == "offline")
    }

    @Test func `publishes no old values of a device that is silent when all is published again`() async {
        let gateway = gateway()
        await gateway.hear(frame((0x02, 20)), from: sensor, name: nil, rssi: -60)
        clock.advance(by: .seconds(181))
        await gateway.tick()
        _ = messages.taken()
        await gateway.publishAgain()
        #expect(messages.taken().map(\.topic) == ["bluecap/cellar/status", Self.config, Self.availability])
    }

    @Test func `describes a device that changes its name all the time at most once a second`() async {
        let gateway = gateway()
        for number in 0..<100 {
            await gateway.hear(frame((0x02, 20)), from: sensor, name: "\(number)", rssi: -60)
        }
        #expect(messages.taken().count { $0.topic == Self.config } == 1)
        clock.advance(by: .seconds(1))
        await gateway.tick()
        let last = messages.taken().first { $0.topic == Self.config }
        #expect((last?.object["device"] as? [String: Any])?["name"] as? String == "99")
    }

    @Test func `publishes everything again once a second, however often Home Assistant starts`() async {
        let gateway = gateway()
        for _ in 0..<1000 { await gateway.publishAgainSoon() }
        await gateway.tick()
        await gateway.tick()
        #expect(messages.taken().count { $0.topic == "bluecap/cellar/status" } == 1)
    }

    @Test func `publishes once that no device is available when the radio is lost`() async {
        let gateway = gateway()
        await gateway.hear(frame((0x02, 20)), from: sensor, name: "Cellar", rssi: -60)
        _ = messages.taken()
        await gateway.radioIsLost("Bluetooth is off")
        await gateway.radioIsLost("there is no Bluetooth LE")
        #expect(messages.taken() == [BrokerMessage(topic: Self.availability, text: "offline", isRetained: true)])
        await gateway.radioIsBack()
        await gateway.radioIsBack()
        #expect(
            gateway.events.taken() == [.device(sensor, name: "Cellar"), .radioLost("Bluetooth is off"), .radioReturned])
        #expect(messages.taken().isEmpty)
    }

    @Test func `counts encrypted frames, and publishes nothing of them`() async throws {
        let gateway = gateway()
        let sealed = try BTHome(bytes: "41a47266c95f730011223378237214")
        await gateway.hear(sealed, from: sensor, name: nil, rssi: -60)
        #expect(await gateway.unreadFrames.encrypted == 1)
        #expect(messages.taken().isEmpty)
    }

    @Test(arguments: ["a/b", "a+b", "a#b", "a\u{0}b", "a b", "é", "a\nb"])
    func `lets no character of a name into a topic that has a meaning there`(name: String) {
        let plan = GatewayPlan(name: name)
        #expect(plan.statusTopic.split(separator: "/").count == 3)
        #expect(plan.statusTopic.unicodeScalars.allSatisfy { $0.isASCII && !"+# \0\n".unicodeScalars.contains($0) })
    }

    @Test func `numbers the second value of a kind`() async throws {
        let gateway = gateway { $0.discoveryPrefix = nil }
        await gateway.hear(frame((0x02, 20), (0x02, 21)), from: sensor, name: nil, rssi: nil)
        #expect(messages.taken().last?.text == #"{"temperature":20,"temperature_2":21}"#)
    }
}

extension BTHome {
    fileprivate init(bytes hex: String) throws { self = try SerDe.deserialize(try Bytes(hex: hex)) }
}
#endif
