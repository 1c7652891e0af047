// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import Foundation
import Testing

@testable import BlueCapCoreBluetooth
@testable import CoreBluetooth

/// Backends that break a rule, each of which the stand-in shows to be wrong.
@Suite("BrokenRules: a backend that breaks a rule is caught", .timeLimit(.minutes(60)))
struct BrokenRulesTests {
    @Test(arguments: BackendRule.allCases)
    func `a scenario passes, and does not where the rule that it needs is broken`(_ rule: BackendRule) async throws {
        try await rule.show()
        await withKnownIssue("\(rule)") {
            try await BackendRule.$broken.withValue(rule) { try await rule.show() }
        }
    }

    @Test func `twelve rules and more can be broken, and a program breaks none`() {
        #expect(BackendRule.allCases.count >= 12)
        #expect(BackendRule.broken == nil)
    }
}

extension BackendRule {
    /// Shows that a rule holds.
    fileprivate func show() async throws {
        switch self {
        case .firstInFirstOut: try await Self.atSeam(Self.answersInOrder)
        case .forgottenAttributes: try await Self.atSeam(Self.forgetsAttributes)
        case .roomForCommands: try await Self.atSeam(Self.writesCommands)
        case .lastingNumbers: try await Self.atSeam(Self.keepsNumbers)
        case .copiedValues: try await Self.atSeam(Self.reportsEachValue)
        case .droppedPeripherals: try await Self.atSeam(Self.connectsAfterReset)
        case .droppedLinks: try await Self.atSeam(faults: [.lateDisconnectAfterPowerOff], Self.endsLinksOnce)
        case .boundedCancels: try await Self.atSeam(faults: [.silentCancel], Self.endsCancelled)
        case .lengthAfterDiscovery: try await Self.atSeam(Self.knowsLength)
        case .wantedOnly: try await Self.atSeam(Self.filtersLists)
        case .readySignal, .refusedUpdates:
            try await LampScene.run(settings: .init(updateRoom: 1)) { try await Self.sendsAllUpdates($0) }
        case .oneAnswer: try await LampScene.run { try await Self.answersArrayOnce($0) }
        case .lostRegistrations: try await LampScene.run { try await Self.publishesAgain($0) }
        }
    }

    // MARK: The central role

    private typealias Scenario = @Sendable (StrapScene, Seam) async throws -> Void

    /// Runs a scenario with a seam that is connected to the strap.
    private static func atSeam(faults: Set<StandInFault> = [], _ body: @escaping Scenario) async throws {
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

    private static func answersInOrder(_ scene: StrapScene, _ seam: Seam) async throws {
        let level = try await level(scene, seam)
        let before = seam.answered.count
        let requests = [
            await seam.send(.read(scene.identifier, level)), await seam.send(.read(scene.identifier, level)),
        ]
        _ = try await scene.world.wait { seam.answered.count == before + 2 }
        #expect(Array(seam.answered.dropFirst(before)) == requests)
    }

    private static func forgetsAttributes(_ scene: StrapScene, _ seam: Seam) async throws {
        let level = try await level(scene, seam)
        scene.world.host.faults = [.allObjectsNew]
        try await scene.peer.changeServices(StrapScene.services + [TwinService("FFE8")])
        #expect(
            try await scene.world.wait { seam.count { if case .servicesChanged = $0 { true } else { false } } == 1 })
        await #expect(throws: OperationFailure.att(.invalidHandle)) {
            try await seam.ask(.read(scene.identifier, level))
        }
    }

    private static func writesCommands(_ scene: StrapScene, _ seam: Seam) async throws {
        let level = try await level(scene, seam)
        let values = (0..<100).map { Bytes([UInt8($0)]) }
        for value in values { await seam.send(.write(scene.identifier, level, value, .withoutResponse)) }
        try await scene.world.elapse(.seconds(10))
        #expect(try await scene.peer.writes(to: StrapScene.level).map(\.value) == values)
    }

    private static func keepsNumbers(_ scene: StrapScene, _ seam: Seam) async throws {
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

    private static func reportsEachValue(_ scene: StrapScene, _ seam: Seam) async throws {
        let level = try await level(scene, seam)
        #expect(try await seam.ask(.setNotifying(scene.identifier, level, true, .standard)) == .done)
        let sent = (0..<50).map { Bytes([UInt8($0)]) }
        try await scene.peer.notify(StrapScene.level, sent)
        try await scene.world.elapse(.seconds(10))
        let values = seam.events.compactMap { if case .valueChanged(_, _, let value) = $0 { value } else { nil } }
        #expect(values == sent)
    }

    private static func connectsAfterReset(_ scene: StrapScene, _ seam: Seam) async throws {
        try await scene.world.begin(.unplugging)
        try await scene.world.elapse(.seconds(1))
        try await scene.world.end(.unplugging)
        #expect(try await scene.world.wait { seam.count(\.isPoweredOn) == 2 })
        #expect(try await seam.connect(scene.identifier))
    }

    private static func endsLinksOnce(_ scene: StrapScene, _ seam: Seam) async throws {
        try await scene.world.setPower(false)
        try await scene.world.elapse(.seconds(5))
        #expect(seam.count { if case .disconnected = $0 { true } else { false } } == 0)
    }

    private static func endsCancelled(_ scene: StrapScene, _ seam: Seam) async throws {
        await seam.backend.disconnect(scene.identifier)
        try await scene.world.elapse(.seconds(5))
        #expect(seam.count { if case .disconnected = $0 { true } else { false } } == 1)
    }

    private static func knowsLength(_ scene: StrapScene, _ seam: Seam) async throws {
        _ = try await seam.discover(scene.identifier)
        #expect(seam.count { if case .maximumTransmissionUnitChanged(_, 247) = $0 { true } else { false } } == 1)
    }

    private static func filtersLists(_ scene: StrapScene, _ seam: Seam) async throws {
        _ = try await seam.discover(scene.identifier)
        guard case .services(let found) = try await seam.ask(.discoverServices(scene.identifier, ["FFE0"])) else {
            return
        }
        #expect(found.map(\.uuid) == ["FFE0"])
    }

    // MARK: The peripheral role

    private static func sendsAllUpdates(_ lamp: LampScene) async throws {
        let (far, remote) = try await lamp.connected()
        try await far.subscribe(to: remote.id, indications: false)
        let sent = (0..<20).map { Bytes([UInt8($0)]) }
        for value in sent { try lamp.level.update(value) }
        #expect(try await lamp.received(sent.count, from: remote.id, by: far) == sent)
    }

    private static func answersArrayOnce(_ lamp: LampScene) async throws {
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

    private static func publishesAgain(_ lamp: LampScene) async throws {
        let world = lamp.world
        try await world.begin(.unplugging)
        try await world.elapse(.seconds(1))
        try await world.end(.unplugging)
        try await world.elapse(.seconds(5))
        #expect(await lamp.backend.call { _, manager in manager.published.count } == 1)
    }
}
