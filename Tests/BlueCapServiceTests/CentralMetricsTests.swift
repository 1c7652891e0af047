// SPDX-License-Identifier: MIT

#if Metrics
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import CoreMetrics
import Testing

@Suite("The metrics of the central role", .timeLimit(.minutes(60)))
struct CentralMetricsTests {
    @Test func `count every sighting once, however many scans report it`() async throws {
        try await MetricsWorld.run { world in
            let manager = try await world.central()
            async let other = manager.firstDiscovery(timeout: .seconds(10))
            var sighted = 0
            for try await _ in manager.scan(options: ScanOptions(allowsDuplicates: true)) {
                sighted += 1
                if sighted == 5 { break }
            }
            _ = try await other
            #expect(world.metrics.sum("bluecap_sightings_total") == 5)
            #expect(world.metrics.sum("bluecap_known_peripherals") == 1)
            await manager.invalidate()
            #expect(world.metrics.sum("bluecap_known_peripherals") == 0)
        }
    }

    @Test func `count a connection that a policy makes again as a connection and as a reconnection`() async throws {
        try await MetricsWorld.run { world in
            let manager = try await world.central()
            let (peripheral, _) = try await world.connect(manager)
            #expect(world.metrics.sum("bluecap_connections_total") == 1)
            #expect(world.metrics.sum("bluecap_reconnections_total") == 0)
            #expect(world.metrics.sum("bluecap_connected_peripherals") == 1)
            #expect(world.metrics.seconds(of: "connect", "success").count == 1)

            peripheral.reconnectPolicy = ReconnectPolicy()
            let events = peripheral.connectionEvents()
            world.tag.disconnect()
            for await event in events where event == .connected { break }
            #expect(world.metrics.sum("bluecap_connections_total") == 2)
            #expect(world.metrics.sum("bluecap_reconnections_total") == 1)
            #expect(world.metrics.sum("bluecap_connected_peripherals") == 1)
            #expect(world.metrics.seconds(of: "connect", "success").count == 1)

            await manager.invalidate()
            #expect(world.metrics.sum("bluecap_connected_peripherals") == 0)
        }
    }

    @Test func `take back what a manager held that was released`() async throws {
        try await MetricsWorld.run { world in
            var manager: CentralManager? = try await world.central()
            if let manager { _ = try await world.connect(manager) }
            #expect(world.metrics.sum("bluecap_connected_peripherals") == 1)
            manager = nil
            try await world.radio.clock.sleep(for: .seconds(1))
            #expect(world.metrics.sum("bluecap_connected_peripherals") == 0)
            #expect(world.metrics.sum("bluecap_known_peripherals") == 0)
            #expect(world.metrics.sum("bluecap_connections_total") == 1)
        }
    }

    @Test func `time an operation from its call to its end, and tell the ends apart`() async throws {
        try await MetricsWorld.run { world in
            let manager = try await world.central()
            let (peripheral, characteristic) = try await world.connect(manager)
            let local = try #require(world.tag.characteristic("FFF1"))
            let start = world.radio.clock.elapsed
            _ = try await characteristic.read(timeout: .seconds(3))
            let took = (world.radio.clock.elapsed - start) / .seconds(1)
            let reads = world.metrics.seconds(of: "read", "success")
            #expect(reads.count == 1 && abs((reads.first ?? 0) - took) < 1e-6)

            local.setError(.insufficientAuthorization, for: .write)
            await #expect(throws: CharacteristicError.att(.insufficientAuthorization)) {
                try await characteristic.write([1], timeout: .seconds(3))
            }
            #expect(world.metrics.seconds(of: "write", "att_error").count == 1)

            local.hold(.read)
            await #expect(throws: CharacteristicError.readTimeout) {
                try await characteristic.read(timeout: .seconds(3))
            }
            #expect(world.metrics.seconds(of: "read", "timeout") == [3])
            world.tag.vanish()
            await peripheral.disconnect()
            await #expect(throws: PeripheralError.connectionTimeout) {
                try await peripheral.connect(timeout: .seconds(7))
            }
            #expect(world.metrics.seconds(of: "connect", "timeout") == [7])
            await manager.invalidate()
        }
    }

    /// The outcomes of the reads of a connection that ends in the given way.
    private func outcomes(
        of end: @escaping @Sendable (MetricsWorld, Peripheral) async -> Void
    ) async throws -> [String] {
        let outcomes = Locked<[String]>([])
        try await MetricsWorld.run { world in
            let manager = try await world.central()
            let (peripheral, characteristic) = try await world.connect(manager)
            try #require(world.tag.characteristic("FFF1")).hold(.read)
            async let cut = characteristic.read(timeout: .seconds(300))
            try await world.radio.clock.sleep(for: .seconds(1))
            await end(world, peripheral)
            _ = try? await cut
            let found = world.metrics.keys.filter { $0.dimensions["operation"] == "read" }
            outcomes.withLock { $0 = found.compactMap { $0.dimensions["outcome"] } }
            await manager.invalidate()
        }
        return outcomes.withLock { $0 }
    }

    @Test func `count a read that ends with a connection which the program ends as no failure`() async throws {
        #expect(try await outcomes { _, peripheral in await peripheral.disconnect() } == ["ended"])
    }

    @Test func `count a read that ends with a connection which the peer ends in order as no failure`() async throws {
        #expect(try await outcomes { world, _ in world.tag.disconnect() } == ["ended"])
    }

    @Test func `count a read that ends with a lost connection as a failure`() async throws {
        #expect(try await outcomes { world, _ in world.tag.vanish() } == ["disconnected"])
    }

    @Test func `count an attempt that the program takes back as no failure`() async throws {
        try await MetricsWorld.run { world in
            let manager = try await world.central()
            let peripheral = try await manager.firstDiscovery(for: ["FFF0"], timeout: .seconds(10)).peripheral
            world.tag.vanish()
            async let attempt: Void = peripheral.connect(timeout: .seconds(60))
            try await world.radio.clock.sleep(for: .seconds(1))
            await peripheral.disconnect()
            _ = try? await attempt
            #expect(world.metrics.seconds(of: "connect", "ended").count == 1)
            #expect(world.metrics.seconds(of: "connect", "disconnected").isEmpty)
            await manager.invalidate()
        }
    }

    @Test func `count a reply that comes after the timeout of its call as unclaimed`() async throws {
        try await MetricsWorld.run { world in
            let manager = try await world.central()
            let (_, characteristic) = try await world.connect(manager)
            let local = try #require(world.tag.characteristic("FFF1"))
            local.hold(.read)
            await #expect(throws: CharacteristicError.readTimeout) {
                try await characteristic.read(timeout: .seconds(3))
            }
            #expect(world.metrics.sum("bluecap_unclaimed_total", ("role", "central")) == 0)
            local.release(.read)
            try await world.radio.clock.sleep(for: .seconds(1))
            #expect(manager.unclaimedCount == 1)
            #expect(world.metrics.sum("bluecap_unclaimed_total", ("role", "central")) == 1)
            await manager.invalidate()
        }
    }

    @Test func `count the values and sightings for which a stream had no room`() async throws {
        try await MetricsWorld.run { world in
            let manager = try await world.central()
            let (_, characteristic) = try await world.connect(manager)
            let values = try await characteristic.notifications(capacity: .newest(2), timeout: .seconds(3))
            world.tag.characteristic("FFF1")?.notify([[1], [2], [3], [4], [5]])
            try await world.radio.clock.sleep(for: .seconds(2))
            #expect(characteristic.droppedCount == 3)
            #expect(world.metrics.sum("bluecap_dropped_total", ("what", "value")) == 3)
            withExtendedLifetime(values) {}

            let slow = manager.discoveries(capacity: .newest(1))
            for name in ["One", "Two", "Three"] { world.radio.add(VirtualPeripheral(name: name, services: [])) }
            var names: Set<String> = []
            for try await discovery in manager.scan() {
                names.insert(discovery.peripheral.displayName)
                if names.isSuperset(of: ["One", "Two", "Three"]) { break }
            }
            let dropped = manager.droppedCount
            #expect(dropped >= 2)
            #expect(world.metrics.sum("bluecap_dropped_total", ("what", "sighting")) == Double(dropped))
            withExtendedLifetime(slow) {}
            await manager.invalidate()
        }
    }
}
#endif
