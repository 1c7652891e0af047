// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import Dispatch
import Foundation
import Testing

@testable import BlueCapCoreBluetooth
@testable import CoreBluetooth

/// Rules of the central role that the backend follows, seen at its seam.
@Suite(.timeLimit(.minutes(60)))
struct CentralRuleTests {
    private func run(
        _ faults: Set<StandInFault> = [], _ body: @escaping @Sendable (StrapScene, Seam) async throws -> Void
    ) async throws {
        try await StrapScene.run(settings: .init(faults: faults)) { scene in
            let seam = Seam(in: scene.world)
            #expect(try await seam.begin())
            try await body(scene, seam)
            await seam.backend.invalidate()
        }
    }

    private func scan(_ scene: StrapScene, _ seam: Seam) async throws {
        await seam.backend.scan(ScanRequest(allowsDuplicates: true))
        #expect(try await scene.world.wait { seam.sightingCount > 0 })
        await seam.backend.scan(nil)
    }

    @Test func `M7: every event comes on the backend's queue`() async throws {
        try await run { scene, _ in
            let backend = scene.world.attached(CoreBluetoothCentralBackend())
            let key = DispatchSpecificKey<Bool>()
            backend.queue.setSpecific(key: key, value: true)
            let places = Places()
            await backend.activate(
                clock: scene.world.clock,
                sink: CentralEventSink { _ in
                    let isThere = DispatchQueue.getSpecific(key: key) ?? false
                    places.add(isThere)
                })
            let isOn = try await scene.world.wait { places.count > 0 }
            await backend.scan(ScanRequest(allowsDuplicates: true))
            let isSighted = try await scene.world.wait { places.count > 5 }
            #expect(isOn && isSighted && places.areAllThere)
            await backend.invalidate()
        }
    }

    @Test func `M8: nothing but the backend keeps its delegate`() async throws {
        try await run { _, seam in
            let probe = await seam.backend.probeOfDelegate
            #expect(probe.isAlive)
            await seam.backend.invalidate()
            #expect(!probe.isAlive)
        }
    }

    @Test func `M10: what CoreBluetooth answers at once is reported after the command`() async throws {
        try await run { scene, seam in
            try await scan(scene, seam)
            let commands: [@Sendable (isolated CoreBluetoothCentralBackend) -> Void] = [
                { $0.perform(901, .retrieve([scene.identifier])) },
                { $0.perform(902, .retrieveConnected(services: [])) },
                { $0.perform(903, .readRSSI(scene.identifier)) }, { $0.perform(904, .pair(scene.identifier)) },
                { $0.connect(PeerIdentifier("unknown")) }, { $0.disconnect(PeerIdentifier("unknown")) },
            ]
            for command in commands {
                let before = seam.events.count
                #expect(await seam.backend.reportsLater(seam, command))
                #expect(try await scene.world.wait { seam.events.count == before + 1 })
            }
        }
    }

    @Test func `B1, B2: a second scan replaces the first, and reports a device once or each time`() async throws {
        try await run { scene, seam in
            await seam.backend.scan(ScanRequest(services: ["FFE0"], allowsDuplicates: true))
            try await scene.world.elapse(.seconds(5))
            #expect(seam.sightingCount == 0)
            await seam.backend.scan(ScanRequest(allowsDuplicates: false))
            try await scene.world.elapse(.seconds(5))
            #expect(seam.sightingCount == 1)
            await seam.backend.scan(ScanRequest(allowsDuplicates: true))
            try await scene.world.elapse(.seconds(5))
            #expect(seam.sightingCount > 5)
        }
    }

    @Test func `B10: a device has the same identifier in each backend of a host, a UUID`() async throws {
        try await run { scene, seam in
            try await scan(scene, seam)
            #expect(UUID(uuidString: scene.identifier.text) != nil)
            let found = Set(seam.events.compactMap { if case .sighted(let seen) = $0 { seen.peripheral } else { nil } })
            #expect(found == [scene.identifier])
            #expect(try await scene.sighted().identifier == scene.identifier)
        }
    }

    @Test func `B12: a scan does not fail, it ends with the state`() async throws {
        try await run { scene, seam in
            await seam.backend.scan(ScanRequest(allowsDuplicates: true))
            try await scene.world.setPower(false)
            try await scene.world.elapse(.seconds(1))
            let before = seam.sightingCount
            try await scene.world.setPower(true)
            try await scene.world.elapse(.seconds(5))
            #expect(seam.count { if case .scanFailed = $0 { true } else { false } } == 0)
            #expect(seam.sightingCount == before)
            try await scan(scene, seam)
        }
    }

    @Test func `B11: an identifier that the system does not know cannot be connected to`() async throws {
        try await run { scene, seam in
            let stranger = PeerIdentifier(UUID().uuidString)
            for id in [stranger, PeerIdentifier("no UUID")] {
                await seam.backend.connect(id)
                try await scene.world.elapse(.seconds(1))
                let failure = seam.events.compactMap { event in
                    if case .connectFailed(id, .backend(let failure)) = event { failure } else { nil }
                }
                #expect(failure.map(\.name) == ["CoreBluetooth.unknownPeripheral"])
            }
        }
    }

    @Test func `C6: an operation without a connection is answered, and CoreBluetooth is not asked`() async throws {
        try await run { scene, seam in
            try await scan(scene, seam)
            let attribute = AttributeID(rawValue: 65_536)
            let operations: [CentralOperation] = [
                .readRSSI(scene.identifier), .discoverServices(scene.identifier, nil),
                .read(scene.identifier, attribute), .write(scene.identifier, attribute, [1], .withResponse),
                .write(scene.identifier, attribute, [1], .withoutResponse),
                .setNotifying(scene.identifier, attribute, true, .standard),
                .discoverCharacteristics(scene.identifier, service: attribute, nil),
                .discoverIncludedServices(scene.identifier, service: attribute, nil),
                .discoverDescriptors(scene.identifier, characteristic: attribute),
            ]
            for operation in operations {
                await #expect(throws: OperationFailure.disconnected) { try await seam.ask(operation) }
            }
            #expect(scene.world.host.misuses.isEmpty)
        }
    }

    @Test func `C11: the system does not connect again by itself, and a second didConnect is none`() async throws {
        try await run([.connectTwice]) { scene, seam in
            try await scan(scene, seam)
            #expect(try await seam.connect(scene.identifier))
            try await scene.world.elapse(.seconds(1))
            try await scene.peer.disconnect()
            try await scene.world.elapse(.seconds(10))
            #expect(seam.count { $0.isConnection(to: scene.identifier) } == 1)
            #expect(try await scene.peer.connections() == PeerConnections(current: 0, total: 1))
        }
    }

    @Test func `C14: the length of values is not known at the connection, and is after the discovery`() async throws {
        try await run { scene, seam in
            try await scan(scene, seam)
            #expect(try await seam.connect(scene.identifier))
            let known = seam.events.compactMap { if case .connected(_, let unit) = $0 { unit ?? 0 } else { nil } }
            #expect(known == [0])
            #expect(seam.unitChanges == [])
            _ = try await seam.discover(scene.identifier)
            #expect(seam.unitChanges == [247])
        }
    }

    @Test func `D8: writing the client configuration is refused, and traps nothing`() async throws {
        try await run { scene, seam in
            try await scan(scene, seam)
            #expect(try await seam.connect(scene.identifier))
            let found = try await seam.discover(scene.identifier)
            let level = try #require(found.first { $0.key.uuid == "180F" }?.value.first)
            let reply = try await seam.ask(.discoverDescriptors(scene.identifier, characteristic: level.id))
            guard case .descriptors(let descriptors) = reply else { return }
            let configuration = try #require(descriptors.first { $0.uuid == "2902" })
            let failure = await #expect(throws: OperationFailure.self) {
                try await seam.ask(.write(scene.identifier, configuration.id, [1, 0], .withResponse))
            }
            guard case .backend(let failure)? = failure else {
                Issue.record("the write ended with \(String(describing: failure))")
                return
            }
            #expect(failure.name == "CoreBluetooth.clientConfiguration")
        }
    }

    @Test func `E7: a value before the answer to its subscription counts, and so does an unasked end`() async throws {
        try await run { scene, seam in
            try await scan(scene, seam)
            #expect(try await seam.connect(scene.identifier))
            let found = try await seam.discover(scene.identifier)
            let level = try #require(found.first { $0.key.uuid == "180F" }?.value.first).id
            try await scene.peer.notifyOnSubscribe(StrapScene.level, [7])
            #expect(try await seam.ask(.setNotifying(scene.identifier, level, true, .standard)) == .done)
            try await scene.world.elapse(.seconds(1))
            #expect(seam.count { if case .valueChanged(_, level, [7]) = $0 { true } else { false } } == 1)
            await seam.backend.call { delegate, manager in
                let known = manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180F")])
                guard let peripheral = known.first,
                    let characteristic = peripheral.services?.first?.characteristics?.first
                else { return }
                characteristic.isNotifying = false
                delegate.peripheral(peripheral, didUpdateNotificationStateFor: characteristic, error: nil)
            }
            #expect(seam.count { if case .notifyingStopped(_, level, _) = $0 { true } else { false } } == 1)
        }
    }
}

extension Seam {
    fileprivate var unitChanges: [Int] {
        events.compactMap { if case .maximumTransmissionUnitChanged(_, let unit) = $0 { unit } else { nil } }
    }

    fileprivate var sightingCount: Int { count { if case .sighted = $0 { true } else { false } } }
}

/// Whether each event came where it was to come.
private final class Places: Sendable {
    private let places = Locked<[Bool]>([])

    var count: Int { places.withLock { $0.count } }

    var areAllThere: Bool { places.withLock { places in places.allSatisfy { $0 } } }

    func add(_ isThere: Bool) { places.withLock { $0.append(isThere) } }
}

extension CoreBluetoothCentralBackend {
    fileprivate func perform(_ number: UInt64, _ operation: CentralOperation) {
        perform(CentralRequest(id: RequestID(rawValue: number), operation: operation))
    }

    /// Whether a command reports nothing before it returns.
    fileprivate func reportsLater(
        _ seam: Seam, _ command: @Sendable (isolated CoreBluetoothCentralBackend) -> Void
    ) -> Bool {
        let before = seam.events.count
        command(self)
        return seam.events.count == before
    }

    fileprivate var probeOfDelegate: DelegateProbe { DelegateProbe(delegate) }
}

// SAFETY: the reference is written in `init` only, and read alone; the runtime does that atomically.
/// Tells whether a delegate is alive.
private final class DelegateProbe: @unchecked Sendable {
    private weak var object: AnyObject?

    init(_ object: AnyObject?) { self.object = object }

    var isAlive: Bool { object != nil }
}
