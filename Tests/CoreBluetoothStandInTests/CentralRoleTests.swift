// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import CoreBluetooth
import Foundation
import Testing

/// The central role of the stand-in with virtual peripherals.
@Suite struct CentralRoleTests {
    let world = World()

    @Test func `a device is found, connected, and its database discovered`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        #expect(try await app.discover("180F"))
        // C14: 20 at didConnect, and the length of the link after discovery.
        #expect(app.log.all.contains("connected length 20"))
        #expect(app.log.all.contains("services [\"180F\"] length 244"))
        #expect(app.log.all.contains("characteristics [\"2A19\"]"))
    }

    @Test func `M1: a command before the radio is on is a misuse without a callback`() async throws {
        let app = world.app
        world.host.adapter.powerOff()
        await app.start()
        #expect(try await app.wait(for: "state 4"))
        await app.run { $0.manager?.scanForPeripherals(withServices: nil) }
        try await StandIn.settle([world.host])
        #expect(world.host.misuses.count == 1)
        #expect(app.log.all == ["state 4"])
    }

    @Test func `M2: the state is unknown until the first callback`() async throws {
        let app = world.app
        let state = await app.run { app in
            app.manager = CBCentralManager(delegate: app, queue: app.queue)
            return app.manager?.state
        }
        #expect(state == .unknown)
        #expect(try await app.wait(for: "state 5"))
    }

    @Test func `M3: the permission is that of the queue's device`() async throws {
        world.host.settings.authorization = .denied
        world.host.adapter.change(to: .unauthorized)
        let app = world.app
        await app.start()
        #expect(try await app.wait(for: "state 3"))
        #expect(await app.run { $0.manager?.authorization } == .denied)
        #expect(await app.run { _ in CBManager.authorization } == .denied)
    }

    @Test func `M4: switching off tells the state alone, and M5: objects live on`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        world.host.adapter.powerOff()
        #expect(try await app.wait(for: "state 4"))
        try await StandIn.settle([world.host])
        #expect(app.log.count("disconnected") == 0)
        world.host.adapter.powerOn()
        #expect(try await app.wait(for: "state 5", count: 2))
        await app.run { $0.connect() }
        #expect(try await app.wait(for: "connected", count: 2))
    }

    @Test func `M5: below powered off the objects are invalid and are retrieved anew`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        world.host.adapter.unplug()
        #expect(try await app.wait(for: "state 1"))
        world.host.adapter.plugIn()
        #expect(try await app.wait(for: "state 5", count: 2))
        await app.run { $0.connect() }
        #expect(world.host.misuses.last?.hasPrefix("connect") == true)
        let isNew = await app.run { app in
            let old = app.peripherals[0]
            app.peripherals = app.manager?.retrievePeripherals(withIdentifiers: [old.identifier]) ?? []
            app.connect()
            return app.peripherals[0] !== old
        }
        #expect(isNew)
        #expect(try await app.wait(for: "connected", count: 2))
    }

    @Test func `B5: the data of an advertisement are of Foundation's classes`() async throws {
        let app = world.app
        await app.start()
        #expect(try await app.wait(for: "state 5"))
        await app.run { $0.manager?.scanForPeripherals(withServices: nil) }
        #expect(try await app.wait(for: "found Strap"))
        #expect(
            await app.run { app in
                let data = app.advertisements[0]
                return (data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID])
                    == [CBUUID(string: "180F"), CBUUID(string: "180A")]
                    && data[CBAdvertisementDataServiceUUIDsKey] is NSArray
                    && data[CBAdvertisementDataLocalNameKey] is NSString
                    && (data[CBAdvertisementDataIsConnectable] as? NSNumber) == true
                    && (data[CBAdvertisementDataManufacturerDataKey] as? Data) == Data([0x59, 0, 7])
            })
    }

    @Test func `B3: a scan without services gives nothing in the background`() async throws {
        world.host.settings.isInBackground = true
        let app = world.app
        await app.start()
        #expect(try await app.wait(for: "state 5"))
        await app.run { $0.manager?.scanForPeripherals(withServices: nil) }
        #expect(try await StandIn.advance([world.host], limit: .seconds(3)) { app.log.count("found") > 0 } == false)
        await app.run { $0.manager?.scanForPeripherals(withServices: [CBUUID(string: "180F")]) }
        #expect(try await app.wait(for: "found"))
    }

    @Test func `B6: the name is the system's, known by the connection`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        #expect(try await app.wait(for: "name Strap"))
    }

    @Test func `B11, C7: losing the last reference cancels the connection`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        #expect(world.host.liveCount(.peripherals) == 1)
        await app.run { $0.peripherals = [] }
        #expect(try await StandIn.advance([world.host]) { world.strap.connectionCount == 0 })
        #expect(world.host.liveCount(.peripherals) == 0)
    }

    @Test func `C2: cancelling an attempt is answered by didDisconnect without an error`() async throws {
        let app = world.app
        await app.start()
        #expect(try await app.wait(for: "state 5"))
        await app.run { $0.manager?.scanForPeripherals(withServices: nil) }
        #expect(try await app.wait(for: "found"))
        world.strap.vanish()
        await app.run { $0.connect() }
        try await StandIn.settle([world.host])
        await app.run { $0.manager?.cancelPeripheralConnection($0.peripherals[0]) }
        #expect(try await app.wait(for: "disconnected"))
        #expect(app.log.all.last == "disconnected")
    }

    @Test func `C1: an attempt that the peer refuses goes on until it takes it`() async throws {
        world.strap.refuseConnections()
        let app = world.app
        await app.start()
        #expect(try await app.wait(for: "state 5"))
        await app.run { $0.manager?.scanForPeripherals(withServices: nil) }
        #expect(try await app.wait(for: "found"))
        await app.run { $0.connect() }
        #expect(try await StandIn.advance([world.host], limit: .seconds(3)) { app.log.count("connected") > 0 } == false)
        world.strap.refuseConnections(false)
        #expect(try await app.wait(for: "connected"))
        #expect(app.log.count("failed") == 0)
    }

    @Test func `C5, C12: the peer's end of a link comes in the new form, with an error`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        world.strap.disconnect()
        #expect(try await app.wait(for: "disconnected CB7"))
        #expect(app.log.count("old form") == 0)
        // C6: a command afterwards is a misuse.
        await app.run { $0.peripherals[0].readRSSI() }
        #expect(world.host.misuses.count == 1)
    }

    @Test func `C13: the strength of the connection is measured`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        await app.run { $0.peripherals[0].readRSSI() }
        #expect(try await app.wait(for: "RSSI"))
    }

    @Test func `D1, D6: a second discovery gives the same objects, D5: without those of the system`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        #expect(try await app.discover())
        let first = await app.run { ObjectIdentifier($0.characteristic) }
        await app.run { app in
            app.peripherals[0].discoverServices(nil)
            app.peripherals[0].discoverCharacteristics(nil, for: app.peripherals[0].services![0])
        }
        #expect(try await app.wait(for: "characteristics", count: 2))
        #expect(await app.run { ObjectIdentifier($0.characteristic) } == first)
        #expect(app.log.all.contains { $0.hasPrefix("services [\"180F\", \"180A\"]") })
    }

    @Test func `D3: Service Changed names services, whose objects are invalid`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        #expect(try await app.discover())
        world.strap.changeServices(to: [VirtualService("180D")])
        #expect(try await app.wait(for: "modified"))
        await app.run { app in
            app.peripherals[0].discoverServices(nil)
        }
        #expect(try await app.wait(for: "services [\"180D\"]"))
    }

    @Test func `D3: a discovery that a change of the database overtakes lists the services that are there`()
        async throws
    {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        await app.run { $0.peripherals[0].discoverServices(nil) }
        try await StandIn.settle([world.host])
        // The peer has named its first services by now.
        try await world.radio.advance(by: .milliseconds(100))
        world.strap.changeServices(to: [VirtualService("180D")])
        #expect(try await app.wait(for: "services"))
        #expect(await app.run { $0.peripherals[0].services?.map(\.uuid.uuidString) } == ["180D"])
    }

    @Test func `D7: the class of a descriptor's value follows from its kind`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        #expect(try await app.discover())
        await app.run { $0.peripherals[0].discoverDescriptors(for: $0.characteristic) }
        #expect(try await app.wait(for: "descriptors"))
        await app.run { app in
            for descriptor in app.characteristic.descriptors ?? [] { app.peripherals[0].readValue(for: descriptor) }
        }
        #expect(try await app.wait(for: "descriptor", count: 4))
        #expect(app.log.all.contains("descriptor 2901 text"))
        #expect(app.log.all.contains("descriptor 2902 number"))
        #expect(app.log.all.contains("descriptor 2904 data"))
    }

    @Test func `D9, D10: retrieving gives the known ones, and without services nothing`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        #expect(
            await app.run { app in
                let manager = app.manager!
                let ids = [app.peripherals[0].identifier, UUID()]
                return manager.retrievePeripherals(withIdentifiers: ids).count == 1
                    && manager.retrieveConnectedPeripherals(withServices: []).isEmpty
                    && manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180F")]).first
                        === app.peripherals[0]
                    && manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "1234")]).isEmpty
            })
    }

    @Test func `E1, E2: reads and notifications come alike, in the latest value`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        #expect(try await app.discover())
        await app.run { $0.peripherals[0].setNotifyValue(true, for: $0.characteristic) }
        #expect(try await app.wait(for: "notifying true"))
        world.level.update(Bytes([80]))
        #expect(try await app.wait(for: "value [50]"))
        await app.run { $0.peripherals[0].readValue(for: $0.characteristic) }
        #expect(try await app.wait(for: "value [50]", count: 2))
        await app.run { $0.peripherals[0].setNotifyValue(false, for: $0.characteristic) }
        #expect(try await app.wait(for: "notifying false"))
    }

    @Test func `E3, E4: a write is answered, a command is not, and an error has its code`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        #expect(try await app.discover())
        await app.run { $0.peripherals[0].writeValue(Data([1]), for: $0.characteristic, type: .withoutResponse) }
        await app.run { $0.peripherals[0].writeValue(Data([2]), for: $0.characteristic, type: .withResponse) }
        #expect(try await app.wait(for: "written"))
        #expect(app.log.count("written") == 1)
        #expect(world.level.writes.map(\.value) == [[1], [2]])
        world.level.setError(.valueNotAllowed, for: .write)
        await app.run { $0.peripherals[0].writeValue(Data([3]), for: $0.characteristic, type: .withResponse) }
        #expect(try await app.wait(for: "written ATT19"))
    }

    @Test func `E5: room for commands is not there at first, is used up, and its return is told`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        #expect(await app.run { $0.peripherals[0].canSendWriteWithoutResponse } == false)
        #expect(try await app.discover())
        #expect(try await app.wait(for: "ready"))
        let sent = await app.run { app in
            var sent: UInt8 = 0
            while app.peripherals[0].canSendWriteWithoutResponse, sent < 100 {
                app.peripherals[0].writeValue(Data([sent]), for: app.characteristic, type: .withoutResponse)
                sent += 1
            }
            return sent
        }
        #expect(sent == 4)
        #expect(try await app.wait(for: "ready", count: 2))
        #expect(try await StandIn.advance([world.host]) { world.level.writes.count == 4 })
    }

    @Test func `E6: a command to a characteristic without the property vanishes`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180A"))
        #expect(try await app.discover("180A"))
        await app.run { $0.peripherals[0].writeValue(Data([1]), for: $0.characteristic, type: .withoutResponse) }
        try await StandIn.settle([world.host])
        #expect(world.host.misuses.isEmpty)
        #expect(world.maker.writes.isEmpty)
    }

    @Test func `F1: the system pairs upon a security error, and the read goes on`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180A"))
        #expect(try await app.discover("180A"))
        await app.run { $0.peripherals[0].readValue(for: $0.characteristic) }
        #expect(try await app.wait(for: "value [41]"))
    }

    @Test func `F2: a refused pairing shows as the security error of the operation`() async throws {
        world.host.settings.acceptsPairing = false
        world.strap.changePairing(to: .refused)
        let app = world.app
        #expect(try await app.connect(to: "180A"))
        #expect(try await app.discover("180A"))
        await app.run { $0.peripherals[0].readValue(for: $0.characteristic) }
        #expect(try await app.wait(for: "value nil ATT"))
    }

    @Test func `M9: after the end of everything no object is alive`() async throws {
        let app = world.app
        #expect(try await app.connect(to: "180F"))
        #expect(try await app.discover())
        await app.run { app in
            app.manager?.delegate = nil
            app.manager?.cancelPeripheralConnection(app.peripherals[0])
            app.manager = nil
            app.peripherals = []
            app.advertisements = []
        }
        try await StandIn.settle([world.host])
        for kind in StandInObject.allCases { #expect(world.host.liveCount(kind) == 0, "\(kind)") }
    }
}
