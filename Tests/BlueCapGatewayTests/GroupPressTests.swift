// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore
import BlueCapRuntime
import Foundation
import Testing

@testable import BlueCapGateway

/// Two gateways that hear one button, and the broker between them.
@Suite("Gateways of a group with buttons", .timeLimit(.minutes(60)))
final class GroupPressTests {
    private let clock = ManualClock()
    private let sensor = PeerIdentifier("A4:C1:38:00:00:01")
    private static let press = "bluecap/home/a4c138000001/press"
    private static let owner = "bluecap/home/a4c138000001/owner"
    private let sent = ["attic": PublishedMessages(), "cellar": PublishedMessages()]
    private var gateways: [String: DeviceGateway] = [:]
    /// The presses that came to the broker.
    private var presses: [String] = []

    private func start(hearing: [String] = ["attic", "cellar"]) async throws {
        for (name, messages) in sent {
            var plan = GatewayPlan(name: name)
            plan.group = "home"
            let gateway = DeviceGateway(plan, publisher: messages, clock: BlueCapClock(clock))
            gateways[name] = gateway
            await gateway.brokerIsBack()
        }
        await pass()
        for name in hearing { try await hear(name, packet: 0, press: 0) }
        try await claim("attic")
        for _ in 0..<20 { await live() }
        presses = []
    }

    /// Hands the messages of all gateways to all.
    private func pass() async {
        for name in sent.keys.sorted() {
            for message in sent[name]?.taken() ?? [] where !message.topic.hasPrefix("homeassistant") {
                // Tests say who owns the button.
                if message.topic.hasSuffix("/owner") { continue }
                if message.topic == Self.press { presses.append(message.text) }
                for gateway in gateways.values where !message.topic.hasSuffix("/state") { await gateway.find(message) }
            }
        }
    }

    private func live() async {
        clock.advance(by: .milliseconds(100))
        for gateway in gateways.values { await gateway.tendGroup() }
        await pass()
    }

    private func claim(_ name: String) async throws {
        let claim = BrokerMessage(topic: Self.owner, text: #"{"owner":"\#(name)","rssi":-60}"#, isRetained: true)
        for gateway in gateways.values { await gateway.find(claim) }
    }

    private func hear(_ name: String, packet: Double, press: Double = 1) async throws {
        let frame = BTHome(objects: [BTHomeObject(0x00, packet), BTHomeObject(0x3A, press)].compactMap(\.self))
        await gateways[name]?.hear(frame, from: sensor, name: nil, rssi: -60)
    }

    @Test func `the owner alone publishes a press that both hear`() async throws {
        try await start()
        for _ in 0..<5 {
            for name in ["cellar", "attic"] { try await hear(name, packet: 5) }
            await live()
        }
        #expect(presses == [#"{"event_type":"press","gateway":"attic","key":"button","packet":5}"#])
    }

    @Test func `a change of the owner while the frame is repeated makes no second press`() async throws {
        try await start()
        try await hear("attic", packet: 5)
        // The other one gets the device before the press has come to it.
        try await claim("cellar")
        for _ in 0..<20 {
            for name in ["cellar", "attic"] { try await hear(name, packet: 5) }
            await live()
        }
        #expect(presses.count == 1)
        try await hear("cellar", packet: 6)
        await live()
        #expect(presses.count == 2)
    }

    @Test func `a press that the owner of before did not hear is published by the next`() async throws {
        try await start()
        try await hear("cellar", packet: 5)
        await live()
        #expect(presses.isEmpty)
        try await claim("cellar")
        for _ in 0..<10 { await live() }
        #expect(presses == [#"{"event_type":"press","gateway":"cellar","key":"button","packet":5}"#])
    }

    @Test func `a press that was published before the next owner heard the device is none of its own`() async throws {
        try await start(hearing: ["attic"])
        try await hear("attic", packet: 5)
        await live()
        for _ in 0..<10 { try await hear("cellar", packet: 5) }
        try await claim("cellar")
        for _ in 0..<30 {
            try await hear("cellar", packet: 5)
            await live()
        }
        #expect(presses.count == 1)
        try await hear("cellar", packet: 6)
        await live()
        #expect(presses.count == 2)
    }

    @Test func `a press that had no owner for too long is forgotten`() async throws {
        try await start()
        try await hear("cellar", packet: 5)
        for _ in 0..<60 { await live() }
        try await claim("cellar")
        for _ in 0..<20 { await live() }
        #expect(presses.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a press of before a connection is forgotten, as another gateway may have published it`(
        isHeardBefore: Bool
    ) async throws {
        try await start()
        if isHeardBefore { try await hear("cellar", packet: 5) }
        await gateways["cellar"]?.brokerIsLost()
        await gateways["cellar"]?.brokerIsBack()
        await live()
        // It repeats the frame.
        try await hear("cellar", packet: 5)
        try await claim("cellar")
        for _ in 0..<20 { await live() }
        #expect(presses.isEmpty)
        try await hear("cellar", packet: 6)
        await live()
        #expect(presses.count == 1)
    }

    @Test func `a press soon after a connection is published by the gateway that owns the device again`() async throws {
        try await start()
        await gateways["attic"]?.brokerIsLost()
        await gateways["attic"]?.brokerIsBack()
        await live()
        try await claim("attic")
        try await hear("attic", packet: 5)
        for _ in 0..<20 { await live() }
        #expect(presses.count == 1)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"event_type":"press","gateway":"attic","key":7}"#,
        #"{"event_type":"press","gateway":"attic","key":"a/b"}"#, #"{"event_type":"press","gateway":"attic","key":""}"#,
        #"{"event_type":"press","gateway":"attic","key":"button_01"}"#,
        #"{"event_type":"press","gateway":"attic","key":"button_-2"}"#,
        #"{"event_type":"press","gateway":"a/b","key":"button"}"#,
        #"{"event_type":"knock","gateway":"attic","key":"button"}"#,
        #"{"event_type":"press","gateway":"attic","key":"button","packet":-1}"#,
        #"{"event_type":"press","gateway":"attic","key":"button","packet":1e300}"#,
        #"{"event_type":"press","gateway":"attic","key":"button","packet":5.5}"#,
        #"{"event_type":"press","gateway":"attic","key":"\#(String(repeating: "b", count: 600))"}"#,
    ])
    func `a message that is no press is ignored`(text: String) async throws {
        try await start()
        let before = await gateways["cellar"]?.ignoredMessages ?? 0
        await gateways["cellar"]?.find(BrokerMessage(topic: Self.press, text: text))
        #expect(await gateways["cellar"]?.ignoredMessages == before + 1)
        #expect(PressMessage(payload: Array(text.utf8)) == nil)
    }

    @Test func `a payload is read as it was written`() throws {
        let heard = PressLog.Heard(press: SensorEvent(.dimmer, 2, .rotateLeft, count: 3), number: 255)
        let message = try #require(PressMessage(payload: PressMessage(heard, by: "attic").payload))
        #expect(message.press == heard && message.gateway == "attic")
    }
}
#endif
