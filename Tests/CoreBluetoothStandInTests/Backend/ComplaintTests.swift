// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import CoreBluetooth
import Testing

/// What users of other packages over CoreBluetooth complain of, each shown not to happen here.
@Suite(.timeLimit(.minutes(60)))
struct ComplaintTests {
    @Test(arguments: [true, false])
    func `M4, C1: a connect hangs, or is stuck after Bluetooth was off and on`(_ isAttempt: Bool) async throws {
        try await StrapScene.run { scene in
            let strap = try await scene.sighted()
            if isAttempt { try await scene.peer.vanish() } else { try await strap.connect(timeout: .seconds(10)) }
            let attempt = scene.world.start { if isAttempt { try await strap.connect() } }
            try await scene.world.elapse(.seconds(1))
            try await scene.world.setPower(false)
            if isAttempt { await #expect(throws: PeripheralError.poweredOff) { try await attempt.value } }
            #expect(try await scene.world.wait { strap.state == .disconnected })
            try await scene.world.setPower(true)
            try await scene.peer.comeBack()
            try await scene.central.whenPoweredOn(timeout: .seconds(10))
            try await strap.connect(timeout: .seconds(10))
            try await strap.discover(timeout: .seconds(10))
            #expect(try await strap.characteristic("2A19").read() == [100])
        }
    }

    @Test func `E2: values are overwritten by the next`() async throws {
        try await StrapScene.run { scene in
            let level = try await scene.discovered().characteristic("2A19")
            let values = try await level.notifications(valueTimeout: .seconds(10))
            let sent = (0..<200).map { Bytes([UInt8($0)]) }
            try await scene.peer.notify(StrapScene.level, sent)
            #expect(try await take(200, from: values) == sent)
        }
    }

    @Test func `E1: reads are answered by notifications of another characteristic, or after the read`() async throws {
        try await StrapScene.run { scene in
            let strap = try await scene.discovered()
            let (level, other) = (try strap.characteristic("2A19"), try strap.characteristic("FFE1"))
            let values = try await other.notifications(valueTimeout: .seconds(10))
            try await scene.peer.hold(StrapScene.level, on: .read)
            let read = scene.world.start { try await level.read() }
            try await scene.peer.wait(until: .held(StrapScene.level, .read))
            try await scene.peer.notify(StrapScene.other, [[7], [8]])
            #expect(try await take(2, from: values) == [[7], [8]])
            try await scene.peer.release(StrapScene.level, on: .read)
            #expect(try await read.value == [100])
        }
    }

    @Test(arguments: [false, true])
    func `E5: commands never return, or are lost in a burst`(_ isSilent: Bool) async throws {
        try await StrapScene.run(settings: .init(faults: isSilent ? [.noReadySignal] : [])) { scene in
            let level = try await scene.discovered().characteristic("2A19")
            for number in 0..<100 {
                try await level.write([UInt8(number)], kind: .withoutResponse, timeout: .seconds(5))
            }
            let sent = (0..<100).map { Bytes([UInt8($0)]) }
            #expect(
                try await scene.world.wait {
                    (try? await scene.peer.writes(to: StrapScene.level).map(\.value)) == sent
                })
        }
    }

    @Test func `M1: commands go out before poweredOn after a relaunch`() async throws {
        try await StrapScene.run(restoring: "central") { scene in
            let strap = try await scene.discovered()
            let values = try await strap.characteristic("2A19").notifications()
            let next = try await scene.relaunched { try await scene.world.setPower(false) }
            let restored = try #require(try await next.central.restoredState())
            let again = try #require(restored.peripherals.first)
            await #expect(throws: PeripheralError.poweredOff) { try await again.connect(timeout: .seconds(5)) }
            try await scene.world.setPower(true)
            try await next.central.whenPoweredOn(timeout: .seconds(10))
            try await again.connect(timeout: .seconds(10))
            #expect(scene.world.host.misuses.isEmpty)
            withExtendedLifetime(values) {}
        }
    }

    @Test func `R4: a restored peripheral is said to be connected, and is mute`() async throws {
        try await StrapScene.run(restoring: "central") { scene in
            let strap = try await scene.discovered()
            let values = try await strap.characteristic("2A19").notifications()
            let next = try await scene.relaunched()
            let again = try #require(try await next.central.restoredState()?.peripherals.first)
            try await again.connect(timeout: .seconds(10))
            try await again.discover(timeout: .seconds(10))
            let level = try again.characteristic("2A19")
            #expect(try await level.read(timeout: .seconds(5)) == [100])
            try await level.write([1], timeout: .seconds(5))
            // The link ends while there is no program, too.
            let last = try await next.relaunched { try await scene.peer.disconnect() }
            let lost = try #require(try await last.central.restoredState()?.peripherals.first)
            try await lost.connect(timeout: .seconds(10))
            try await lost.discover(timeout: .seconds(10))
            #expect(try await lost.characteristic("2A19").read(timeout: .seconds(5)) == [1])
            withExtendedLifetime(values) {}
        }
    }

    @Test func `C4, C8: the disconnect of a second manager, or of another device, is taken for ours`() async throws {
        try await StrapScene.run { scene in
            let strap = try await scene.discovered()
            let second = try await scene.world.makeCentral(restoring: nil)
            try await second.whenPoweredOn(timeout: .seconds(10))
            let device = try await scene.world.peer(1)
            let identifier = try await device.configure(Twin(name: "Other"))
            try await device.advertise(true)
            #expect(try await second.retrievePeripherals(withIdentifiers: [scene.identifier]).count == 1)
            let theirs = try #require(second.peripheral(withIdentifier: scene.identifier))
            try? await theirs.connect(timeout: .seconds(2))
            await theirs.disconnect()
            var sightings = second.scan(timeout: .seconds(10)).makeAsyncIterator()
            while let sighting = try await sightings.next() {
                guard sighting.peripheral.identifier == identifier else { continue }
                try await sighting.peripheral.connect(timeout: .seconds(10))
                break
            }
            try await device.disconnect()
            try await scene.world.elapse(.seconds(5))
            #expect(strap.state == .connected)
            #expect(try await strap.characteristic("2A19").read(timeout: .seconds(5)) == [100])
            #expect(strap.statistics.disconnectionCount == 0)
        }
    }

    @Test func `D3: services are cached across an update of the device`() async throws {
        try await StrapScene.run { scene in
            let strap = try await scene.discovered()
            let level = try strap.characteristic("2A19")
            let changes = strap.serviceChanges()
            let service = TwinService(
                "180F",
                characteristics: [
                    TwinCharacteristic("2A1A", properties: .read, value: [9]),
                    TwinCharacteristic("2A19", properties: .read, value: [50]),
                ])
            try await scene.peer.changeServices([service])
            _ = await changes.first { _ in true }
            await #expect(throws: CharacteristicError.self) { try await level.read(timeout: .seconds(5)) }
            try await strap.discover(timeout: .seconds(10))
            #expect(strap.services.map(\.uuid) == ["180F"])
            #expect(try await strap.characteristic("2A1A").read() == [9])
            #expect(try await strap.characteristic("2A19").read() == [50])
            // And where the device was away meanwhile.
            await strap.disconnect()
            try await scene.peer.changeServices([TwinService("FFE0")])
            try await strap.connect(timeout: .seconds(10))
            try await strap.discover(timeout: .seconds(10))
            #expect(strap.services.map(\.uuid) == ["FFE0"])
        }
    }
}
