// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import Foundation
import Testing

@testable import BlueCapCoreBluetooth
@testable import CoreBluetooth

/// Rules on which the work of a program rests, each in a scenario that goes wrong where the backend breaks it: see
/// Tests/Apple/mutations.
@Suite(.timeLimit(.minutes(60)))
struct KeptRuleTests {
    // MARK: The central role

    /// Runs a scenario with a seam that is connected to the strap.
    private func run(
        faults: Set<StandInFault> = [], _ body: @escaping @Sendable (StrapScene, Seam) async throws -> Void
    ) async throws {
        try await StrapScene.run(settings: .init(faults: faults)) { scene in
            let seam = Seam(in: scene.world)
            #expect(try await seam.begin())
            await seam.backend.scan(ScanRequest(allowsDuplicates: true))
            #expect(try await scene.world.wait { seam.count { if case .sighted = $0 { true } else { false } } > 0 })
            await seam.backend.scan(nil)
            #expect(try await seam.connect(scene.identifier))
            try await body(scene, seam)
            await seam.backend.invalidate()
        }
    }

    private static func level(_ scene: StrapScene, _ seam: Seam) async throws -> AttributeID {
        let found = try await seam.discover(scene.identifier)
        return try #require(found.first { $0.key.uuid == "180F" }?.value.first).id
    }

    @Test func `E3: answers go to the requests in their order`() async throws {
        try await run { scene, seam in
            let level = try await Self.level(scene, seam)
            let before = seam.answered.count
            let requests = [
                await seam.send(.read(scene.identifier, level)), await seam.send(.read(scene.identifier, level)),
            ]
            _ = try await scene.world.wait { seam.answered.count == before + 2 }
            #expect(Array(seam.answered.dropFirst(before)) == requests)
        }
    }

    @Test func `D3: attributes are forgotten when the services have changed`() async throws {
        try await run { scene, seam in
            let level = try await Self.level(scene, seam)
            scene.world.host.faults = [.allObjectsNew]
            try await scene.peer.changeServices(StrapScene.services + [TwinService("FFE8")])
            #expect(
                try await scene.world.wait { seam.count { if case .servicesChanged = $0 { true } else { false } } == 1 }
            )
            await #expect(throws: OperationFailure.att(.invalidHandle)) {
                try await seam.ask(.read(scene.identifier, level))
            }
        }
    }

    @Test func `E5: a hundred commands arrive`() async throws {
        try await run { scene, seam in
            let level = try await Self.level(scene, seam)
            let values = (0..<100).map { Bytes([UInt8($0)]) }
            for value in values { await seam.send(.write(scene.identifier, level, value, .withoutResponse)) }
            try await scene.world.elapse(.seconds(10))
            #expect(try await scene.peer.writes(to: StrapScene.level).map(\.value) == values)
        }
    }

    @Test func `D6: a service has its number in the next connection, too`() async throws {
        try await run { scene, seam in
            guard case .services(let first) = try await seam.ask(.discoverServices(scene.identifier, ["FFE0"])) else {
                return
            }
            await seam.backend.disconnect(scene.identifier)
            try await scene.peer.wait(until: .disconnected)
            try await scene.world.elapse(.seconds(5))
            #expect(try await seam.connect(scene.identifier))
            guard case .services(let all) = try await seam.ask(.discoverServices(scene.identifier, nil)) else { return }
            #expect(all.filter { $0.uuid == "FFE0" } == first)
        }
    }

    @Test func `E2: fifty values are reported as they came`() async throws {
        try await run { scene, seam in
            let level = try await Self.level(scene, seam)
            #expect(try await seam.ask(.setNotifying(scene.identifier, level, true, .standard)) == .done)
            let sent = (0..<50).map { Bytes([UInt8($0)]) }
            try await scene.peer.notify(StrapScene.level, sent)
            try await scene.world.elapse(.seconds(10))
            let values = seam.events.compactMap { if case .valueChanged(_, _, let value) = $0 { value } else { nil } }
            #expect(values == sent)
        }
    }

    @Test func `M5: a device is connected to again after a reset of the radio`() async throws {
        try await run { scene, seam in
            try await scene.world.begin(.unplugging)
            try await scene.world.elapse(.seconds(1))
            try await scene.world.end(.unplugging)
            #expect(try await scene.world.wait { seam.count(\.isPoweredOn) == 2 })
            #expect(try await seam.connect(scene.identifier))
        }
    }

    @Test func `M4: nothing is reported of a link that ended with the radio`() async throws {
        try await run(faults: [.lateDisconnectAfterPowerOff]) { scene, seam in
            try await scene.world.setPower(false)
            try await scene.world.elapse(.seconds(5))
            #expect(seam.count { if case .disconnected = $0 { true } else { false } } == 0)
        }
    }

    @Test func `C2: a cancelled link ends, though nothing answers`() async throws {
        try await run(faults: [.silentCancel]) { scene, seam in
            await seam.backend.disconnect(scene.identifier)
            try await scene.world.elapse(.seconds(5))
            #expect(seam.count { if case .disconnected = $0 { true } else { false } } == 1)
        }
    }

    @Test func `C14: the MTU is known after the discovery`() async throws {
        try await run { scene, seam in
            _ = try await seam.discover(scene.identifier)
            #expect(seam.count { if case .maximumTransmissionUnitChanged(_, 247) = $0 { true } else { false } } == 1)
        }
    }

    @Test func `D1: of a list those count that were asked for`() async throws {
        try await run { scene, seam in
            _ = try await seam.discover(scene.identifier)
            guard case .services(let found) = try await seam.ask(.discoverServices(scene.identifier, ["FFE0"])) else {
                return
            }
            #expect(found.map(\.uuid) == ["FFE0"])
        }
    }

    // MARK: The peripheral role

    @Test func `J1: updates wait for room, and all arrive`() async throws {
        try await LampScene.run(settings: .init(updateRoom: 1)) { lamp in
            let (far, remote) = try await lamp.connected()
            try await far.subscribe(to: remote.id, indications: false)
            let sent = (0..<20).map { Bytes([UInt8($0)]) }
            for value in sent { try lamp.level.update(value) }
            #expect(try await lamp.received(sent.count, from: remote.id, by: far) == sent)
        }
    }

    @Test func `I2: an array of writes has one answer`() async throws {
        try await LampScene.run { lamp in
            await lamp.backend.call { delegate, manager in
                guard let offered = manager.published.first?.characteristics.first else { return }
                let central = CBCentral(identifier: UUID(), host: manager.host)
                delegate.peripheralManager(
                    manager,
                    didReceiveWrite: (0..<3).map { number in
                        CBATTRequest(
                            central: central, characteristic: offered, offset: 0, value: Data([UInt8(number)]),
                            host: manager.host)
                    })
            }
            try await lamp.world.elapse(.seconds(60))
            // The stand-in has no access for the array, and notes each answer to it.
            #expect(lamp.world.host.misuses.count == 1)
        }
    }

    @Test func `M6: services are published again after a reset of the radio`() async throws {
        try await LampScene.run { lamp in
            let world = lamp.world
            try await world.begin(.unplugging)
            try await world.elapse(.seconds(1))
            try await world.end(.unplugging)
            try await world.elapse(.seconds(5))
            #expect(await lamp.backend.call { _, manager in manager.published.count } == 1)
        }
    }
}
