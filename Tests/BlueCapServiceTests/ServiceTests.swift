// SPDX-License-Identifier: MIT

#if ServiceLifecycle
import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

@Suite("A manager as a service", .timeLimit(.minutes(60)))
struct ServiceTests {
    /// The cause of a service's end.
    enum End: CaseIterable {
        case gracefulShutdown
        case cancellation
        case invalidation
    }

    private func connect(_ manager: CentralManager) async throws -> Peripheral {
        try await manager.whenPoweredOn(timeout: .seconds(5))
        let peripheral = try await manager.firstDiscovery(timeout: .seconds(10)).peripheral
        try await peripheral.connect(timeout: .seconds(10))
        return peripheral
    }

    @Test(arguments: End.allCases)
    func `of the central role takes its connections down before it returns`(end: End) async throws {
        let radio = VirtualRadio()
        let tag = VirtualPeripheral(name: "Tag", services: [VirtualService("FFF0") {}])
        radio.add(tag)
        let manager = CentralManager(backend: radio.central())
        try await testGracefulShutdown { trigger in
            let running = Task { await manager.run() }
            _ = try await connect(manager)
            #expect(tag.connectionCount == 1)
            switch end {
            case .gracefulShutdown: trigger.triggerGracefulShutdown()
            case .cancellation: running.cancel()
            case .invalidation: await manager.invalidate()
            }
            await running.value
            #expect(tag.connectionCount == 0)
        }
        await #expect(throws: CentralManagerError.invalidated) { try await manager.whenPoweredOn() }
    }

    @Test(arguments: End.allCases)
    func `of the peripheral role takes its services and its advertisement back before it returns`(end: End) async throws
    {
        // The graceful shutdown has tasks of its own, which may have to wait for a thread beside the other suites.
        try await VirtualRadio.run(patience: .seconds(3600)) { radio in
            let manager = PeripheralManager(backend: radio.peripheral(), configuration: .init(clock: radio.clock))
            let service = MutableService(uuid: "FFF0")
            service.characteristics = [MutableCharacteristic(uuid: "FFF1")]
            let central = CentralManager(backend: radio.central())
            try await testGracefulShutdown { trigger in
                // A task of the run: one outside of it may have to wait for a thread, for any time of the clock.
                let running = Task(executorPreference: radio.executor) { await manager.run() }
                try await manager.whenPoweredOn(timeout: .seconds(5))
                try await manager.add(service, timeout: .seconds(5))
                try await manager.startAdvertising("Ours", timeout: .seconds(5))
                let peripheral = try await connect(central)
                let events = peripheral.connectionEvents()
                switch end {
                case .gracefulShutdown: trigger.triggerGracefulShutdown()
                case .cancellation: running.cancel()
                case .invalidation: await manager.invalidate()
                }
                await running.value
                #expect(manager.services.isEmpty && !manager.isAdvertising)
                for await event in events { if case .disconnected = event { break } }
            }
            await #expect(throws: CentralManagerError.serviceScanTimeout) {
                try await central.firstDiscovery(timeout: .seconds(30))
            }
            await central.invalidate()
            await #expect(throws: PeripheralManagerError.invalidated) { try await manager.whenPoweredOn() }
        }
    }

    /// Keeps a connection for as long as the group runs, and gives it up itself at the end.
    private struct Keeper: ServiceLifecycle.Service {
        let manager: CentralManager
        let tag: VirtualPeripheral
        let trigger: @Sendable () -> Void

        func run() async throws {
            let peripheral = try await manager.firstDiscovery(timeout: .seconds(10)).peripheral
            try await peripheral.connect(timeout: .seconds(10))
            trigger()
            try await gracefulShutdown()
            // The manager is listed first, so it ends last.
            #expect(tag.connectionCount == 1)
            #expect(manager.isPoweredOn)
        }
    }

    @Test func `in a group ends after the services that are listed behind it`() async throws {
        let radio = VirtualRadio()
        let tag = VirtualPeripheral(name: "Tag", services: [])
        radio.add(tag)
        let manager = CentralManager(backend: radio.central())
        try await manager.whenPoweredOn(timeout: .seconds(5))
        try await testGracefulShutdown { trigger in
            let keeper = Keeper(manager: manager, tag: tag) { trigger.triggerGracefulShutdown() }
            let group = ServiceGroup(services: [manager, keeper], logger: Logger(label: "test"))
            try await group.run()
        }
        #expect(tag.connectionCount == 0)
        await #expect(throws: CentralManagerError.invalidated) { try await manager.whenPoweredOn() }
    }
}
#endif
