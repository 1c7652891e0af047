// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapSerDe
import BlueCapTesting
import CoreBluetooth
import Foundation
import Testing

/// Answers that come after their requests have ended, that never come, and that come from inside of the call.
@Suite(.timeLimit(.minutes(60)))
struct LateAnswerTests {
    @Test func `C2: the late answer to a cancel does not end the next attempt`() async throws {
        try await StrapScene.run(settings: .init(faults: [.lateCancel])) { scene in
            let strap = try await scene.connected()
            await strap.disconnect(timeout: .seconds(10))
            #expect(strap.state == .disconnected)
            try await scene.peer.advertise(false)
            let attempt = scene.world.start { try await strap.connect(timeout: .seconds(60)) }
            try await scene.world.elapse(.seconds(5))
            #expect(strap.state == .connecting)
            try await scene.peer.advertise(true)
            try await attempt.value
            #expect(strap.state == .connected)
            try await strap.discover(timeout: .seconds(10))
            #expect(try await strap.characteristic("2A19").read() == [100])
            #expect(await scene.backend.statistics.unansweredCancels == 1)
            #expect(await scene.backend.statistics.strayCallbacks == 1)
        }
    }

    @Test func `C2: the late answer to a cancel, while the system disconnects, leaves no ghost`() async throws {
        try await StrapScene.run(settings: .init(faults: [.slowCancel])) { scene in
            let strap = try await scene.connected()
            await strap.disconnect(timeout: .seconds(10))
            #expect(strap.state == .disconnected)
            let attempt = scene.world.start { try await strap.connect(timeout: .seconds(60)) }
            _ = await attempt.result
            try await scene.world.elapse(.seconds(10))
            #expect(strap.state == .connected)
            #expect(try await scene.peer.connections() == PeerConnections(current: 1, total: 2))
            #expect(await scene.backend.statistics.strayCallbacks == 1)
            // The connection is used, and can be ended.
            try await strap.discover(timeout: .seconds(10))
            #expect(try await strap.characteristic("2A19").read() == [100])
            await strap.disconnect(timeout: .seconds(10))
            try await scene.world.elapse(.seconds(10))
            #expect(try await scene.peer.connections() == PeerConnections(current: 0, total: 2))
        }
    }

    @Test func `C2: an attempt that is cancelled before an earlier cancel is answered ends`() async throws {
        try await StrapScene.run(settings: .init(faults: [.slowCancel])) { scene in
            let strap = try await scene.connected()
            await strap.disconnect(timeout: .seconds(10))
            let attempt = scene.world.start { try await strap.connect(timeout: .seconds(60)) }
            #expect(try await scene.world.wait { strap.state == .connecting })
            await strap.disconnect(timeout: .seconds(10))
            await #expect(throws: PeripheralError.self) { try await attempt.value }
            try await scene.world.elapse(.seconds(10))
            #expect(try await scene.peer.connections() == PeerConnections(current: 0, total: 1))
            try await strap.connect(timeout: .seconds(10))
            #expect(strap.state == .connected)
        }
    }

    @Test func `C2: the late answers to two cancels in a row do not end the next attempt`() async throws {
        try await StrapScene.run(settings: .init(faults: [.silentCancel])) { scene in
            let strap = try await scene.connected()
            await strap.disconnect(timeout: .seconds(10))
            try await scene.peer.advertise(false)
            let second = scene.world.start { try await strap.connect(timeout: .seconds(60)) }
            #expect(try await scene.world.wait { strap.state == .connecting })
            await strap.disconnect(timeout: .seconds(10))
            _ = await second.result
            #expect(await scene.backend.statistics.unansweredCancels == 2)
            scene.world.host.faults = []
            let third = scene.world.start { try await strap.connect(timeout: .seconds(60)) }
            #expect(try await scene.world.wait { strap.state == .connecting })
            for _ in 0..<2 { #expect(await scene.tellDisconnected(strap.identifier)) }
            try await scene.world.elapse(.seconds(1))
            #expect(strap.state == .connecting)
            try await scene.peer.advertise(true)
            try await third.value
            #expect(strap.state == .connected)
            #expect(await scene.backend.statistics.strayCallbacks == 2)
        }
    }

    @Test func `C2: the late answer to a cancel that ended a later attempt does not end the next one`() async throws {
        try await StrapScene.run(settings: .init(faults: [.lateCancel])) { scene in
            let strap = try await scene.connected()
            await strap.disconnect(timeout: .seconds(10))
            try await scene.peer.advertise(false)
            // This attempt is ended by the answer to the first cancel, and its own answer comes later.
            let second = scene.world.start { try await strap.connect(timeout: .seconds(60)) }
            #expect(try await scene.world.wait { strap.state == .connecting })
            await strap.disconnect(timeout: .seconds(10))
            _ = await second.result
            let third = scene.world.start { try await strap.connect(timeout: .seconds(60)) }
            try await scene.world.elapse(.seconds(5))
            #expect(strap.state == .connecting)
            try await scene.peer.advertise(true)
            try await third.value
            #expect(strap.state == .connected)
            #expect(await scene.backend.statistics.unansweredCancels == 1)
        }
    }

    @Test func `C3: an attempt that is over is kept up by nobody`() async throws {
        try await StrapScene.run { scene in
            let strap = try await scene.sighted()
            try await scene.peer.advertise(false)
            let attempt = scene.world.start { try await strap.connect(timeout: .seconds(600)) }
            #expect(try await scene.world.wait { strap.state == .connecting })
            try await scene.world.elapse(.seconds(1))
            // A didDisconnect that nothing explains, while CoreBluetooth goes on to connect.
            #expect(await scene.tellDisconnected(strap.identifier))
            await #expect(throws: PeripheralError.self) { try await attempt.value }
            try await scene.peer.advertise(true)
            try await scene.world.elapse(.seconds(10))
            #expect(try await scene.peer.connections() == PeerConnections(current: 0, total: 0))
        }
    }

    @Test func `M10: an answer from inside of the call is reported after the command`() async throws {
        try await StrapScene.run(settings: .init(faults: [.answersInside])) { scene in
            let seam = Seam(in: scene.world)
            #expect(try await seam.begin())
            await seam.backend.scan(ScanRequest(allowsDuplicates: true))
            #expect(try await scene.world.wait { seam.count { if case .sighted = $0 { true } else { false } } > 0 })
            #expect(try await seam.connect(scene.identifier))
            await seam.backend.scan(nil)
            let level = try #require(
                try await seam.discover(scene.identifier).first { $0.key.uuid == "180F" }?.value.first)
            #expect(try await seam.ask(.setNotifying(scene.identifier, level.id, true, .standard)) == .done)
            let request = CentralRequest(
                id: RequestID(rawValue: 900), operation: .setNotifying(scene.identifier, level.id, true, .standard))
            let inside = await seam.backend.eventCount(in: seam) { $0.perform(request) }
            #expect(inside == 0)
            #expect(try await scene.world.wait { seam.answered.contains(request.id) })
            await seam.backend.invalidate()
        }
    }

    @Test func `M10: a service that is refused from inside of the call is reported after the command`() async throws {
        try await StandInWorld.run(settings: .init(faults: [.answersInside])) { world in
            let seam = PeripheralSeam(in: world)
            let isOn = try await seam.begin(clock: world.clock)
            #expect(isOn)
            // G7: the system has this service itself.
            let service = LocalService(
                id: AttributeID(rawValue: 1), uuid: "1800", isPrimary: true, includedServices: [], characteristics: [])
            let request = PeripheralRequest(id: RequestID(rawValue: 1), operation: .add(service))
            let inside = await seam.backend.eventCount(in: seam) { $0.perform(request) }
            #expect(inside == 0)
            let isAnswered = try await world.wait { seam.result(of: request.id) != nil }
            #expect(isAnswered)
            await seam.backend.invalidate()
            await world.close()
        }
    }
}

extension StrapScene {
    /// Has CoreBluetooth say that a peripheral is disconnected.
    fileprivate func tellDisconnected(_ identifier: PeerIdentifier) async -> Bool {
        let isTold = await backend.withCentralManager { manager in
            guard let uuid = UUID(uuidString: identifier.text),
                let peripheral = manager.retrievePeripherals(withIdentifiers: [uuid]).first
            else { return false }
            manager.delegate?.centralManager(
                manager, didDisconnectPeripheral: peripheral, timestamp: 0, isReconnecting: false, error: nil)
            return true
        }
        return isTold == true
    }
}

extension CoreBluetoothCentralBackend {
    /// The number of events that a command reports before it returns.
    fileprivate func eventCount(
        in seam: Seam, _ command: @Sendable (isolated CoreBluetoothCentralBackend) -> Void
    ) -> Int {
        let before = seam.events.count
        command(self)
        return seam.events.count - before
    }
}
