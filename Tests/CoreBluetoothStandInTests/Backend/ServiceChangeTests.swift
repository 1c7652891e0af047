// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapSerDe
import BlueCapTesting
import CoreBluetooth
import Testing

/// Changes of a connected device's services, of which CoreBluetooth names those that are void.
@Suite(.timeLimit(.minutes(60)))
struct ServiceChangeTests {
    /// Two services that include no other: a simulated peer keeps such a one when another one changes.
    private static let services = [("180F", "2A19"), ("FFE0", "FFE1")].map {
        (service: BluetoothUUID, characteristic: BluetoothUUID) in
        TwinService(
            service, characteristics: [TwinCharacteristic(characteristic, properties: [.read, .notify], value: [100])])
    }

    private func run(
        _ faults: Set<StandInFault> = [], _ body: @escaping @Sendable (StrapScene, Peripheral) async throws -> Void
    ) async throws {
        try await StrapScene.run(settings: .init(faults: faults)) { scene in
            try await scene.peer.changeServices(Self.services)
            try await body(scene, scene.discovered())
        }
    }

    @Test func `D3: a service that comes ends no subscription of those that stay`() async throws {
        try await run { scene, strap in
            let level = try strap.characteristic("2A19")
            let changes = strap.serviceChanges()
            let values = try await level.notifications(valueTimeout: .seconds(10))
            try await scene.peer.changeServices(Self.services + [TwinService("FFE8")])
            #expect(await changes.first { _ in true } == [])
            // Before the next discovery, and after it.
            try await scene.peer.notify(StrapScene.level, [[7]])
            #expect(try await take(1, from: values) == [[7]])
            #expect(try await level.read() == [100])
            try await strap.discover(timeout: .seconds(10))
            #expect(strap.services.map(\.uuid) == ["180F", "FFE0", "FFE8"])
            #expect(try strap.characteristic("2A19") === level)
            let later = try await level.notifications(valueTimeout: .seconds(10))
            try await scene.peer.notify(StrapScene.level, [[8]])
            #expect(try await take(1, from: later) == [[8]])
            #expect(await scene.backend.statistics.strayCallbacks == 0)
            #expect(scene.world.host.misuses.isEmpty)
        }
    }

    @Test func `D3: a service that goes takes its own subscriptions and requests along, and no others`() async throws {
        try await run { scene, strap in
            let (level, other) = (try strap.characteristic("2A19"), try strap.characteristic("FFE1"))
            let values = try await level.notifications(valueTimeout: .seconds(60))
            let others = try await other.notifications(valueTimeout: .seconds(60))
            let changes = strap.serviceChanges()
            try await scene.peer.hold(StrapScene.level, on: .read)
            let read = scene.world.start { try await level.read(timeout: .seconds(60)) }
            try await scene.peer.wait(until: .held(StrapScene.level, .read))
            try await scene.peer.changeServices([Self.services[0], TwinService("FFE8")])
            #expect(await changes.first { _ in true } == ["FFE0"])
            await #expect(throws: CharacteristicError.notDiscovered("FFE1")) { try await take(1, from: others) }
            await #expect(throws: CharacteristicError.notDiscovered("FFE1")) { try await other.read() }
            try await scene.peer.release(StrapScene.level, on: .read)
            #expect(try await read.value == [100])
            try await scene.peer.notify(StrapScene.level, [[7]])
            // E1: listeners have the answer to a read, too.
            #expect(try await take(2, from: values) == [[100], [7]])
            #expect(await scene.backend.statistics.strayCallbacks == 0)
            #expect(scene.world.host.misuses.isEmpty)
        }
    }

    @Test func `D3: where the system voids services that it does not name, all of them end`() async throws {
        try await run([.allObjectsNew]) { scene, strap in
            let level = try strap.characteristic("2A19")
            let values = try await level.notifications(valueTimeout: .seconds(60))
            try await scene.peer.changeServices(Self.services + [TwinService("FFE8")])
            await #expect(throws: CharacteristicError.notDiscovered("2A19")) { try await take(1, from: values) }
            try await strap.discover(timeout: .seconds(10))
            #expect(try await strap.characteristic("2A19").read() == [100])
            #expect(scene.world.host.misuses.isEmpty)
        }
    }
}
