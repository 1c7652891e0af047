// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import CoreBluetooth
import Foundation
import Testing

/// Each fault of the stand-in, seen with it.
@Suite struct FaultTests {
    private func connected(_ faults: StandInFault...) async throws -> World {
        let world = World()
        #expect(try await world.app.connect(to: "180F"))
        world.host.faults = Set(faults)
        return world
    }

    private func discovered(_ faults: StandInFault...) async throws -> World {
        let world = try await connected()
        #expect(try await world.app.discover("180F"))
        world.app.log.clear()
        world.host.faults = Set(faults)
        return world
    }

    @Test func `no ready signal: there is no room until something was sent, and nobody is called`() async throws {
        let world = try await connected(.noReadySignal)
        #expect(try await world.app.discover("180F"))
        let before = await world.app.run { app in
            let isFree = app.peripherals[0].canSendWriteWithoutResponse
            app.peripherals[0].writeValue(Data([1]), for: app.characteristic, type: .withoutResponse)
            return isFree
        }
        #expect(!before)
        #expect(try await StandIn.advance([world.host]) { !world.level.writes.isEmpty })
        #expect(await world.app.run { $0.peripherals[0].canSendWriteWithoutResponse })
        #expect(world.app.log.count("ready") == 0)
    }

    @Test func `a value comes between a read and its answer while it notifies`() async throws {
        let world = try await discovered(.valueBetweenReadAndAnswer)
        await world.app.run { app in
            app.peripherals[0].setNotifyValue(true, for: app.characteristic)
            app.peripherals[0].readValue(for: app.characteristic)
        }
        #expect(try await world.app.wait(for: "value", count: 2))
        #expect(world.app.log.all == ["notifying true", "value [fe]", "value [64]"])
    }

    @Test func `power off is followed by a late didDisconnect`() async throws {
        let world = try await connected(.lateDisconnectAfterPowerOff)
        world.app.log.clear()
        world.host.adapter.powerOff()
        #expect(try await world.app.wait(for: "disconnected"))
        #expect(world.app.log.all == ["state 4", "disconnected CB3"])
    }

    @Test func `Service Changed names some services and makes all objects invalid`() async throws {
        let world = try await connected(.allObjectsNew)
        #expect(try await world.app.discover())
        world.strap.changeServices(to: [world.strap.services[0], VirtualService("180D")])
        #expect(try await world.app.wait(for: "modified [\"180A\"]"))
        #expect(await world.app.run { $0.peripherals[0].services?.isEmpty } == true)
    }

    @Test func `without the fault Service Changed leaves the other objects valid`() async throws {
        let world = try await connected()
        #expect(try await world.app.discover())
        world.strap.changeServices(to: [world.strap.services[0], VirtualService("180D")])
        #expect(try await world.app.wait(for: "modified [\"180A\"]"))
        #expect(await world.app.run { $0.peripherals[0].services?.map(\.uuid.uuidString) } == ["180F"])
    }

    @Test(
        arguments: [
            (StandInFault.disconnectBeforeConnect, ["disconnected CB6"]), (.failsToConnect, ["failed CB10"]),
            (.connectTwice, ["connected length 20", "connected length 20"]),
        ])
    func `an attempt to connect ends in another way`(_ fault: StandInFault, _ lines: [String]) async throws {
        let world = try await connected()
        await world.app.run { $0.manager?.cancelPeripheralConnection($0.peripherals[0]) }
        #expect(try await world.app.wait(for: "disconnected"))
        world.app.log.clear()
        world.host.faults = [fault]
        await world.app.run { $0.connect() }
        #expect(try await StandIn.advance([world.host]) { world.app.log.all.count == lines.count })
        try await StandIn.settle([world.host])
        #expect(world.app.log.all == lines)
    }

    @Test func `a discovery stays without an answer`() async throws {
        let world = try await discovered(.silentDiscovery)
        await world.app.run { app in
            app.peripherals[0].discoverServices(nil)
            app.peripherals[0].discoverDescriptors(for: app.characteristic)
            app.peripherals[0].discoverCharacteristics(nil, for: app.peripherals[0].services![0])
            app.peripherals[0].discoverIncludedServices(nil, for: app.peripherals[0].services![0])
            app.peripherals[0].readValue(for: app.characteristic)
        }
        #expect(try await world.app.wait(for: "value"))
        #expect(world.app.log.all == ["value [64]"])
    }

    @Test func `a cancel stays without an answer, and the link ends`() async throws {
        let world = try await connected(.silentCancel)
        await world.app.run { $0.manager?.cancelPeripheralConnection($0.peripherals[0]) }
        #expect(try await StandIn.advance([world.host]) { world.strap.connectionCount == 0 })
        #expect(await world.app.run { $0.peripherals[0].state } == .disconnected)
        #expect(world.app.log.count("disconnected") == 0)
    }

    @Test func `a cancel takes time, and an attempt that is asked for meanwhile begins after it`() async throws {
        let world = try await connected(.slowCancel)
        world.app.log.clear()
        await world.app.run { app in
            app.manager?.cancelPeripheralConnection(app.peripherals[0])
            app.connect()
        }
        #expect(try await StandIn.advance([world.host]) { world.strap.connectionCount == 0 })
        #expect(await world.app.run { $0.peripherals[0].state } == .disconnecting)
        #expect(world.app.log.count("disconnected") == 0)
        #expect(try await world.app.wait(for: "connected length 20"))
        #expect(world.app.log.all == ["disconnected", "connected length 20"])
    }

    @Test func `a delegate that was taken away is called once more`() async throws {
        let world = try await connected(.callbackAfterInvalidate)
        world.app.log.clear()
        await world.app.run { $0.manager?.delegate = nil }
        #expect(try await world.app.wait(for: "state"))
        #expect(world.app.log.count("connected") == 1)
    }

    @Test func `a command is followed by a write callback with a strange error`() async throws {
        let world = try await discovered(.writeCallbackForCommand)
        await world.app.run { $0.peripherals[0].writeValue(Data([1]), for: $0.characteristic, type: .withoutResponse) }
        #expect(try await world.app.wait(for: "written ATT114"))
    }

    @Test func `errors have codes that no header names`() async throws {
        let world = try await discovered(.unknownErrorCodes)
        world.level.setError(.unlikelyError, for: .read)
        await world.app.run { $0.peripherals[0].readValue(for: $0.characteristic) }
        #expect(try await world.app.wait(for: "value nil ATT9999"))
        world.strap.disconnect()
        #expect(try await world.app.wait(for: "disconnected CB9999"))
    }
}
