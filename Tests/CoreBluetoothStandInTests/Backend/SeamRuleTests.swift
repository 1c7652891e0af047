// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import Foundation
import Testing

@testable import BlueCapCoreBluetooth
@testable import CoreBluetooth

/// Rules that the backends follow, each with a mistake in view that no behaviour of the suite shows.
@Suite(.timeLimit(.minutes(60)))
struct SeamRuleTests {
    private func run(
        connected isConnected: Bool = true, _ body: @escaping @Sendable (StrapScene, Seam) async throws -> Void
    ) async throws {
        try await StrapScene.run { scene in
            let seam = Seam(in: scene.world)
            #expect(try await seam.begin())
            await seam.backend.scan(ScanRequest(allowsDuplicates: true))
            #expect(try await scene.world.wait { seam.count { if case .sighted = $0 { true } else { false } } > 0 })
            await seam.backend.scan(nil)
            if isConnected { #expect(try await seam.connect(scene.identifier)) }
            try await body(scene, seam)
            await seam.backend.invalidate()
        }
    }

    @Test func `M3: a question that is open is no refusal, and a refusal has its reason`() async throws {
        try await run { scene, seam in
            let host = scene.world.host
            let before = seam.events.count
            await seam.backend.call { delegate, manager in
                for answer in [.notDetermined, .denied, .restricted] as [CBManagerAuthorization] {
                    host.settings.authorization = answer
                    manager.state = .unauthorized
                    delegate.centralManagerDidUpdateState(manager)
                }
            }
            let told = seam.events.dropFirst(before).map { event in
                if case .stateChanged(let state, let failure) = event { "\(state) \(failure?.name ?? "-")" } else { "" }
            }
            #expect(
                told == [
                    "unknown -", "unauthorized CBManagerAuthorization.denied",
                    "unauthorized CBManagerAuthorization.restricted",
                ])
        }
    }

    @Test func `B6: a name that the system learns by the connection is reported`() async throws {
        try await run { scene, seam in
            let isTold = try await scene.world.wait {
                seam.count { if case .nameChanged(scene.identifier, "Strap") = $0 { true } else { false } } == 1
            }
            #expect(isTold)
        }
    }

    @Test func `B6: a sighting has the name that the system knows`() async throws {
        try await run { scene, seam in
            await seam.backend.disconnect(scene.identifier)
            try await scene.peer.wait(until: .disconnected)
            let before = seam.events.count
            await seam.backend.scan(ScanRequest(allowsDuplicates: true))
            let isSighted = try await scene.world.wait {
                seam.events.dropFirst(before).contains { event in
                    if case .sighted(let sighting) = event { sighting.name == "Strap" } else { false }
                }
            }
            #expect(isSighted)
        }
    }

    @Test func `C2: an attempt that succeeds while it is cancelled is cancelled again`() async throws {
        try await run(connected: false) { scene, seam in
            try await scene.peer.advertise(false)
            await seam.backend.connect(scene.identifier)
            #expect(await seam.backend.stateAfterLateConnection(scene.identifier) == .disconnecting)
            try await scene.world.elapse(.seconds(5))
            #expect(seam.count { $0.isConnection(to: scene.identifier) } == 0)
            #expect(seam.count { if case .connectFailed = $0 { true } else { false } } == 1)
        }
    }

    @Test func `C6: a peripheral that has gone without a word gets no command`() async throws {
        try await run { scene, seam in
            let state = await seam.backend.withPeripheral(scene.identifier) { peripheral in
                peripheral.state = .disconnecting
                return peripheral.state
            }
            #expect(state == .disconnecting)
            await #expect(throws: OperationFailure.disconnected) { try await seam.ask(.readRSSI(scene.identifier)) }
            #expect(scene.world.host.misuses.isEmpty)
            await seam.backend.withPeripheral(scene.identifier) { $0.state = .connected }
        }
    }

    @Test func `C8, D10: what another program is connected to is found, connected, and without services`() async throws
    {
        try await run(connected: false) { scene, seam in
            _ = try await scene.connected()
            for services in [[], ["180F"]] as [[BluetoothUUID]] {
                let reply = try await seam.ask(.retrieveConnected(services: services))
                guard case .peripherals(let found) = reply else {
                    Issue.record("the reply is \(reply)")
                    return
                }
                #expect(found.map(\.id) == [scene.identifier])
                #expect(found.map(\.isConnected) == [true])
            }
        }
    }

    @Test func `C8, D9: a peripheral is retrieved as connected while this program is connected to it`() async throws {
        try await run { scene, seam in
            for isConnected in [true, false] {
                let reply = try await seam.ask(.retrieve([scene.identifier]))
                guard case .peripherals(let found) = reply else {
                    Issue.record("the reply is \(reply)")
                    return
                }
                #expect(found.map(\.id) == [scene.identifier])
                #expect(found.map(\.isConnected) == [isConnected])
                await seam.backend.disconnect(scene.identifier)
                try await scene.peer.wait(until: .disconnected)
                try await scene.world.elapse(.seconds(1))
            }
        }
    }

    @Test func `E4: a callback for a command answers nothing, and is no value`() async throws {
        try await run { scene, seam in
            let level = try #require(
                try await seam.discover(scene.identifier).first { $0.key.uuid == "180F" }?.value.first)
            scene.world.host.faults = [.writeCallbackForCommand]
            let before = seam.events.count
            let reply = try await seam.ask(.write(scene.identifier, level.id, [7], .withoutResponse))
            #expect(reply == .done)
            try await scene.world.elapse(.seconds(5))
            #expect(seam.events.count == before + 1)
            #expect(await seam.backend.statistics.strayCallbacks == 1)
        }
    }

    @Test func `R4: a restored link is taken up, though nothing says that it is connected`() async throws {
        try await StrapScene.run(settings: .init(faults: [.silentForConnected]), restoring: "central") { scene in
            let strap = try await scene.discovered()
            #expect(strap.state == .connected)
            let next = try await scene.relaunched()
            let restored = try #require(try await next.central.restoredState()?.peripherals.first)
            try await restored.connect(timeout: .seconds(10))
            #expect(restored.state == .connected)
            try await restored.discover(timeout: .seconds(10))
            #expect(try await restored.characteristic("2A19").read() == [100])
        }
    }

    @Test func `G7: a service that the system refuses is not added`() async throws {
        try await LampScene.run { scene in
            let error = await #expect(throws: PeripheralManagerError.self) {
                try await scene.manager.add(MutableService(uuid: "1800"), timeout: .seconds(10))
            }
            guard case .backend(let failure)? = error else {
                Issue.record("the call ended with \(String(describing: error))")
                return
            }
            #expect(failure.name == "CBError.uuidNotAllowed")
        }
    }

    @Test(
        arguments: [
            ([.write], .request), ([.writeWithoutResponse], .command), ([.write, .writeWithoutResponse], .unknown),
        ] as [(CharacteristicProperties, WriteRequestKind)])
    func `I3: a write has the kind that the properties leave`(
        _ properties: CharacteristicProperties, _ expected: WriteRequestKind
    ) async throws {
        try await LampScene.run([properties, .read]) { scene in
            let (far, level) = try await scene.connected()
            let requests = scene.level.writeRequests()
            let kinds = Locked<[WriteRequestKind]>([])
            let listening = scene.world.start {
                for await request in requests {
                    kinds.withLock { $0.append(request.kind) }
                    request.accept()
                }
            }
            _ = try await far.write([1], to: level.id, isCommand: !properties.contains(.write))
            let isTaken = try await scene.world.wait { kinds.withLock { $0 } == [expected] }
            #expect(isTaken)
            listening.cancel()
        }
    }
}

extension CoreBluetoothCentralBackend {
    /// Cancels an attempt, and has CoreBluetooth connect at this moment.
    ///
    /// - Returns: The state of the peripheral then.
    fileprivate func stateAfterLateConnection(_ id: PeerIdentifier) -> CBPeripheralState? {
        guard let delegate, let manager = radio.poweredOn, let peripheral = links[id]?.peripheral else { return nil }
        disconnect(id)
        peripheral.state = .connected
        delegate.centralManager(manager, didConnect: peripheral)
        return peripheral.state
    }
}
