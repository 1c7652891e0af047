// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCapCore
import BlueCapProfiles
import BlueCapRuntime
import Foundation
import Testing

@testable import BlueCapGateway

@Suite("The service of a gateway", .timeLimit(.minutes(60)))
struct GatewayServiceTests {
    private static let status = "bluecap/cellar/status"
    private static let state = "bluecap/cellar/a4c138000001/state"

    private static func folder() -> String { NSTemporaryDirectory() + "/bluecap-\(UUID().uuidString)" }

    private static func end(_ events: [GatewayEvent]) throws -> GatewayEnd {
        guard case .ended(let end) = try #require(events.last) else { throw BrokerFailure.setup("no end is reported") }
        return end
    }

    // MARK: A run

    @Test func `publishes the devices that it hears, and says farewell at its end`() async throws {
        try await ServiceScene.play { scene in
            scene.broker.connect()
            #expect(!scene.broker.notes.isOpened)
            try await scene.run(for: .seconds(5))
            let messages = scene.broker.taken()
            #expect(messages.contains { $0.topic == Self.state && $0.text.contains(#""temperature":21.5"#) })
            #expect(messages.last == BrokerMessage(topic: Self.status, text: "offline", isRetained: true))
            #expect(scene.broker.notes.isOpened && scene.broker.notes.isClosed)
            let events = scene.taken()
            #expect(events.dropLast() == [.device(ServiceScene.sensor, name: ServiceScene.sensor.text)])
            let end = try Self.end(events)
            #expect((end.numbers.devices, end.numbers.messages.connections, end.lost) == (1, 1, 0))
            #expect(end.numbers.readFrames > 0 && end.kept == nil && end.ignored == nil)
        }
    }

    @Test func `fails where its time passes without the broker, after the report of its end`() async throws {
        try await ServiceScene.play { scene in
            await #expect(throws: BrokerFailure.unreached(scene.broker.address)) {
                try await scene.run(for: .seconds(2))
            }
            #expect(scene.broker.notes.isClosed)
            let end = try Self.end(scene.taken())
            #expect(end.numbers.messages.connections == 0)
        }
    }

    @Test func `reports its end, and says farewell, where it is cancelled`() async throws {
        try await ServiceScene.play { scene in
            try await scene.run { try await scene.pass(2) }
            #expect(scene.broker.notes.isClosed && scene.broker.taken().last?.text == "offline")
            let end = try Self.end(scene.taken())
            #expect(end.numbers.messages.connections == 0)
        }
    }

    @Test func `ends when its events are not taken any more, with a farewell`() async throws {
        struct Closed: Error {}
        try await ServiceScene.play { scene in
            let calls = Locked(0)
            await #expect(throws: Closed.self) {
                try await scene.service.run {
                    _ in
                    calls.withLock { $0 += 1 }
                    throw Closed()
                }
            }
            // The device, and the end.
            #expect(calls.withLock(\.self) == 2)
            #expect(scene.broker.notes.isClosed && scene.broker.taken().last?.text == "offline")
        }
    }

    // MARK: The broker

    @Test func `publishes all again over a new connection, and reports each change of it once`() async throws {
        try await ServiceScene.play { scene in
            try await scene.run {
                try await scene.pass(2)
                _ = scene.broker.taken()
                scene.broker.connect()
                try await scene.pass(15)
                let topics = scene.broker.taken().map(\.topic)
                #expect(topics.contains(Self.status) && topics.contains(Self.state))
                for _ in 0..<3 { scene.broker.events.push(.lost("closed")) }
                scene.broker.events.push(.refused(BrokerRefusal(code: 5)))
                scene.broker.connect()
                for _ in 0..<2 { scene.broker.events.push(.unsubscribed(topic: "homeassistant/status")) }
                try await scene.pass(2)
            }
            let wanted: [GatewayEvent] = [
                .device(ServiceScene.sensor, name: ServiceScene.sensor.text), .brokerConnected, .brokerLost("closed"),
                .brokerRefused("this client is not authorized"), .brokerConnected,
                .topicDenied("homeassistant/status"),
            ]
            #expect(scene.taken().dropLast() == wanted)
        }
    }

    @Test func `publishes all again for a Home Assistant that has just started`() async throws {
        try await ServiceScene.play { scene in
            try await scene.run {
                try await scene.pass(5)
                for (text, isRetained) in [("online", true), ("offline", false), ("online", false)] {
                    _ = scene.broker.taken()
                    let birth = BrokerMessage(topic: "homeassistant/status", text: text, isRetained: isRetained)
                    scene.broker.events.push(.received(birth))
                    try await scene.pass(2)
                    let isAgain = scene.broker.taken().contains { $0.topic == Self.status }
                    #expect(isAgain == (text == "online" && !isRetained))
                }
            }
        }
    }

    @Test func `removes a device of an earlier run that no rule publishes`() async throws {
        var configuration = GatewayConfiguration(machine: "cellar")
        var hidden = GatewayRule()
        hidden.isPublished = false
        configuration.plan.rules = GatewayRules([hidden])
        try await ServiceScene.play(configuration) { scene in
            try await scene.run {
                let kept = BrokerMessage(
                    topic: "bluecap/cellar/a4c138000009/availability", text: "online", isRetained: true)
                scene.broker.events.push(.received(kept))
                try await scene.pass(1)
                #expect(scene.broker.taken().contains { $0.topic == kept.topic && $0.payload.isEmpty })
            }
        }
    }

    @Test func `hands messages of the topics for commands on, and those that were too long`() async throws {
        try await ServiceScene.play { scene in
            try await scene.run {
                try await scene.pass(1)
                let topic = "bluecap/cellar/a4c138000001/set"
                scene.broker.events.push(.received(BrokerMessage(topic: topic, text: "{}")))
                scene.broker.events.push(.oversized(topic: topic))
                scene.broker.events.push(.oversized(topic: "homeassistant/status"))
                try await scene.pass(1)
            }
            let refused = [SetCommand.Refusal.unknownDevice, .oversized].map {
                GatewayEvent.commandRefused($0.rawValue)
            }
            let events = scene.taken()
            #expect(events.filter { if case .commandRefused = $0 { true } else { false } } == refused)
            let end = try Self.end(events)
            #expect(end.numbers.connections.refused == 2)
        }
    }

    @Test func `asks the broker again after events for which there was no room, once in a minute`() async throws {
        try await ServiceScene.play { scene in
            try await scene.run {
                for count in 1...5 {
                    scene.broker.change { $0.counts.missedEvents = count }
                    try await scene.pass(2)
                }
                #expect(scene.broker.notes.questions == 1)
                try await scene.pass(60)
                #expect(scene.broker.notes.questions == 2)
            }
        }
    }

    @Test func `gives signs of life within a group, and none without`() async throws {
        for group in ["home", nil] {
            var configuration = GatewayConfiguration(machine: "cellar")
            configuration.plan.group = group
            try await ServiceScene.play(configuration) { scene in
                try await scene.run {
                    scene.broker.connect()
                    try await scene.pass(5)
                    let signs = scene.broker.taken().count { $0.topic == "bluecap/home/cellar/alive" }
                    #expect((signs > 1) == (group != nil))
                }
                let end = try Self.end(scene.taken())
                #expect(end.ignored == group.map { _ in 0 })
            }
        }
    }

    // MARK: The program around it

    @Test func `takes its numbers once a second`() async throws {
        let numbers = Locked<[GatewayNumbers]>([])
        try await ServiceScene.play { host in
            host.measure = { new in numbers.withLock { $0.append(new) } }
        } _: { scene in
            scene.broker.connect()
            try await scene.run(for: .milliseconds(5500))
        }
        let found = numbers.withLock(\.self)
        #expect(found.count == 6)
        #expect(found.last?.devices == 1 && found.last?.isRadioOn == true && found.last?.isBrokerConnected == true)
        #expect(found.last?.unwrittenStates == nil)
    }

    @Test func `takes the rules of a configuration that is read again, and names the rest`() async throws {
        var new = GatewayConfiguration(machine: "cellar")
        var hidden = GatewayRule()
        hidden.isPublished = false
        var commanded = GatewayRule()
        commanded.match.address = PeerIdentifier("C0:DE:00:00:00:02")
        commanded.connection = ConnectionRule()
        commanded.connection?.write = [try CharacteristicName("180F/2A19", in: .standard)]
        (new.plan.rules, new.plan.prefix) = (GatewayRules([commanded, hidden]), "house")
        let files = Locked<[Result<GatewayConfiguration, GatewayHost.Rereading.Refusal>]>([
            .failure(.init(reason: "gateway.json:1:1: this is not JSON")), .success(new),
        ])
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        try await ServiceScene.play { host in
            host.rereading = GatewayHost.Rereading(requests: requests) {
                () throws(GatewayHost.Rereading.Refusal) in try files.withLock { $0.removeFirst() }.get()
            }
        } _: { scene in
            try await scene.run {
                try await scene.pass(5)
                _ = scene.broker.taken()
                request.yield()
                try await scene.pass(1)
                #expect(scene.broker.taken().isEmpty && scene.broker.notes.topics.isEmpty)
                request.yield()
                try await scene.pass(1)
                #expect(scene.broker.taken().contains { $0.topic == Self.state && $0.payload.isEmpty })
                #expect(scene.broker.notes.topics == ["bluecap/cellar/+/set"])
            }
            let wanted: [GatewayEvent] = [
                .device(ServiceScene.sensor, name: ServiceScene.sensor.text),
                .configurationRefused("gateway.json:1:1: this is not JSON"), .removed(ServiceScene.sensor),
                .configurationRead(keysForNextStart: ["prefix"]),
            ]
            #expect(scene.taken().dropLast() == wanted)
        }
    }

    // MARK: The file for the next start

    @Test func `keeps the messages that wait for its next start, but its status`() async throws {
        var configuration = GatewayConfiguration(machine: "cellar")
        let folder = Self.folder()
        configuration.state = folder
        let waiting = [Self.status, Self.state].map {
            WaitingMessage(message: BrokerMessage(topic: $0, text: "{}", isRetained: true), date: 7)
        }
        try await ServiceScene.play(configuration) { scene in
            #expect(scene.restored.isEmpty)
            scene.broker.change { $0.waiting = waiting }
            try await scene.run { try await scene.pass(1) }
            let end = try Self.end(scene.taken())
            #expect((end.kept, end.lost, end.numbers.unwrittenStates) == (1, 1, 0))
        }
        try await ServiceScene.play(configuration) { scene in
            #expect(scene.restored.map(\.message) == [waiting[1].message])
        }
    }

    @Test func `reports that the file cannot be used, also where it is cancelled at once`() async throws {
        var configuration = GatewayConfiguration(machine: "cellar")
        let folder = Self.folder()
        configuration.state = folder
        let other = StateFile(folder: folder, gateway: "cellar") { _ in }
        try await ServiceScene.play(configuration) { scene in
            try await scene.run {}
            let events = scene.taken()
            let faults = events.filter { if case .stateFault = $0 { true } else { false } }
            #expect(faults.count == 1 && events.count == 2)
            let end = try Self.end(events)
            #expect((end.kept, end.numbers.unwrittenStates) == (0, 1))
        }
        _ = await other.finish(GatewayState())
    }

    @Test func `reports a fault of the file that comes behind its end, and nothing else`() async throws {
        try await ServiceScene.play { scene in
            scene.broker.change {
                $0.ending = {
                    scene.service.events.push(.stateFault("the disk is full"))
                    scene.service.events.push(.radioLost("the end"))
                }
            }
            try await scene.run { try await scene.pass(5) }
            let events = scene.taken()
            let wanted: [GatewayEvent] = [
                .device(ServiceScene.sensor, name: ServiceScene.sensor.text), .stateFault("the disk is full"),
            ]
            #expect(events.dropLast() == wanted)
            #expect(try Self.end(events).kept == nil)
        }
    }

    @Test func `is not there where the broker's settings are not taken`() async throws {
        try await ServiceScene.play { scene in
            #expect(throws: BrokerFailure.setup("no such file")) {
                _ = try GatewayService(scene.service.configuration, on: scene.service.host) {
                    _ throws(BrokerFailure) in throw .setup("no such file")
                }
            }
        }
    }
}
#endif
