// SPDX-License-Identifier: MIT

#if Metrics
import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import CoreMetrics
import Testing

@Suite("The metrics of the peripheral role", .timeLimit(.minutes(60)))
struct PeripheralMetricsTests {
    private func subscribe(_ world: MetricsWorld) async throws -> (CentralManager, Characteristic) {
        let central = CentralManager(backend: world.radio.central(), configuration: .init(clock: world.radio.clock))
        try await central.whenPoweredOn(timeout: .seconds(1))
        let peripheral = try await central.firstDiscovery(for: ["FFF2"], timeout: .seconds(10)).peripheral
        try await peripheral.connect(timeout: .seconds(10))
        try await peripheral.discover(timeout: .seconds(10))
        let characteristic = try peripheral.characteristic("FFF1")
        try await characteristic.startNotifying(timeout: .seconds(3))
        return (central, characteristic)
    }

    @Test func `follow the subscribers up and down, and time what the platform is asked`() async throws {
        try await MetricsWorld.run { world in
            let (manager, local) = try await world.peripheral()
            #expect(world.metrics.seconds(of: "add_service", "success", role: "peripheral").count == 1)
            #expect(world.metrics.seconds(of: "advertise", "success", role: "peripheral").count == 1)
            #expect(world.metrics.sum("bluecap_subscribers") == 0)

            let (central, _) = try await subscribe(world)
            #expect(world.metrics.sum("bluecap_subscribers") == 1)
            try local.update([2])
            try await world.radio.clock.sleep(for: .seconds(1))
            #expect(world.metrics.seconds(of: "update", "success", role: "peripheral").count == 1)
            await central.invalidate()
            try await world.radio.clock.sleep(for: .seconds(1))
            #expect(world.metrics.sum("bluecap_subscribers") == 0)

            _ = try await subscribe(world)
            await manager.reset()
            #expect(world.metrics.sum("bluecap_subscribers") == 0)
            #expect(world.metrics.seconds(of: "remove_service", "success", role: "peripheral").count == 1)
            await manager.invalidate()
        }
    }

    @Test func `follow the links of centrals up and down, and count them`() async throws {
        try await MetricsWorld.run { world in
            let (manager, _) = try await world.peripheral()
            let (central, _) = try await subscribe(world)
            #expect(world.metrics.sum("bluecap_connected_centrals") == 1)
            #expect(world.metrics.sum("bluecap_central_connections_total") == 1)
            try await manager.disconnect(try #require(manager.centrals().first))
            #expect(world.metrics.sum("bluecap_connected_centrals") == 0)
            #expect(world.metrics.seconds(of: "disconnect_central", "success", role: "peripheral").count == 1)
            #expect(world.metrics.sum("bluecap_refused_centrals_total") == 0)
            await central.invalidate()
            await manager.invalidate()
        }
    }

    @Test func `count updates that nobody could be sent, each once`() async throws {
        try await MetricsWorld.run { world in
            let (manager, local) = try await world.peripheral()
            local.updatePolicy = .newest(2)
            for value in 1...5 as ClosedRange<UInt8> { try local.update([value]) }
            #expect(world.metrics.sum("bluecap_dropped_total", ("what", "update")) == 3)
            local.updatePolicy = .none
            #expect(local.droppedCount == 5)
            #expect(world.metrics.sum("bluecap_dropped_total", ("what", "update")) == 5)
            await manager.invalidate()
        }
    }

    @Test func `count the requests for which a stream had no room`() async throws {
        try await MetricsWorld.run { world in
            let (manager, _) = try await world.peripheral()
            let requests = manager.writeRequests(capacity: .oldest(1))
            let (central, characteristic) = try await subscribe(world)
            async let kept: Void = characteristic.write([1], timeout: .seconds(20))
            async let dropped: Void = {
                await #expect(throws: CharacteristicError.self) {
                    try await characteristic.write([2], timeout: .seconds(60))
                }
            }()
            try await world.radio.clock.sleep(for: .seconds(50))
            _ = try? await kept
            await dropped
            #expect(manager.droppedCount == 1)
            #expect(world.metrics.sum("bluecap_dropped_total", ("what", "request")) == 1)
            withExtendedLifetime(requests) {}
            await central.invalidate()
            await manager.invalidate()
        }
    }
}
#endif
