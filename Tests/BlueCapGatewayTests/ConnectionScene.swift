// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual

@testable import BlueCapGateway

/// A gateway with its connections, in simulated time.
struct ConnectionScene {
    let radio: VirtualRadio
    let gateway: DeviceGateway
    let connections: DeviceConnections
    let messages = PublishedMessages()
    let strap = DeviceConnectionsTests.strap()
    private let events: AsyncStream<DeviceConnections.Event>

    init(_ radio: VirtualRadio, _ central: CentralManager, _ plan: GatewayPlan, limit: Int) {
        self.radio = radio
        radio.add(strap)
        gateway = DeviceGateway(plan, publisher: messages, clock: radio.clock)
        let tools = ConnectionTools {
            try await $1.write(try Bytes(hex: $0))
        } reason: {
            ($0 as? any BlueCapError)?.message ?? "\($0)"
        }
        connections = DeviceConnections(
            central: central, gateway: gateway, tools: tools, limit: limit, clock: radio.clock)
        events = connections.events.stream(capacity: .unbounded)
    }

    /// All events; no more come then.
    func allEvents() async -> [DeviceConnections.Event] {
        connections.events.finish()
        var all: [DeviceConnections.Event] = []
        for await event in events { all.append(event) }
        return all
    }

    func pass(_ seconds: Double) async throws {
        try await radio.clock.sleep(for: .milliseconds(Int64(seconds * 1000)))
    }

    func set(_ text: String, isRetained: Bool = false, _ device: String = "c0de00000002") async {
        let topic = "bluecap/cellar/\(device)/set"
        await connections.obey(BrokerMessage(topic: topic, text: text, isRetained: isRetained))
    }
}
