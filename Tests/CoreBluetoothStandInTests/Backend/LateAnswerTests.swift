// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapRuntime
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

    @Test func `C3: an attempt that is over is kept up by nobody`() async throws {
        try await StrapScene.run { scene in
            let strap = try await scene.sighted()
            try await scene.peer.advertise(false)
            let attempt = scene.world.start { try await strap.connect(timeout: .seconds(600)) }
            #expect(try await scene.world.wait { strap.state == .connecting })
            try await scene.world.elapse(.seconds(1))
            // A didDisconnect that nothing explains, while CoreBluetooth goes on to connect.
            let identifier = strap.identifier
            let isTold = await scene.backend.withCentralManager { manager in
                guard let uuid = UUID(uuidString: identifier.text),
                    let peripheral = manager.retrievePeripherals(withIdentifiers: [uuid]).first
                else { return false }
                manager.delegate?.centralManager(
                    manager, didDisconnectPeripheral: peripheral, timestamp: 0, isReconnecting: false, error: nil)
                return true
            }
            #expect(isTold == true)
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

    @Test func `H4: the late answer to a start that was given up is none to the next one`() async throws {
        try await LampScene.run { scene in
            try await scene.manager.stopAdvertising()
            scene.world.host.settings.startTime = .seconds(11)
            await #expect(throws: PeripheralManagerError.self) {
                try await scene.manager.startAdvertising("One", timeout: .seconds(15))
            }
            // The answer to the first start comes a second from now, and the one to the second in five.
            scene.world.host.settings.startTime = .seconds(5)
            let start = scene.world.start {
                try await scene.manager.startAdvertising("Two", timeout: .seconds(15))
                return await scene.backend.call { _, manager in manager.isAdvertising }
            }
            #expect(try await start.value == true)
            #expect(await scene.backend.statistics.strayCallbacks == 1)
            let far = try await scene.world.farCentral(0)
            _ = try await far.hear { $0.localName == "Two" }
        }
    }

    @Test func `H4: a start is given up after ten seconds in which the program runs`() async throws {
        try await StandInWorld.run(settings: .init(faults: [.silentStart])) { world in
            let clock = ManualClock()
            let seam = PeripheralSeam(in: world)
            let isOn = try await seam.begin(clock: clock.clock)
            #expect(isOn)
            for (number, jumps) in [(1, []), (2, [.seconds(3600), .seconds(60)])] as [(UInt64, [Duration])] {
                let id = RequestID(rawValue: number)
                let operation = PeripheralOperation.advertise(
                    AdvertisementID(rawValue: UInt32(number)), Advertisement(localName: "Lamp"))
                await seam.backend.perform(PeripheralRequest(id: id, operation: operation))
                // A program that is suspended finds its timers overdue, and has run none of them in between.
                let times = [.seconds(1)] + jumps + Array(repeating: Duration.seconds(1), count: 8 - jumps.count)
                for time in times { await seam.backend.pass(time, on: clock) }
                #expect(seam.result(of: id) == nil)
                await seam.backend.pass(.seconds(1), on: clock)
                guard case .failure(.backend(let failure))? = seam.result(of: id) else {
                    Issue.record("the start \(number) is not given up")
                    return
                }
                #expect(failure.name == "CoreBluetooth.unansweredStart")
            }
            await seam.backend.invalidate()
            await world.close()
        }
    }

    @Test func `H4: a start that is never answered holds up no later one`() async throws {
        try await LampScene.run { scene in
            try await scene.manager.stopAdvertising()
            scene.world.host.faults = [.silentStart]
            await #expect(throws: PeripheralManagerError.self) {
                try await scene.manager.startAdvertising("One", timeout: .seconds(15))
            }
            scene.world.host.faults = []
            try? await scene.manager.stopAdvertising()
            try await scene.manager.startAdvertising("Two", timeout: .seconds(10))
            let far = try await scene.world.farCentral(0)
            _ = try await far.hear { $0.localName == "Two" }
        }
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

extension CoreBluetoothPeripheralBackend {
    /// The number of events that a command reports before it returns.
    fileprivate func eventCount(
        in seam: PeripheralSeam, _ command: @Sendable (isolated CoreBluetoothPeripheralBackend) -> Void
    ) -> Int {
        let before = seam.events.count
        command(self)
        return seam.events.count - before
    }

    /// Lets time pass during which the backend does nothing, and then does all that was due.
    fileprivate nonisolated func pass(_ duration: Duration, on clock: ManualClock) async {
        await advance(clock, by: duration)
        await rest()
    }

    private func advance(_ clock: ManualClock, by duration: Duration) { clock.advance(by: duration) }

    private func rest() {}
}
