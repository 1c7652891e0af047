// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import BlueCapFakeBlueZ
import Testing

/// A `bluetoothd` that stands still, as if stopped by a debugger or SIGSTOP: it is on the bus, and answers nothing. All
/// tasks run on the executor of the backend, so that time stands still while any of them has work to do.
@Suite("A manager ends beside a daemon that stands still", .serialized, .timeLimit(.minutes(60)))
struct SilentDaemonTests {
    /// An operation of the central role that is under way when the daemon falls silent, or is asked for afterwards.
    enum Business: CaseIterable {
        case connecting, reading, writing, subscribing, disconnecting, scanning
    }

    private static let device = Twin(
        name: "Peer",
        services: [
            TwinService(
                "FFF0", characteristics: [TwinCharacteristic("FFF1", properties: [.read, .write, .notify], value: [1])])
        ])

    /// The duration of a call on the world's clock.
    private func duration(in world: FakeWorld, of body: () async throws -> Void) async rethrows -> Duration {
        let before = world.clock.elapsed
        try await body()
        return world.clock.elapsed - before
    }

    @Test(arguments: Business.allCases, [true, false])
    func `of the central role, after 5 s, and says what it left`(business: Business, isCancelled: Bool) async throws {
        let world = try await FakeWorld(passesTime: true)
        let central = try await world.makeCentral()
        try await withTaskExecutorPreference(central.executor) {
            try await end(central, in: world, business, isCancelled)
        }
        await world.close()
    }

    private func end(
        _ central: CentralManager, in world: FakeWorld, _ business: Business, _ isCancelled: Bool
    ) async throws {
        try await central.whenPoweredOn()
        let peer = try await world.peer(0)
        _ = try await peer.configure(Self.device)
        try await peer.advertise(true)
        let peripheral = try await central.firstDiscovery().peripheral
        if business != .connecting {
            try await peripheral.connect()
            try await peripheral.discover(["FFF0"])
        }
        await world.fake.begin(.standsStill)
        let work = Task(executorPreference: central.executor) {
            switch business {
            case .connecting: try await peripheral.connect()
            case .reading: _ = try await peripheral.characteristic("FFF1").read()
            case .writing: try await peripheral.characteristic("FFF1").write([2])
            case .subscribing: for try await _ in try await peripheral.characteristic("FFF1").notifications() {}
            case .disconnecting: await peripheral.disconnect()
            case .scanning: for try await _ in central.scan() {}
            }
        }
        // The request is on its way.
        try await world.elapse(.seconds(1))
        let end = Task(executorPreference: central.executor) {
            if isCancelled { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            return await central.invalidate()
        }
        let time = await duration(in: world) { #expect(await end.value == [peripheral]) }
        #expect(time == .seconds(5))
        _ = await work.result
        await world.fake.end(.standsStill)
    }

    @Test(arguments: [true, false])
    func `of the peripheral role, after 5 s, and says what it left`(isCancelled: Bool) async throws {
        let world = try await FakeWorld(passesTime: true)
        let manager = try await world.makePeripheralManager()
        try await withTaskExecutorPreference(manager.executor) { try await end(manager, in: world, isCancelled) }
        await world.close()
    }

    private func end(_ manager: PeripheralManager, in world: FakeWorld, _ isCancelled: Bool) async throws {
        try await manager.whenPoweredOn()
        let service = MutableService(uuid: "FFF0")
        service.characteristics = [MutableCharacteristic(uuid: "FFF1", value: [1])]
        try await manager.add(service)
        try await manager.startAdvertising("Ours")
        await world.fake.begin(.standsStill)
        let end = Task(executorPreference: manager.executor) {
            if isCancelled { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            return await manager.invalidate()
        }
        let time = await duration(in: world) {
            #expect(await end.value == [.service(service), .advertisement(Advertisement(localName: "Ours"))])
        }
        #expect(time == .seconds(5))
        await world.fake.end(.standsStill)
    }

    @Test func `after the 5 s of a reset, which leaves a manager that works once the daemon does`() async throws {
        let world = try await FakeWorld(passesTime: true)
        let (central, manager) = (try await world.makeCentral(), try await world.makePeripheralManager())
        try await withTaskExecutorPreference(central.executor) { try await reset(central, manager, in: world) }
        await world.close()
    }

    private func reset(_ central: CentralManager, _ manager: PeripheralManager, in world: FakeWorld) async throws {
        try await central.whenPoweredOn()
        try await manager.whenPoweredOn()
        let peer = try await world.peer(0)
        _ = try await peer.configure(Self.device)
        try await peer.advertise(true)
        try await central.firstDiscovery().peripheral.connect()
        try await manager.add(MutableService(uuid: "FFF0"))
        await world.fake.begin(.standsStill)
        let time = await duration(in: world) {
            async let first = central.reset()
            async let second = manager.reset()
            #expect(await (first, second) == (false, false))
        }
        #expect(time == .seconds(5))
        await world.fake.end(.standsStill)
        #expect(await central.reset())
        #expect(await manager.reset())
        try await central.firstDiscovery().peripheral.connect()
    }
}
#endif
