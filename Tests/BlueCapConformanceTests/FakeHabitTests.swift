// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBeacon
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapFakeBlueZ
import BlueCapLoop
import BlueCapPrivateBus
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import Testing

/// Habits of `bluetoothd` that no platform shares, on a scripted one.
@Suite("A program beside bluetoothd's habits", .serialized, .timeLimit(.minutes(60)))
struct FakeHabitTests {
    private static let place = PeerAttribute()

    private static func device(_ properties: CharacteristicProperties, _ security: TwinSecurity = .open) -> Twin {
        let characteristic = TwinCharacteristic("FFF1", properties: properties, value: [7], readSecurity: security)
        return Twin(name: "Peer", services: [TwinService("FFF0", characteristics: [characteristic])])
    }

    /// Runs a body with a central that is on, and a far device that advertises.
    private func run(
        _ device: Twin = device(.read), before: @Sendable (FakeDaemon, PeerIdentifier) -> Void = { _, _ in },
        _ body: @Sendable (FakeWorld, any ConformancePeer, CentralManager, Peripheral) async throws -> Void
    ) async throws {
        let world = try await FakeWorld()
        let central = try await world.makeCentral()
        try await central.whenPoweredOn()
        let peer = try await world.peer(0)
        let address = try await peer.configure(device, pairing: PeerPairing())
        try await world.fake.with { before($0, address) }
        try await peer.advertise(true)
        let peripheral = try await central.firstDiscovery().peripheral
        try await body(world, peer, central, peripheral)
        await world.close()
    }

    /// Returns once the daemon is in a state that calls of the program lead to.
    private func wait(in world: FakeWorld, until isMet: @Sendable (FakeDaemon) -> Bool) async throws {
        while try await !world.fake.with(isMet) { await world.fake.settle() }
    }

    // MARK: The preferred bearer

    @Test(arguments: ["last-used", "last-seen", "bredr", "le"])
    func `a device with both radios is connected to over LE, and the user's choice is kept`(bearer: String) async throws
    {
        try await run {
            $0.bearers[$1] = .init(bearer)
        } _: { world, _, _, peripheral in
            try await peripheral.connect()
            await world.fake.settle()
            let kept = try await world.fake.with { $0.bearers[peripheral.identifier]?.preferred }
            #expect(kept == bearer)
        }
    }

    @Test(arguments: [("last-used", "last-used"), ("last-seen", "last-seen"), ("bredr", "le")])
    func `a program that is killed while it connects leaves the user's choice, unless BlueZ would end the attempt`(
        bearer: String, left: String
    ) async throws {
        try await run {
            $0.bearers[$1] = .init(bearer)
        } _: { world, peer, _, peripheral in
            try await peer.vanish()
            let connecting = Task { try await peripheral.connect() }
            try await wait(in: world) { $0.isConnecting(peripheral.identifier) }
            await world.fake.settle()
            #expect(try await world.fake.with { $0.bearers[peripheral.identifier]?.preferred } == left)
            // The attempt goes on.
            try await peer.comeBack()
            try await connecting.value
            await world.fake.settle()
            #expect(try await world.fake.with { $0.bearers[peripheral.identifier]?.preferred } == bearer)
        }
    }

    // MARK: A link that stands

    @Test func `a link of another program is taken over without a call of Connect`() async throws {
        try await run { world, peer, _, peripheral in
            let loop = try EventLoop()
            let other = try await BusConnection.open(BusAddress(world.bus.address), on: loop)
            let connect = try Message.methodCall(
                to: "org.bluez", path: FakeDaemon.path(of: peripheral.identifier), interface: "org.bluez.Device1",
                member: "Connect")
            _ = try await other.call(connect)
            await world.fake.settle()
            // A call of it would not come back.
            try await world.fake.with { _ = $0.unanswered.insert("Connect") }
            try await peripheral.connect()
            try await peripheral.discover()
            #expect(try await peripheral.characteristic("FFF1").read() == [7])
            #expect(try await peer.connections() == PeerConnections(current: 1, total: 1))
            withExtendedLifetime(other) {}
            await loop.stop()
        }
    }

    // MARK: Requests that are given up

    @Test func `a read that bluetoothd gives up with 0x0E to pair is answered once they are paired`() async throws {
        try await run(Self.device(.read, .encrypted)) { daemon, _ in
            daemon.givesUpToPair = true
        } _: {
            _, _, central, peripheral in
            let requests = central.pairingRequests()
            try await peripheral.connect()
            try await peripheral.discover()
            let characteristic = try peripheral.characteristic("FFF1")
            async let value = characteristic.read()
            #expect(await requests.first { _ in true }?.accept() == true)
            #expect(try await value == [7])
        }
    }

    @Test func `a socket that the device refuses and bluetoothd forgets is told, with what ends it`() async throws {
        try await run(Self.device(.notify)) { daemon, _ in
            daemon.forgetsRefusedSockets = true
        } _: {
            world, peer, _, peripheral in
            try await peripheral.connect()
            try await peripheral.discover()
            try await peer.setError(.insufficientResources, of: Self.place, on: .subscribe)
            let characteristic = try peripheral.characteristic("FFF1")
            async let outcome: CharacteristicError? = {
                do throws(CharacteristicError) {
                    _ = try await characteristic.notifications(transport: .socket)
                    return nil
                } catch {
                    return error
                }
            }()
            try await world.elapse(.seconds(10))
            guard case .backend(let failure) = await outcome else {
                Issue.record("it was not told")
                return
            }
            #expect(failure.name == "org.bluez.Error.NotPermitted")
            #expect(failure.advice?.contains("until the device is removed") == true)
        }
    }

    // MARK: A kernel that refuses a discovery

    @Test(arguments: [true, false])
    func `a region is not left while the kernel refuses the discovery, whether a monitor hears or nobody`(
        hasMonitors: Bool
    ) async throws {
        let world = try await FakeWorld(passesTime: true)
        let central = try await world.makeCentral()
        let seen = Locked<[RegionState]>([])
        try await withTaskExecutorPreference(central.executor) {
            try await central.whenPoweredOn()
            let peer = try await world.peer(0)
            _ = try await peer.configure(Self.device(.read))
            try await peer.advertise(true)
            try await world.fake.with { daemon in
                let refusal = (name: "org.bluez.Error.InProgress", text: "Operation already in progress")
                daemon.failures["StartDiscovery"] = Array(repeating: refusal, count: hasMonitors ? 6 : 20)
                if !hasMonitors { daemon.failures["RegisterMonitor"] = [(name: "org.bluez.Error.Failed", text: "no")] }
            }
            let region = DiscoveryRegion("keys", exitDelay: .seconds(2)) { _ in true }
            let states = BeaconManager(central: central).monitoring(region)
            let monitoring = Task(executorPreference: central.executor) {
                for await state in states { seen.withLock { $0.append(state) } }
            }
            // The kernel refuses for some nine seconds of these.
            try await world.elapse(.seconds(20))
            #expect(seen.withLock { $0 } == [.start, .inside])
            try await peer.advertise(false)
            try await world.elapse(.seconds(3))
            #expect(seen.withLock { $0 } == [.start, .inside, .outside])
            _ = await central.invalidate()
            await monitoring.value
        }
        await world.close()
    }
}
#endif
