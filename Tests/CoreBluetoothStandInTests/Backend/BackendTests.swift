// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapSerDe
import BlueCapTesting
import BlueCapVirtual
import CoreBluetooth
import Testing

/// The CoreBluetooth backend over the stand-in, from one end to the other.
@Suite(.timeLimit(.minutes(60)))
struct BackendTests {
    /// Scans, connects, discovers, reads, writes, takes a notification, disconnects and ends.
    private func useStrap(in world: StandInWorld, over backend: CoreBluetoothCentralBackend) async throws {
        let peer = try await world.peer(0)
        let level = TwinCharacteristic(
            "2A19", properties: [.read, .write, .writeWithoutResponse, .notify], value: [100])
        let identifier = try await peer.configure(
            Twin(name: "Strap", services: [TwinService("180F", characteristics: [level])]), pairing: PeerPairing())
        try await peer.advertise(true)
        let central = CentralManager(backend: backend, configuration: .init(clock: world.clock))
        try await central.whenPoweredOn()
        let strap = try await central.firstDiscovery().peripheral
        #expect(strap.identifier == identifier)
        try await strap.connect(timeout: .seconds(10))
        try await strap.discover()
        // C14: the length is 20 until the discovery, and with a fault for good.
        let length = world.host.faults.contains(.noReadySignal) ? 20 : 244
        #expect(strap.maximumWriteLength(for: .withoutResponse) == length)
        let characteristic = try strap.characteristic("2A19")
        #expect(try await characteristic.read() == [100])
        try await characteristic.write([1])
        try await characteristic.write([2], kind: .withoutResponse)
        let values = try await characteristic.notifications()
        try await peer.notify(PeerAttribute(), [[3]])
        for try await value in values {
            #expect(value == [3])
            break
        }
        #expect(try await peer.writes(to: PeerAttribute()).map(\.value) == [[1], [2]])
        await strap.disconnect()
        #expect(strap.state == .disconnected)
        await central.invalidate()
    }

    private func expectNoObjects(in world: StandInWorld) async throws {
        try await world.elapse(.seconds(5))
        for kind in StandInObject.allCases { #expect(world.host.liveCount(kind) == 0, "\(kind)") }
        #expect(world.host.misuses.isEmpty)
    }

    @Test func `a peripheral is used, and nothing of it stays`() async throws {
        try await StandInWorld.run { world in
            let backend = world.attached(CoreBluetoothCentralBackend())
            try await useStrap(in: world, over: backend)
            try await expectNoObjects(in: world)
            #expect(await backend.statistics == CoreBluetoothStatistics())
            await world.close()
        }
    }

    @Test(
        arguments: [
            .connectTwice, .silentCancel, .noReadySignal, .writeCallbackForCommand, .callbackAfterInvalidate,
        ] as [StandInFault])
    func `a fault of the system changes nothing, and is counted`(_ fault: StandInFault) async throws {
        try await StandInWorld.run(settings: .init(faults: [fault])) { world in
            let backend = world.attached(CoreBluetoothCentralBackend())
            try await useStrap(in: world, over: backend)
            try await expectNoObjects(in: world)
            let statistics = await backend.statistics
            #expect((statistics.unansweredCancels == 1) == (fault == .silentCancel))
            #expect((statistics.forcedCommands == 1) == (fault == .noReadySignal))
            let isStray = [.connectTwice, .writeCallbackForCommand].contains(fault)
            #expect((statistics.strayCallbacks == 1) == isStray)
            await world.close()
        }
    }

    @Test func `a service is offered, and nothing of it stays`() async throws {
        try await StandInWorld.run { world in
            let backend = world.attached(CoreBluetoothPeripheralBackend())
            let manager = PeripheralManager(backend: backend, configuration: .init(clock: world.clock))
            try await manager.whenPoweredOn()
            let level = MutableCharacteristic(
                uuid: "2A19", properties: [.read, .write, .notify], permissions: [.readable, .writeable], value: [100])
            let service = MutableService(uuid: "180F")
            service.characteristics = [level]
            try await manager.add(service)
            try await manager.startAdvertising("Ours")
            let far = try await world.farCentral(0)
            let found = try await far.connect(to: far.hear { $0.localName == "Ours" })
            let remote = try #require(found.flatMap(\.characteristics).first { $0.uuid == "2A19" })
            #expect(try await far.read(remote.id) == .success([100]))
            try await far.subscribe(to: remote.id, indications: false)
            try level.update([5])
            #expect(try await far.received(from: remote.id, count: 1) == [[5]])
            try await far.disconnect()
            try await manager.stopAdvertising()
            await manager.invalidate()
            try await expectNoObjects(in: world)
            #expect(await backend.statistics == CoreBluetoothStatistics())
            await world.close()
        }
    }
}
