// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCapBeacon
import BlueCapCore
import BlueCapRuntime
import BlueCapVirtual

@testable import BlueCapGateway

/// The service of a gateway that hears one sensor, in simulated time.
struct ServiceScene: Sendable {
    static let sensor = PeerIdentifier("A4:C1:38:00:00:01")

    let radio: VirtualRadio
    let broker: WrittenBroker
    let service: GatewayService
    /// The messages of the last run that the broker got.
    let restored: [WaitingMessage]
    private let reports = Locked<[GatewayEvent]>([])

    init(_ configuration: GatewayConfiguration, _ radio: VirtualRadio, on host: GatewayHost) throws {
        let broker = try WrittenBroker()
        var restored: [WaitingMessage] = []
        service = try GatewayService(configuration, on: host) {
            restored = $0
            return broker
        }
        (self.radio, self.broker, self.restored) = (radio, broker, restored)
    }

    /// The events that were reported since the last call.
    func taken() -> [GatewayEvent] {
        reports.withLock { reports in
            defer { reports = [] }
            return reports
        }
    }

    func pass(_ seconds: Double) async throws {
        try await radio.clock.sleep(for: .milliseconds(Int64(seconds * 1000)))
    }

    /// Runs the service to its end.
    func run(for duration: Duration) async throws {
        try await service.run(for: duration) { event in reports.withLock { $0.append(event) } }
    }

    /// Runs the service until `body` returns, and cancels it then. It begins when the broker is opened.
    func run(during body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await service.run { event in reports.withLock { $0.append(event) } }
                } catch is CancellationError {}
            }
            while !broker.notes.isOpened { try await pass(0.001) }
            try await body()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// Plays a scene.
    static func play(
        _ configuration: GatewayConfiguration = GatewayConfiguration(machine: "cellar"),
        change: @escaping @Sendable (inout GatewayHost) -> Void = { _ in },
        _ body: @escaping @Sendable (ServiceScene) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let frame = BTHome(objects: [BTHomeObject(0x02, 21.5)].compactMap(\.self))
            radio.add(
                VirtualPeripheral(
                    name: "Cellar", address: sensor.text, advertising: VirtualAdvertising(frame.advertisement)))
            let central = CentralManager(backend: radio.central(), configuration: .init(clock: radio.clock))
            let tools = ConnectionTools { _, _ in
            } reason: {
                "\($0)"
            }
            var host = GatewayHost(central: central, tools: tools, clock: radio.clock)
            host.processClock = radio.clock
            change(&host)
            try await body(try ServiceScene(configuration, radio, on: host))
            await central.invalidate()
        }
    }
}
#endif
