// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapProfiles
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
    let strap = Self.strap()

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
    }

    /// The events of connections and commands since the last call.
    func allEvents() -> [GatewayEvent] {
        gateway.events.taken().filter {
            switch $0 {
            case .device, .removed: false
            default: true
            }
        }
    }

    func pass(_ seconds: Double) async throws {
        try await radio.clock.sleep(for: .milliseconds(Int64(seconds * 1000)))
    }

    func set(_ text: String, isRetained: Bool = false, _ device: String = "c0de00000002") async {
        let topic = "bluecap/cellar/\(device)/set"
        await connections.obey(BrokerMessage(topic: topic, text: text, isRetained: isRetained))
    }

    // MARK: Its parts

    static func strap(_ address: String = "C0:DE:00:00:00:02") -> VirtualPeripheral {
        VirtualPeripheral(
            name: "Strap", address: address,
            services: [
                VirtualService("180D") {
                    VirtualCharacteristic("2A37", properties: .notify)
                    VirtualCharacteristic("2A39", properties: .write)
                },
                VirtualService("180F") { VirtualCharacteristic("2A19", value: [97]) },
                VirtualService("181A") {
                    VirtualCharacteristic("2A6E", value: [0xC4, 0x09])
                    VirtualCharacteristic("2A6F", value: [0x88, 0x13])
                    VirtualCharacteristic("2A6D", value: [0x10, 0x76, 0x0F, 0x00])
                },
            ])
    }

    /// The rules of `connect` objects, for the strap and more devices.
    static func rules(_ connects: String...) throws -> GatewayRules {
        let rules = connects.enumerated().map { index, connect in
            "{ \"match\": { \"address\": \"C0:DE:00:00:00:0\(index + 2)\" }, \"connect\": \(connect) }"
        }
        let text = "{ \"connections\": 16, \"rules\": [\(rules.joined(separator: ","))] }"
        return try GatewayConfiguration(Array(text.utf8), file: "gateway.json", profiles: .standard).plan.rules
    }

    /// Plays a scene of one gateway.
    static func run(
        _ rules: GatewayRules, group: String? = nil, limit: Int = 4,
        _ body: @escaping @Sendable (ConnectionScene) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(limit: .seconds(86_400)) { radio in
            try await run(rules, group: group, limit: limit, on: radio, body)
        }
    }

    /// Plays the scene on a radio.
    static func run(
        _ rules: GatewayRules, group: String? = nil, limit: Int = 4, on radio: VirtualRadio,
        _ body: @escaping @Sendable (ConnectionScene) async throws -> Void
    ) async throws {
        let configuration = CentralManager.Configuration(clock: radio.clock, profiles: .standard)
        let central = CentralManager(backend: radio.central(), configuration: configuration)
        var plan = GatewayPlan(name: "cellar")
        (plan.rules, plan.group, plan.connectionLimit) = (rules, group, limit)
        let scene = Self(radio, central, plan, limit: limit)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await LastingScan(central: central, gateway: scene.gateway, clock: radio.clock).run()
            }
            group.addTask { await scene.connections.run() }
            group.addTask {
                while true {
                    try await radio.clock.sleep(for: .seconds(1))
                    await scene.gateway.tick()
                }
            }
            defer { group.cancelAll() }
            try await body(scene)
        }
        await central.invalidate()
    }
}
#endif
