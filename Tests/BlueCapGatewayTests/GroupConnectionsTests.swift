// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@testable import BlueCapGateway

@Suite("The connections of a gateway of a group", .timeLimit(.minutes(60)))
struct GroupConnectionsTests {
    @Test func `connects within a group to a device that it owns, and disconnects when it loses it`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(#"{ "subscribe": ["2A37"] }"#), group: "home") {
            scene in
            let claim = { (owner: String) in
                BrokerMessage(
                    topic: "bluecap/home/c0de00000002/owner", text: "{\"owner\":\"\(owner)\",\"rssi\":-60}",
                    isRetained: true)
            }
            await scene.gateway.brokerIsBack()
            await scene.gateway.find(BrokerMessage(topic: "bluecap/home/cellar/alive", text: "1"))
            try await scene.pass(10)
            #expect(scene.strap.totalConnectionCount == 0)
            #expect(await scene.connections.levels == .init(connected: 0, wanted: 0))
            await scene.gateway.find(claim("cellar"))
            try await scene.pass(10)
            #expect(scene.strap.connectionCount == 1)
            #expect(await scene.connections.levels == .init(connected: 1, wanted: 1))
            await scene.gateway.find(claim("attic"))
            try await scene.pass(5)
            #expect(scene.strap.connectionCount == 0)
            await scene.gateway.find(claim("cellar"))
            try await scene.pass(10)
            #expect(scene.strap.connectionCount == 1)
            await scene.gateway.brokerIsLost()
            try await scene.pass(5)
            #expect(scene.strap.connectionCount == 0)
        }
    }

    @Test func `claims a device that advertises no values, as it may connect to it`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(#"{ "subscribe": ["2A37"] }"#), group: "home") {
            scene in
            await scene.gateway.brokerIsBack()
            await scene.gateway.find(BrokerMessage(topic: "bluecap/home/cellar/alive", text: "1"))
            for _ in 0..<20 {
                try await scene.pass(0.05)
                await scene.gateway.tendGroup()
            }
            #expect(scene.messages.taken().contains { $0.topic == "bluecap/home/c0de00000002/owner" })
        }
    }

    @Test func `claims no device for which it has no connection left, and says that no gateway has one`() async throws {
        let connect = #"{ "subscribe": ["2A37"] }"#
        try await ConnectionScene.run(try ConnectionScene.rules(connect, connect), group: "home", limit: 1) { scene in
            let other = ConnectionScene.strap("C0:DE:00:00:00:03")
            scene.radio.add(other)
            await scene.gateway.brokerIsBack()
            var claimed: Set<String> = []
            for _ in 0..<400 {
                try await scene.pass(0.1)
                await scene.gateway.tendGroup()
                for message in scene.messages.taken() {
                    if message.topic.hasSuffix("/owner") { claimed.insert(message.topic) }
                    let isOfGroup = message.topic.hasSuffix("/owner") || message.topic.hasSuffix("/alive")
                    if isOfGroup { await scene.gateway.find(message) }
                }
            }
            #expect(claimed.count == 1 && scene.strap.connectionCount + other.connectionCount == 1)
            let left = PeerIdentifier(scene.strap.connectionCount == 0 ? "C0:DE:00:00:00:02" : "C0:DE:00:00:00:03")
            let failures = scene.allEvents().filter { if case .linkFailed = $0 { true } else { false } }
            let reason = "no gateway of the group has a connection left for it: raise 'connections'"
            #expect(failures == [.linkFailed(left, reason)])
        }
    }

    @Test func `claims a device by its strength that it hears, although it cannot be read any more`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(#"{ "read": ["2A19"], "every": 60 }"#), group: "home") {
            scene in
            await scene.gateway.brokerIsBack()
            var claims: [String] = []
            for step in 0..<1500 {
                // It was read by then.
                if step == 200 { scene.strap.characteristic("2A19")?.setError(.readNotPermitted, for: .read) }
                try await scene.pass(0.2)
                await scene.gateway.tendGroup()
                for message in scene.messages.taken() {
                    let isClaim = message.topic.hasSuffix("/owner")
                    if isClaim { claims.append(message.text) }
                    if isClaim || message.topic.hasSuffix("/alive") { await scene.gateway.find(message) }
                }
            }
            #expect(scene.strap.totalConnectionCount > 1 && (1...20).contains(claims.count))
            #expect(!claims.contains { $0.contains("null") })
        }
    }

    @Test func `publishes that a device is not available which it owns and hears, and has no values of`() async throws {
        try await ConnectionScene.run(try ConnectionScene.rules(#"{ "read": ["2A77"], "every": 60 }"#), group: "home") {
            scene in
            await scene.gateway.brokerIsBack()
            await scene.gateway.find(BrokerMessage(topic: "bluecap/home/cellar/alive", text: "1"))
            await scene.gateway.find(
                BrokerMessage(topic: "bluecap/home/c0de00000002/owner", text: #"{"owner":"cellar","rssi":-60}"#))
            await scene.gateway.find(
                BrokerMessage(topic: "bluecap/home/c0de00000002/availability", text: "online", isRetained: true))
            var offline = 0
            for _ in 0..<1000 {
                try await scene.pass(0.2)
                await scene.gateway.tendGroup()
                for message in scene.messages.taken() {
                    if message.topic.hasSuffix("/alive") { await scene.gateway.find(message) }
                    if message.topic.hasSuffix("/availability"), message.text == "offline" { offline += 1 }
                }
            }
            #expect(offline == 1)
        }
    }
}
#endif
