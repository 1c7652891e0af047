// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapSerDe
import BlueCapTesting
import CoreBluetooth
import Testing

/// The switchable faults of the stand-in, each through the backend and a manager. The others are in ``BackendTests``,
/// and that of restoration in ``RestoredCentralTests``.
@Suite(.timeLimit(.minutes(60)))
struct BackendFaultTests {
    @Test func `E1: a value between a read and its answer is not lost, and the next read is right`() async throws {
        try await StrapScene.run { scene in
            let level = try await scene.discovered().characteristic("2A19")
            let values = try await level.notifications(valueTimeout: .seconds(10))
            scene.world.host.faults = [.valueBetweenReadAndAnswer]
            // Nothing tells a notification from an answer, so the first of both is the answer.
            #expect(try await level.read() == [0xFE])
            #expect(try await take(2, from: values) == [[0xFE], [100]])
            scene.world.host.faults = []
            #expect(try await level.read() == [100])
        }
    }

    @Test func `M4: a late didDisconnect after power off changes nothing, and is counted`() async throws {
        try await StrapScene.run(settings: .init(faults: [.lateDisconnectAfterPowerOff])) { scene in
            let strap = try await scene.discovered()
            try await scene.world.setPower(false)
            #expect(try await scene.world.wait { strap.state == .disconnected })
            try await scene.world.setPower(true)
            try await scene.central.whenPoweredOn(timeout: .seconds(10))
            try await strap.connect(timeout: .seconds(10))
            try await strap.discover(timeout: .seconds(10))
            #expect(try await strap.characteristic("2A19").read() == [100])
            #expect(await scene.backend.statistics.strayCallbacks == 1)
        }
    }

    @Test func `M4: power off without a didDisconnect ends the link and everything on it`() async throws {
        try await StrapScene.run { scene in
            let strap = try await scene.discovered()
            try await scene.peer.hold(StrapScene.level, on: .read)
            let read = scene.world.start { try await strap.characteristic("2A19").read() }
            try await scene.peer.wait(until: .held(StrapScene.level, .read))
            try await scene.world.setPower(false)
            await #expect(throws: CharacteristicError.poweredOff) { try await read.value }
            #expect(try await scene.world.wait { strap.state == .disconnected })
            try await scene.world.setPower(true)
            try await scene.central.whenPoweredOn(timeout: .seconds(10))
            try await scene.peer.release(StrapScene.level, on: .read)
            try await strap.connect(timeout: .seconds(10))
            try await strap.discover(timeout: .seconds(10))
            #expect(try await strap.characteristic("2A19").read() == [100])
            #expect(await scene.backend.statistics.strayCallbacks == 0)
        }
    }

    @Test(arguments: [true, false])
    func `M6: services and the advertisement are there after power off, cleared by the system or not`(
        _ isCleared: Bool
    ) async throws {
        try await StandInWorld.run(settings: .init(faults: isCleared ? [.databaseCleared] : [])) { world in
            let backend = CoreBluetoothPeripheralBackend()
            let manager = world.makePeripheralManager(over: backend) { $0 }
            try await manager.whenPoweredOn()
            let level = MutableCharacteristic(
                uuid: "2A19", properties: [.read, .notify], permissions: .readable, value: [3])
            let service = MutableService(uuid: "180F")
            service.characteristics = [level]
            try await manager.add(service)
            try await manager.startAdvertising("Ours")
            try await world.setPower(false)
            #expect(try await world.wait { manager.state == .poweredOff })
            try await world.setPower(true)
            try await manager.whenPoweredOn(timeout: .seconds(10))
            let far = try await world.farCentral(0)
            let services = try await far.connect(to: far.hear { $0.localName == "Ours" })
            let found = services.filter { $0.uuid == "180F" }
            #expect(found.count == 1)
            if let remote = found.first?.characteristics.first {
                #expect(try await far.read(remote.id) == .success([3]))
                try await far.subscribe(to: remote.id, indications: false)
                try level.update([4])
                #expect(try await far.received(from: remote.id, count: 1) == [[4]])
            }
            #expect(world.host.misuses.isEmpty)
            await world.close()
        }
    }

    @Test func `D3, D6: Service Changed makes all objects new, and the attributes keep their numbers`() async throws {
        try await StrapScene.run { scene in
            let seam = Seam(in: scene.world)
            #expect(try await seam.begin())
            await seam.backend.scan(ScanRequest(allowsDuplicates: true))
            #expect(try await scene.world.wait { seam.count { if case .sighted = $0 { true } else { false } } > 0 })
            #expect(try await seam.connect(scene.identifier))
            let before = try await seam.discover(scene.identifier)
            scene.world.host.faults = [.allObjectsNew]
            try await scene.peer.changeServices(StrapScene.services + [TwinService("FFE8")])
            #expect(
                try await scene.world.wait {
                    seam.count { if case .servicesChanged(_, nil) = $0 { true } else { false } } == 1
                })
            let level = try #require(before.first { $0.key.uuid == "180F" }?.value.first)
            await #expect(throws: OperationFailure.att(.invalidHandle)) {
                try await seam.ask(.read(scene.identifier, level.id))
            }
            let after = try await seam.discover(scene.identifier)
            #expect(Set(after.keys).isSuperset(of: before.keys))
            for (service, characteristics) in before { #expect(after[service] == characteristics) }
            #expect(try await seam.ask(.read(scene.identifier, level.id)) == .value([100]))
            #expect(scene.world.host.misuses.isEmpty)
            await seam.backend.invalidate()
        }
    }

    @Test func `C3: a didDisconnect in the place of didConnect ends the attempt, and the next connects`() async throws {
        try await StrapScene.run(settings: .init(faults: [.disconnectBeforeConnect])) { scene in
            let strap = try await scene.sighted()
            let failure = await #expect(throws: PeripheralError.self) {
                try await strap.connect(timeout: .seconds(10))
            }
            #expect(failure != .connectionTimeout)
            scene.world.host.faults = []
            try await strap.connect(timeout: .seconds(10))
            #expect(strap.state == .connected)
        }
    }

    @Test func `F3: a failed attempt has the error's name, and the next one connects`() async throws {
        try await StrapScene.run(settings: .init(faults: [.failsToConnect])) { scene in
            let strap = try await scene.sighted()
            let failure = await #expect(throws: PeripheralError.self) {
                try await strap.connect(timeout: .seconds(10))
            }
            #expect(failure?.failureName == "CBError.connectionFailed")
            scene.world.host.faults = []
            try await strap.connect(timeout: .seconds(10))
            #expect(strap.state == .connected)
        }
    }

    @Test func `D2: a discovery that nobody answers ends in time, and the next connection has another`() async throws {
        try await StrapScene.run { scene in
            let strap = try await scene.connected()
            scene.world.host.faults = [.silentDiscovery]
            await #expect(throws: PeripheralError.serviceDiscoveryTimeout) {
                try await strap.discover(timeout: .seconds(5))
            }
            scene.world.host.faults = []
            await strap.disconnect()
            try await strap.connect(timeout: .seconds(10))
            try await strap.discover(timeout: .seconds(10))
            #expect(try await strap.characteristic("2A19").read() == [100])
        }
    }

    @Test func `F3, F4: errors with codes that no header names keep their numbers`() async throws {
        try await StrapScene.run { scene in
            let level = try await scene.discovered().characteristic("2A19")
            scene.world.host.faults = [.unknownErrorCodes]
            try await scene.peer.setError(.unlikelyError, of: StrapScene.level, on: .read)
            let refusal = await #expect(throws: CharacteristicError.self) { try await level.read() }
            guard case .backend(let failure)? = refusal else {
                Issue.record("the read ended with \(String(describing: refusal))")
                return
            }
            // An ATT error is an octet, which 9,999 is not.
            #expect(failure.name == "CBATTError.9999")
            let strap = try #require(scene.central.peripheral(withIdentifier: scene.identifier))
            let events = strap.connectionEvents()
            try await scene.peer.disconnect()
            let loss = await events.first { if case .disconnected = $0 { true } else { false } }
            guard case .disconnected(let error)? = loss else { return }
            #expect(error.failureName == "CBError.9999")
        }
    }

    @Test func `H4: an advertisement is changed, stopped and started, though a stop takes time`() async throws {
        try await LampScene.run(settings: .init(faults: [.slowStop])) { scene in
            let far = try await scene.world.farCentral(0)
            for name in ["One", "Two"] {
                try await scene.manager.updateAdvertisement(Advertisement(localName: name), timeout: .seconds(10))
                _ = try await far.hear { $0.localName == name }
                try await scene.manager.stopAdvertising()
                try await scene.manager.startAdvertising("Lamp", timeout: .seconds(10))
                _ = try await far.hear { $0.localName == "Lamp" }
            }
            #expect(scene.world.host.misuses.isEmpty)
        }
    }
}

extension PeripheralError {
    fileprivate var failureName: String? { if case .backend(let failure) = self { failure.name } else { nil } }
}
