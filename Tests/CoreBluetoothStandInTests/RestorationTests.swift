// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import CoreBluetooth
import Foundation
import Testing

/// Programs that end and begin again with the same restore identifier.
@Suite struct RestorationTests {
    private func endedCentral(_ world: World) async throws -> CentralApp {
        let app = world.app
        await app.start(restoring: "central")
        #expect(try await app.wait(for: "state 5"))
        #expect(app.log.all == ["state 5"])
        await app.run { $0.manager?.scanForPeripherals(withServices: [CBUUID(string: "180F")]) }
        #expect(try await app.wait(for: "found"))
        await app.run { $0.connect() }
        #expect(try await app.wait(for: "connected"))
        #expect(try await app.discover("180F"))
        await app.run { $0.peripherals[0].setNotifyValue(true, for: $0.characteristic) }
        #expect(try await app.wait(for: "notifying"))
        await world.host.terminateApp()
        await app.run { app in
            app.manager = nil
            app.peripherals = []
        }
        try await StandIn.settle([world.host])
        app.log.clear()
        return CentralApp(on: world.host)
    }

    @Test func `R2, R3, R4: links, trees, subscriptions and the scan are restored before the state`() async throws {
        let world = World()
        let app = try await endedCentral(world)
        #expect(world.strap.connectionCount == 1)
        await app.start(restoring: "central")
        #expect(try await app.wait(for: "state"))
        #expect(
            app.log.all == [
                "restored [2] scan [\"180F\"] tree [\"180F\"] notifying [true]", "state 5",
            ])
        // E8: the subscription goes on.
        world.level.update(Bytes([7]))
        #expect(try await app.wait(for: "value [7]"))
        // R4: no didConnect by itself, and one for the asking.
        #expect(app.log.count("connected") == 0)
        await app.run { $0.connect() }
        #expect(try await app.wait(for: "connected"))
        #expect(world.app.log.all.isEmpty)
    }

    @Test func `R4: a restored peripheral stays connecting until it is cancelled`() async throws {
        let world = World()
        let app = try await endedCentral(world)
        world.host.faults = [.restoredStaysConnecting]
        await app.start(restoring: "central")
        #expect(try await app.wait(for: "restored [1]"))
        await app.run { $0.connect() }
        #expect(try await StandIn.advance([world.host], limit: .seconds(5)) { app.log.count("connected") > 0 } == false)
        await app.run { $0.manager?.cancelPeripheralConnection($0.peripherals[0]) }
        #expect(try await app.wait(for: "disconnected"))
        await app.run { $0.connect() }
        #expect(try await app.wait(for: "connected"))
    }

    @Test func `R1: another identifier restores nothing`() async throws {
        let world = World()
        let app = try await endedCentral(world)
        await app.start(restoring: "another")
        #expect(try await app.wait(for: "state"))
        #expect(app.log.all == ["state 5"])
    }

    @Test func `R3: services, subscribers and the advertisement are restored`() async throws {
        let radio = VirtualRadio(seed: 1, clock: ManualClock())
        let (phone, lamp) = (StandIn(radio: radio), StandIn(radio: radio, address: "00:00:5E:00:53:02"))
        let (central, first) = (CentralApp(on: phone), PeripheralApp(on: lamp))
        await first.start(restoring: "lamp")
        #expect(try await first.offer(with: [phone]))
        #expect(try await central.connect(to: "FFE0", with: [lamp]))
        #expect(try await central.discover("FFE0", with: [lamp]))
        await central.run { $0.peripherals[0].setNotifyValue(true, for: $0.characteristic) }
        #expect(try await first.wait(for: "subscribed", with: [phone]))
        await lamp.terminateApp()
        await first.run { $0.manager = nil }
        // A read while there is no program waits for the next one.
        await central.run { $0.peripherals[0].readValue(for: $0.characteristic) }
        try await StandIn.settle([phone, lamp])
        let second = PeripheralApp(on: lamp)
        await second.start(restoring: "lamp")
        #expect(try await second.wait(for: "read", with: [phone]))
        #expect(second.log.all == ["restored [\"FFE0\"] subscribers 1 name Lamp", "state 5", "read 0"])
        #expect(try await central.wait(for: "value [1 2 3]", with: [lamp]))
        let isTaken = await second.run { app in
            app.manager!.updateValue(Data([8]), for: app.characteristic!, onSubscribedCentrals: nil)
        }
        #expect(isTaken)
        #expect(try await central.wait(for: "value [8]", with: [lamp]))
    }
}
