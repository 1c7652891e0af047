// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapProfiles
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTestExecutor
import BlueCapVirtual
import Testing

@testable import BlueCapGateway

@Suite("The connections of a gateway", .timeLimit(.minutes(60)))
struct DeviceConnectionsTests {
    private static let address = "C0:DE:00:00:00:02"
    private static let availability = "bluecap/cellar/c0de00000002/availability"
    private static let state = "bluecap/cellar/c0de00000002/state"
    private static let id = PeerIdentifier(address)

    private static func texts(_ topic: String, _ messages: [BrokerMessage]) -> [String] {
        messages.filter { $0.topic == topic }.map(\.text)
    }

    // MARK: Readings

    @Test func `reads a device in each interval, and is not connected between`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(#"{ "read": ["Battery Level"], "every": 60 }"#)) {
            scene in
            try await scene.pass(30)
            #expect(scene.strap.totalConnectionCount == 1 && scene.strap.connectionCount == 0)
            let messages = scene.messages.taken()
            #expect(Self.texts(Self.availability, messages) == ["online"])
            #expect(messages.last { $0.topic == Self.state }?.object["battery"] as? Double == 97)
            scene.strap.characteristic("2A19")?.setValue([42])
            try await scene.pass(60)
            #expect(scene.strap.totalConnectionCount == 2)
            #expect(scene.messages.taken().last { $0.topic == Self.state }?.object["battery"] as? Double == 42)
            #expect(scene.allEvents() == [.linkRead(Self.id)])
        }
    }

    @Test func `takes a device that cannot be read for not available after three intervals`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(#"{ "read": ["Battery Level"], "every": 600 }"#)) {
            scene in
            // The fourth reading.
            try await scene.pass(1810)
            scene.strap.vanish()
            try await scene.pass(1780)
            #expect(Self.texts(Self.availability, scene.messages.taken()) == ["online"])
            try await scene.pass(40)
            #expect(Self.texts(Self.availability, scene.messages.taken()) == ["offline"])
            scene.strap.reappear()
            try await scene.pass(600)
            #expect(Self.texts(Self.availability, scene.messages.taken()) == ["online"])
        }
    }

    @Test func `tells Home Assistant the classes and units that the profiles know`() async throws {
        let names = #"["Temperature", "Humidity", "Pressure", "Battery/Battery Level"]"#
        try await ConnectionScene.run(try ConnectionScene.rules("{ \"read\": \(names), \"every\": 60 }")) { scene in
            try await scene.pass(30)
            let messages = scene.messages.taken()
            let topic = "homeassistant/device/bluecap_c0de00000002/config"
            let config = try #require(messages.last { $0.topic == topic }?.object)
            let components = try #require(config["components"] as? [String: [String: Any]])
            let kinds = components.mapValues { component in
                ["device_class", "unit_of_measurement", "state_class"].map { component[$0] as? String ?? "" }
            }
            #expect(kinds["temperature"] == ["temperature", "°C", "measurement"])
            #expect(kinds["humidity"] == ["humidity", "%", "measurement"])
            #expect(kinds["pressure"] == ["atmospheric_pressure", "Pa", "measurement"])
            #expect(kinds["battery"] == ["battery", "%", "measurement"])
            #expect(components["battery"]?["expire_after"] as? Int == 180)
            let state = try #require(messages.last { $0.topic == Self.state }?.object)
            #expect(state["temperature"] as? Double == 25 && state["humidity"] as? Double == 50)
            #expect(state["pressure"] as? Double == 101_326.4)
        }
    }

    @Test func `reports a failure once for each reason, and tries again less and less often`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(#"{ "read": ["2A29"], "every": 600 }"#)) { scene in
            try await scene.pass(3600)
            // After 2, 4, 8 … seconds, and then every five minutes.
            #expect((10...22).contains(scene.strap.totalConnectionCount))
            let count = await scene.connections.statistics.failures
            #expect(count >= scene.strap.totalConnectionCount)
            let failures = scene.allEvents()
            #expect((1...2).contains(failures.count))
            let areOfIt = failures.allSatisfy {
                if case .linkFailed(Self.id, let reason) = $0 { reason.contains("2A29") } else { false }
            }
            #expect(areOfIt)
        }
    }

    @Test func `has no more connections at once than its limit, and reads all devices in turn`() async throws {
        let reading = #"{ "read": ["2A19"], "every": 60 }"#
        let rules = try ConnectionScene.rules(reading, reading, reading, reading, reading, reading)
        try await ConnectionScene.run(rules, limit: 2) { scene in
            let others = (3...7).map { ConnectionScene.strap("C0:DE:00:00:00:0\($0)") }
            for other in others { scene.radio.add(other) }
            var most = 0
            for _ in 0..<2000 {
                try await scene.pass(0.01)
                most = max(most, (others + [scene.strap]).reduce(0) { $0 + $1.connectionCount })
            }
            #expect(most == 2)
            #expect((others + [scene.strap]).allSatisfy { $0.totalConnectionCount == 1 })
        }
    }

    @Test(arguments: [#"{ "read": ["2A19"], "every": 600 }"#, #"{ "subscribe": ["2A37"] }"#])
    func `gives up a device whose services take minutes, so that another one is read`(connect: String) async throws {
        let rules = try ConnectionScene.rules(connect, #"{ "read": ["2A19"], "every": 600 }"#)
        try await ConnectionScene.run(rules, limit: 2) { scene in
            scene.strap.slow(by: .seconds(15))
            let other = ConnectionScene.strap("C0:DE:00:00:00:03")
            scene.radio.add(other)
            try await scene.pass(90)
            let events = scene.allEvents()
            #expect(events.contains { if case .linkFailed(Self.id, _) = $0 { true } else { false } })
            #expect(events.contains(.linkRead("C0:DE:00:00:00:03")))
        }
    }

    // MARK: Lasting connections

    @Test func `follows a device that has not all of the characteristics of its rule`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(#"{ "subscribe": ["2A1C", "2A37"] }"#)) { scene in
            try await scene.pass(10)
            scene.strap.characteristic("2A37")?.notify([0, 72])
            try await scene.pass(600)
            #expect(scene.messages.taken().last { $0.topic == Self.state }?.object["heart_rate"] as? Double == 72)
            #expect(scene.strap.totalConnectionCount == 1)
            let failures = scene.allEvents().filter {
                if case .linkFailed(Self.id, let reason) = $0 { reason.hasPrefix("2A1C: ") } else { false }
            }
            #expect(failures.count == 1)
        }
    }

    @Test func `follows the notifications of a device, and goes on when the connection was lost`() async throws {
        let connect = #"{ "subscribe": ["180D/2A37"], "read": ["2A29", "Battery Level"], "every": 60 }"#
        try await ConnectionScene.run(try ConnectionScene.rules(connect)) { scene in
            let measurement = try #require(scene.strap.characteristic("2A37"))
            try await scene.pass(10)
            measurement.notify([0, 72])
            try await scene.pass(2)
            var messages = scene.messages.taken()
            #expect(Self.texts(Self.availability, messages) == ["online"])
            let state = try #require(messages.last { $0.topic == Self.state }?.object)
            #expect(state["heart_rate"] as? Double == 72 && state["battery"] as? Double == 97)
            #expect(state["heart_rate_sensor_contact"] as? String == "Not Supported")
            // Silence of a device that is connected is no absence.
            scene.strap.characteristic("2A19")?.setValue([96])
            try await scene.pass(3600)
            messages = scene.messages.taken()
            #expect(Self.texts(Self.availability, messages).isEmpty)
            #expect(messages.last { $0.topic == Self.state }?.object["battery"] as? Double == 96)
            #expect(scene.strap.totalConnectionCount == 1)
            #expect(await scene.connections.levels == .init(connected: 1, wanted: 1))
            scene.strap.disconnect()
            try await scene.pass(1)
            #expect(await scene.connections.levels == .init(connected: 0, wanted: 1))
            try await scene.pass(19)
            #expect(await scene.connections.levels == .init(connected: 1, wanted: 1))
            #expect(Self.texts(Self.availability, scene.messages.taken()) == ["offline", "online"])
            measurement.notify([0, 80])
            try await scene.pass(2)
            #expect(scene.messages.taken().last { $0.topic == Self.state }?.object["heart_rate"] as? Double == 80)
            let changes = scene.allEvents().filter { if case .linkFailed = $0 { false } else { true } }
            #expect(changes == [.linked(Self.id), .unlinked(Self.id), .linked(Self.id)])
        }
    }

    @Test func `publishes the new values of a connection that was made again, and not the old ones before`()
        async throws
    {
        let connect = #"{ "subscribe": ["180D/2A37"], "read": ["Battery Level"] }"#
        try await ConnectionScene.run(try ConnectionScene.rules(connect)) { scene in
            try await scene.pass(10)
            _ = scene.messages.taken()
            scene.strap.characteristic("2A19")?.setValue([50])
            scene.strap.disconnect()
            try await scene.pass(20)
            let messages = scene.messages.taken()
            #expect(Self.texts(Self.availability, messages) == ["offline", "online"])
            #expect(messages.first { $0.topic == Self.state }?.object["battery"] as? Double == 50)
        }
    }

    @Test(arguments: [1, 300])
    func `publishes a value at once that is notified after a connection was made again`(absence: Double) async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(#"{ "subscribe": ["180D/2A37"] }"#)) { scene in
            let measurement = try #require(scene.strap.characteristic("2A37"))
            try await scene.pass(10)
            measurement.notify([0, 72])
            try await scene.pass(2)
            scene.strap.vanish()
            try await scene.pass(absence)
            scene.strap.reappear()
            _ = scene.messages.taken()
            while await scene.connections.levels.connected == 0 { try await scene.pass(0.1) }
            try await scene.pass(1.5)
            measurement.notify([0, 80])
            try await scene.pass(1)
            #expect(scene.messages.taken().first { $0.topic == Self.state }?.object["heart_rate"] as? Double == 80)
        }
    }

    @Test func `publishes no value of a rule that has changed, over its old connection`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(#"{ "subscribe": ["180D/2A37"] }"#)) { scene in
            try await scene.pass(10)
            let rules = try ConnectionScene.rules(#"{ "subscribe": ["180D/2A37"], "read": ["Battery Level"] }"#)
            await scene.gateway.adopt(rules, shortestInterval: .seconds(1), longestInterval: .seconds(60))
            let measurement = try #require(scene.strap.characteristic("2A37"))
            measurement.notify([0, 72])
            try await scene.pass(1)
            #expect(Self.texts(Self.state, scene.messages.taken()).isEmpty)
        }
    }

    @Test func `takes a device for available while it is connected, though the scan has failed`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(#"{ "subscribe": ["2A37"], "read": ["2A19"] }"#)) {
            scene in
            try await scene.pass(10)
            _ = scene.messages.taken()
            await scene.gateway.radioIsLost("the scan is refused")
            try await scene.pass(10)
            #expect(Self.texts(Self.availability, scene.messages.taken()).isEmpty)
        }
    }

    @Test func `takes a device for available again with the radio, before it is read the next time`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(#"{ "read": ["2A19"], "every": 3600 }"#)) { scene in
            try await scene.pass(10)
            _ = scene.messages.taken()
            await scene.gateway.radioIsLost("the radio is off")
            await scene.gateway.radioIsBack()
            #expect(Self.texts(Self.availability, scene.messages.taken()) == ["offline", "online"])
        }
    }

    @Test func `makes more connections at once when its limit is raised`() async throws {
        let reading = #"{ "subscribe": ["2A37"] }"#
        try await ConnectionScene.run(try ConnectionScene.rules(reading, reading), limit: 1) { scene in
            let other = ConnectionScene.strap("C0:DE:00:00:00:03")
            scene.radio.add(other)
            try await scene.pass(20)
            #expect(scene.strap.connectionCount + other.connectionCount == 1)
            scene.connections.adopt(limit: 2)
            try await scene.pass(20)
            #expect(scene.strap.connectionCount == 1 && other.connectionCount == 1)
        }
    }

    @Test func `keeps a connection whose rule stays the same, and ends one whose rule goes away`() async throws {
        let lasting = #"{ "subscribe": ["180D/2A37"], "read": ["2A19"] }"#
        try await ConnectionScene.run(try ConnectionScene.rules(lasting, #"{ "read": ["2A19"], "every": 60 }"#)) {
            scene in
            try await scene.pass(10)
            let changed = try ConnectionScene.rules(lasting, #"{ "read": ["2A19"], "every": 90 }"#)
            await scene.gateway.adopt(changed, shortestInterval: .seconds(1), longestInterval: .seconds(60))
            try await scene.pass(10)
            #expect(scene.strap.connectionCount == 1 && scene.strap.totalConnectionCount == 1)
            _ = scene.messages.taken()
            await scene.gateway.adopt(GatewayRules(), shortestInterval: .seconds(1), longestInterval: .seconds(60))
            #expect(Self.texts(Self.state, scene.messages.taken()) == [""])
            try await scene.pass(5)
            #expect(scene.strap.connectionCount == 0)
            #expect(scene.messages.taken().isEmpty)
        }
    }

    // MARK: Commands

    private static let writing = #"{ "read": ["2A19"], "every": 600, "write": ["Heart Rate Control Point"] }"#

    @Test(arguments: [writing, #"{ "subscribe": ["2A37"], "write": ["Heart Rate Control Point"] }"#])
    func `writes the value of a command, and reports it`(connect: String) async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(connect)) { scene in
            try await scene.pass(10)
            await scene.set(#"{ "Heart Rate Control Point": "01" }"#)
            try await scene.pass(10)
            #expect(scene.strap.characteristic("2A39")?.writes.map(\.value) == [[1]])
            #expect(scene.allEvents().contains(.written(Self.id, key: "Heart Rate Control Point")))
            #expect(await scene.connections.statistics.written == 1)
        }
    }

    @Test func `writes a late command from a stack that is no deeper than that of an early one`() async throws {
        try await VirtualRadio.run(limit: .seconds(86_400)) { radio in
            let standing = #"{ "subscribe": ["2A37"], "write": ["Heart Rate Control Point"] }"#
            let (probe, rules) = (StackProbe(over: radio.executor), try ConnectionScene.rules(standing))
            try await withTaskExecutorPreference(probe) {
                try await ConnectionScene.run(rules, on: radio) { scene in
                    try await scene.pass(60)
                    let key = "Heart Rate Control Point"
                    let growth = try await probe.growth { number in
                        await scene.set("{ \"\(key)\": \"\(number % 2 == 0 ? "01" : "02")\" }")
                        try await scene.pass(1)
                    }
                    #expect(try #require(growth) < 4096)
                    try await scene.pass(10)
                    #expect(scene.allEvents().filter { $0 == .written(Self.id, key: key) }.count == 600)
                }
            }
        }
    }

    @Test func `reports that a device refuses a value`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(Self.writing)) { scene in
            scene.strap.characteristic("2A39")?.setError(.writeNotPermitted, for: .write)
            try await scene.pass(10)
            await scene.set(#"{ "Heart Rate Control Point": "01" }"#)
            try await scene.pass(10)
            let results = scene.allEvents().filter { if case .notWritten = $0 { true } else { false } }
            #expect(results.count == 1)
            #expect(await scene.connections.statistics.notWritten == 1)
        }
    }

    @Test(arguments: [
        ("yes", SetCommand.Refusal.notValues), ("[]", .notValues), ("{}", .notValues),
        (#"{ "Heart Rate Control Point": 1 }"#, .notValues),
        (#"{ "Heart Rate Control Point": "01", "Heart Rate Control Point": "01" }"#, .repeatedKey),
        (#"{ "2A39": "01" }"#, .unknownKey),
        (#"{ "Battery Level": "01" }"#, .unknownKey), (String(repeating: " ", count: 4097), .oversized),
    ])
    func `refuses a command that is none, counts it, and reports each reason once`(
        text: String, refusal: SetCommand.Refusal
    ) async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(Self.writing)) { scene in
            try await scene.pass(10)
            for _ in 0..<3 { await scene.set(text) }
            try await scene.pass(10)
            #expect(scene.strap.characteristic("2A39")?.writes.isEmpty == true)
            #expect(await scene.connections.statistics.refused == 3)
            #expect(scene.allEvents().filter { $0 != .linkRead(Self.id) } == [.commandRefused(refusal.rawValue)])
        }
    }

    @Test func `refuses a command that the broker kept, one for another device, and too many`() async throws {
        let right = #"{ "Heart Rate Control Point": "01" }"#
        try await ConnectionScene.run(try ConnectionScene.rules(Self.writing, #"{ "read": ["2A19"], "every": 600 }"#)) {
            scene in
            await scene.set(right)
            try await scene.pass(10)
            await scene.set(right, isRetained: true)
            await scene.set(right, "c0de00000003")
            await scene.set(right, "x")
            scene.strap.characteristic("2A39")?.hold(.write)
            for _ in 0..<20 { await scene.set(right) }
            // A command with nothing in it removes what the broker has kept.
            await scene.set("")
            let refusals: [SetCommand.Refusal] = [.unheard, .retained, .unknownDevice, .busy]
            let wanted = refusals.map { GatewayEvent.commandRefused($0.rawValue) }
            #expect(scene.allEvents().filter { $0 != .linkRead(Self.id) } == wanted)
            #expect((15...16).contains(await scene.connections.statistics.refused))
        }
    }

    @Test func `refuses a command that comes before the connection of a new rule`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(#"{ "read": ["2A19"], "every": 600 }"#)) { scene in
            try await scene.pass(10)
            let rules = try ConnectionScene.rules(Self.writing)
            await scene.gateway.adopt(rules, shortestInterval: .seconds(1), longestInterval: .seconds(60))
            await scene.set(#"{ "Heart Rate Control Point": "01" }"#)
            try await scene.pass(10)
            await scene.set(#"{ "Heart Rate Control Point": "02" }"#)
            try await scene.pass(10)
            #expect(scene.strap.characteristic("2A39")?.writes.map(\.value) == [[2]])
            let wanted: [GatewayEvent] = [
                .commandRefused(SetCommand.Refusal.changing.rawValue),
                .written(Self.id, key: "Heart Rate Control Point"),
            ]
            #expect(scene.allEvents().filter { $0 != .linkRead(Self.id) } == wanted)
        }
    }

    @Test func `reports each command that waits when its rule goes away`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(Self.writing)) { scene in
            try await scene.pass(10)
            scene.strap.characteristic("2A39")?.hold(.write)
            for _ in 0..<3 { await scene.set(#"{ "Heart Rate Control Point": "01" }"#) }
            try await scene.pass(3)
            await scene.gateway.adopt(GatewayRules(), shortestInterval: .seconds(1), longestInterval: .seconds(60))
            try await scene.pass(20)
            #expect(await scene.connections.statistics.notWritten == 3)
            #expect(scene.strap.connectionCount == 0)
        }
    }

    @Test func `writes all values of a command over one connection`() async throws {
        let connect = #"{ "write": ["Heart Rate Control Point", "Battery Level"] }"#
        try await ConnectionScene.run(try ConnectionScene.rules(connect)) { scene in
            try await scene.pass(5)
            await scene.set(#"{ "Heart Rate Control Point": "01", "Battery Level": "02" }"#)
            try await scene.pass(10)
            #expect(scene.strap.totalConnectionCount == 1 && scene.strap.connectionCount == 0)
            let counts = await scene.connections.statistics
            #expect(counts.written == 1 && counts.notWritten == 1)
        }
    }

    @Test func `leaves a command for a device of another gateway of the group to that one`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(Self.writing), group: "home") { scene in
            let topic = "bluecap/home/c0de00000002/set"
            await scene.connections.obey(BrokerMessage(topic: topic, text: "yes"))
            #expect(scene.allEvents().isEmpty)
        }
    }

    @Test func `subscribes to commands only where a rule allows some`() throws {
        var plan = GatewayPlan(name: "cellar")
        plan.rules = try ConnectionScene.rules(#"{ "read": ["2A19"], "every": 600 }"#)
        #expect(!plan.filters.contains("bluecap/cellar/+/set"))
        plan.rules = try ConnectionScene.rules(Self.writing)
        #expect(plan.filters.contains("bluecap/cellar/+/set"))
        #expect(plan.isCommand("bluecap/cellar/x/set") && !plan.isCommand("bluecap/cellar/x/state"))
    }
}
#endif
