// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@testable import BlueCapGateway

@Suite("A gateway with buttons", .timeLimit(.minutes(60)))
struct PressTests {
    private let clock = ManualClock()
    private let messages = PublishedMessages()
    private let sensor = PeerIdentifier("A4:C1:38:00:00:01")
    private static let config = "homeassistant/device/bluecap_a4c138000001/config"
    private static let state = "bluecap/cellar/a4c138000001/state"
    private static let press = "bluecap/cellar/a4c138000001/press"

    private func gateway(_ rules: [GatewayRule] = []) -> DeviceGateway {
        var plan = GatewayPlan(name: "cellar")
        plan.rules = GatewayRules(rules)
        return DeviceGateway(plan, publisher: messages, clock: BlueCapClock(clock))
    }

    /// A gateway that has described the button.
    private func ready(_ rules: [GatewayRule] = []) async -> DeviceGateway {
        let gateway = gateway(rules)
        await hear(gateway, 0x3A, 0, packet: 0)
        clock.advance(by: .seconds(1))
        _ = messages.taken()
        return gateway
    }

    private func frame(_ objects: (UInt8, Double)..., packet: Double? = nil) -> BTHome {
        let all = (packet.map { [(UInt8(0x00), $0)] } ?? []) + objects
        return BTHome(objects: all.compactMap { BTHomeObject($0, $1) })
    }

    private func hear(_ gateway: DeviceGateway, _ id: UInt8, _ value: Double, packet: Double? = nil) async {
        await gateway.hear(frame((id, value), packet: packet), from: sensor, name: nil, rssi: -60)
    }

    /// The payloads of the presses since the last call.
    private func presses() -> [String] { messages.taken().filter { $0.topic == Self.press }.map(\.text) }

    @Test func `one message for a press, which is not kept, although its frame is sent ten times`() async throws {
        let gateway = await ready()
        for _ in 0..<10 {
            await hear(gateway, 0x3A, 1, packet: 5)
            clock.advance(by: .milliseconds(100))
        }
        await gateway.tick()
        let message = try #require(messages.taken().first { $0.topic == Self.press })
        #expect(message.text == #"{"event_type":"press","gateway":"cellar","key":"button","packet":5}"#)
        #expect(!message.isRetained && message.isMomentary && message.expiry == 5)
        #expect(presses().isEmpty)
    }

    @Test func `twenty presses are twenty messages`() async {
        let gateway = await ready()
        for number in 1...20 {
            for _ in 0..<3 { await hear(gateway, 0x3A, 1, packet: Double(number)) }
            clock.advance(by: .milliseconds(300))
        }
        #expect(presses().count == 20)
    }

    @Test func `a number that is back after all others is a new press, and one that comes late is none`() async {
        let gateway = await ready()
        for number in [5, 6, 5, 6] as [Double] { await hear(gateway, 0x3A, 1, packet: number) }
        #expect(presses().count == 2)
        clock.advance(by: .seconds(11))
        await hear(gateway, 0x3A, 1, packet: 7)
        await hear(gateway, 0x3A, 1, packet: 5)
        #expect(presses().count == 2)
        // The newest one may be repeated for long.
        clock.advance(by: .seconds(3600))
        await hear(gateway, 0x3A, 1, packet: 5)
        #expect(presses().isEmpty)
    }

    @Test func `without a number a press ends with two seconds of silence, another press, or none`() async {
        let gateway = await ready()
        let times: [(Double, Duration, Int)] = [
            (1, .zero, 1), (1, .seconds(2), 0), (1, .seconds(2), 0), (1, .milliseconds(2100), 1), (2, .zero, 1),
            (1, .zero, 1), (0, .zero, 0), (1, .zero, 1),
        ]
        for (index, (value, pause, count)) in times.enumerated() {
            clock.advance(by: pause)
            await hear(gateway, 0x3A, value)
            #expect(presses().count == count, "\(index)")
        }
    }

    @Test func `each button and dimmer of a device has its entity and its key`() async throws {
        let gateway = gateway()
        let objects = [BTHomeObject(0x3A, 0), BTHomeObject(0x3A, 4), BTHomeObject(dimmer: .left, steps: 3)]
        await gateway.hear(BTHome(objects: objects.compactMap(\.self)), from: sensor, name: "Wall", rssi: -60)
        let published = messages.taken()
        let config = try #require(published.first { $0.topic == Self.config })
        let components = try #require(config.object["components"] as? [String: [String: Any]])
        #expect(components.keys.sorted() == ["button", "button_2", "dimmer", "rssi"])
        let button = try #require(components["button_2"])
        #expect(button["platform"] as? String == "event" && button["device_class"] as? String == "button")
        #expect(button["state_topic"] as? String == Self.press)
        #expect(button["value_template"] as? String == "{{ value if value_json.key == 'button_2' else '' }}")
        #expect((button["availability"] as? [Any])?.isEmpty == true && button["expire_after"] == nil)
        #expect((button["event_types"] as? [String])?.contains("long_press") == true)
        #expect((button["event_types"] as? [String])?.contains("rotate_left") == false)
        #expect((components["dimmer"]?["event_types"] as? [String])?.contains("rotate_left") == true)
        #expect(published.last { $0.topic == Self.state }?.text == #"{"rssi":-60}"#)
        // Home Assistant subscribes to the topic first.
        #expect(!published.contains { $0.topic == Self.press })
        await gateway.tick()
        #expect(presses().isEmpty)
        clock.advance(by: .seconds(1))
        await gateway.tick()
        #expect(
            presses() == [
                #"{"event_type":"long_press","gateway":"cellar","key":"button_2"}"#,
                #"{"event_type":"rotate_left","gateway":"cellar","key":"dimmer","steps":3}"#,
            ])
    }

    @Test func `a press of a new button waits for its entity, however far apart the states are`() async {
        var rule = GatewayRule()
        rule.times.shortest = .seconds(60)
        let gateway = await ready([rule])
        clock.advance(by: .seconds(20))
        let turn = BTHome(objects: [BTHomeObject(dimmer: .left, steps: 3)].compactMap(\.self))
        await gateway.hear(turn, from: sensor, name: nil, rssi: -60)
        let topics = messages.taken().map(\.topic)
        #expect(topics.contains(Self.config) && !topics.contains(Self.press))
        clock.advance(by: .seconds(1))
        await gateway.tick()
        #expect(presses().count == 1)
    }

    @Test func `a press of a new button is published with the first packet of any device when its entity is known`()
        async throws
    {
        try await VirtualRadio.run(seed: 1) { [messages] radio in
            let data = VirtualAdvertising(data: PeripheralAdvertisements(localName: "Other"))
            radio.add(VirtualPeripheral(name: "Other", address: "C0:DE:00:00:00:01", advertising: data))
            let central = CentralManager(backend: radio.central(), configuration: .init(clock: radio.clock))
            let gateway = DeviceGateway(GatewayPlan(name: "cellar"), publisher: messages, clock: radio.clock)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await LastingScan(central: central, gateway: gateway, clock: radio.clock).run() }
                defer { group.cancelAll() }
                try await radio.clock.sleep(for: .seconds(11))
                let frame = BTHome(objects: [BTHomeObject(0x3A, 1)].compactMap(\.self))
                let button = VirtualPeripheral(
                    name: "Button", address: "A4:C1:38:00:00:01", advertising: VirtualAdvertising(frame.advertisement))
                radio.add(button)
                try await radio.clock.sleep(for: .milliseconds(400))
                button.vanish()
                try await radio.clock.sleep(for: .seconds(1))
                #expect(messages.taken().filter { $0.topic == Self.press }.count == 1)
            }
            await central.invalidate()
        }
    }

    @Test func `a press is no change of the state`() async {
        let gateway = await ready()
        clock.advance(by: .seconds(5))
        await hear(gateway, 0x3A, 1, packet: 5)
        #expect(messages.taken().map(\.topic) == [Self.press])
    }

    @Test(arguments: [3, 11])
    func `a frame that was there at the start is no press, and a first one later is`(seconds: Int64) async {
        let gateway = gateway()
        await gateway.radioIsBack()
        clock.advance(by: .seconds(seconds))
        for _ in 0..<10 {
            await hear(gateway, 0x3A, 1, packet: 5)
            clock.advance(by: .milliseconds(500))
            await gateway.tick()
        }
        #expect(presses().count == (seconds < 10 ? 0 : 1))
        await hear(gateway, 0x3A, 1, packet: 6)
        #expect(presses().count == 1)
    }

    @Test func `what was pressed while the radio was off is no press when it is back`() async {
        let gateway = await ready()
        await gateway.radioIsLost("Bluetooth is off")
        clock.advance(by: .seconds(20))
        await gateway.radioIsBack()
        clock.advance(by: .seconds(1))
        await hear(gateway, 0x3A, 1, packet: 5)
        await hear(gateway, 0x3A, 1, packet: 5)
        #expect(presses().isEmpty)
        await hear(gateway, 0x3A, 1, packet: 6)
        #expect(presses().count == 1)
    }

    @Test func `a rule that names other values publishes no presses`() async {
        var rule = GatewayRule()
        rule.values = ["battery"]
        let gateway = gateway([rule])
        for packet in 1...3 {
            await gateway.hear(
                frame((0x01, 90), (0x3A, 1), packet: Double(packet)), from: sensor, name: nil, rssi: -60)
            clock.advance(by: .seconds(1))
            await gateway.tick()
        }
        #expect(presses().isEmpty)
    }

    @Test(arguments: [0x00, 0x07, 0x7F, 0xFE, 0xFF] as [Double])
    func `a byte that is no press is none`(value: Double) async {
        let gateway = await ready()
        await hear(gateway, 0x3A, value, packet: 5)
        #expect(presses().isEmpty)
    }

    @Test func `a device that presses all the time leaves no more than sixteen to wait`() async {
        let gateway = gateway()
        for number in 0..<250 { await hear(gateway, 0x3A, 1, packet: Double(number)) }
        clock.advance(by: .seconds(1))
        await gateway.tick()
        #expect(presses().count == 16)
    }

    // MARK: The broker

    @Test func `a press waits for its entity where the broker may have lost it`() async {
        let gateway = await ready()
        clock.advance(by: .seconds(60))
        await gateway.publishAgain()
        await hear(gateway, 0x3A, 1, packet: 5)
        let topics = messages.taken().map(\.topic)
        #expect(topics.contains(Self.config) && !topics.contains(Self.press))
        clock.advance(by: .seconds(1))
        await gateway.tick()
        #expect(presses().count == 1)
    }

    @Test func `an event neither takes the place of another nor outlives its connection`() {
        var queue = BrokerQueue(capacity: 16, endsWithConnection: false)
        var event = BrokerMessage(topic: Self.press, text: "{}")
        event.isMomentary = true
        #expect(!queue.add(event, at: 0) && queue.outdatedCount == 1)
        queue.open()
        for number in 0..<300 {
            _ = queue.add(event, at: 0)
            // However many presses come behind it, the state stays.
            if number == 30 { _ = queue.add(BrokerMessage(topic: Self.state, text: "{}"), at: 0) }
        }
        #expect(queue.count == 36 && queue.replacedCount == 0 && queue.droppedCount == 265)
        #expect(queue.messages.map(\.message.topic) == [Self.state])
        #expect(queue.take()?.topic == Self.press)
        queue.sent(1)
        queue.endConnection()
        #expect(queue.count == 1 && queue.outdatedCount == 36)
        queue.open()
        #expect(queue.take()?.topic == Self.state && queue.take() == nil)
    }

    @Test func `a press that a slow broker does not take within its time is not sent`() {
        var queue = BrokerQueue(capacity: 16, endsWithConnection: false)
        queue.open()
        let press = GatewayPlan(name: "cellar").press(
            PressLog.Heard(press: SensorEvent(.button, 1, .press), number: 5), "a4c138000001")
        for date: Int64 in [100, 101, 106] { _ = queue.add(press, at: date) }
        for number in 0..<20 { _ = queue.add(BrokerMessage(topic: "\(number)", text: "{}"), at: 106) }
        _ = queue.add(press, at: 101)
        #expect(queue.take(at: 106)?.topic == Self.press)
        queue.sent(1)
        // It was 101, the first of those that still count, and the next is 106.
        #expect(queue.outdatedCount == 1 && queue.take(at: 108)?.topic == Self.press)
        queue.sent(2)
        var topics: [String] = []
        while let message = queue.take(at: 110) {
            topics.append(message.topic)
            queue.sent(Int32(2 + topics.count))
            _ = queue.acknowledge(Int32(2 + topics.count))
        }
        #expect(topics == (0..<20).map { "\($0)" })
        #expect(queue.outdatedCount == 2 && queue.count == 2)
    }
}
#endif
