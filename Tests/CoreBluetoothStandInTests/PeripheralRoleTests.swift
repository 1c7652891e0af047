// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import CoreBluetooth
import Foundation
import Testing

/// The peripheral role of the stand-in, with the central role of another device.
@Suite struct PeripheralRoleTests {
    let phone: StandIn
    let lamp: StandIn
    let central: CentralApp
    let app: PeripheralApp

    init() {
        let radio = VirtualRadio(seed: 1, clock: ManualClock())
        phone = StandIn(radio: radio, configuration: .init(maximumTransmissionUnit: 185))
        lamp = StandIn(radio: radio, address: "00:00:5E:00:53:02")
        central = CentralApp(on: phone)
        app = PeripheralApp(on: lamp)
    }

    private func connect() async throws {
        await app.start()
        #expect(try await app.offer(with: [phone]))
        #expect(try await central.connect(to: "FFE0", with: [lamp]))
        #expect(try await central.discover("FFE0", with: [lamp]))
    }

    @Test func `a service is added and advertised, and another device uses it`() async throws {
        try await connect()
        #expect(app.log.all == ["state 5", "added", "advertising"])
        await central.run { app in
            app.peripherals[0].readValue(for: app.characteristic)
            app.peripherals[0].writeValue(Data([5]), for: app.characteristic, type: .withResponse)
        }
        #expect(try await central.wait(for: "written", with: [lamp]))
        #expect(central.log.all.contains("value [1 2 3]"))
        #expect(app.log.all.suffix(2) == ["read 0", "write [\"0+1\"]"])
    }

    @Test func `G3, G4: cached values and descriptors are answered by the system`() async throws {
        try await connect()
        await central.run { app in
            app.peripherals[0].readValue(for: app.peripherals[0].services![0].characteristics![1])
            app.peripherals[0].discoverDescriptors(for: app.characteristic)
        }
        #expect(try await central.wait(for: "descriptors", with: [lamp]))
        await central.run { app in
            for descriptor in app.characteristic.descriptors! where descriptor.uuid == CBUUID(string: "2901") {
                app.peripherals[0].readValue(for: descriptor)
            }
        }
        #expect(try await central.wait(for: "descriptor 2901 text", with: [lamp]))
        #expect(central.log.all.contains("value [9]"))
        #expect(app.log.count("read") == 0)
    }

    @Test func `G7: a service of the system is refused`() async throws {
        await app.start()
        #expect(try await app.wait(for: "state 5"))
        await app.run { $0.manager?.add(CBMutableService(type: CBUUID(string: "1800"), primary: true)) }
        #expect(try await app.wait(for: "added CB8"))
    }

    @Test func `H3: a second advertisement is refused`() async throws {
        await app.start()
        #expect(try await app.offer())
        await app.run { $0.manager?.startAdvertising(nil) }
        #expect(try await app.wait(for: "advertising CB9"))
        #expect(await app.run { $0.manager?.isAdvertising } == true)
    }

    @Test func `H2, B7: services that do not fit are found only by a scan that names them`() async throws {
        await app.start()
        #expect(try await app.wait(for: "state 5"))
        let long = (0..<3).map { "0000000\($0)-1111-2222-3333-444444444444" }
        await app.run { app in
            app.manager?.startAdvertising([
                CBAdvertisementDataLocalNameKey: NSString(string: "A name of more bytes"),
                CBAdvertisementDataServiceUUIDsKey: NSArray(array: long.map { CBUUID(string: $0) }),
            ])
        }
        // Of 28 bytes the first service takes 16, and the name the rest.
        await central.start()
        #expect(try await central.wait(for: "state 5", with: [lamp]))
        await central.run { $0.manager?.scanForPeripherals(withServices: nil) }
        #expect(try await central.wait(for: "found A name of mo overflow []", with: [lamp]))
        await central.run { $0.manager?.scanForPeripherals(withServices: [CBUUID(string: long[2])]) }
        #expect(try await central.wait(for: "found A name of mo overflow [\"\(long[2])\"]", with: [lamp]))
    }

    @Test func `I1: a long value is read in pieces, the last of which is empty`() async throws {
        await app.run { $0.value = Data((0..<512).map { UInt8(truncatingIfNeeded: $0) }).prefix(368) }
        try await connect()
        await central.run { $0.peripherals[0].readValue(for: $0.characteristic) }
        #expect(try await central.wait(for: "value", with: [lamp]))
        #expect(await central.run { $0.characteristic.value?.count } == 368)
        // One byte of each packet is the opcode.
        #expect(app.log.all.filter { $0.hasPrefix("read") } == ["read 0", "read 184", "read 368"])
    }

    @Test func `I2: a long write is an array of parts with one answer`() async throws {
        try await connect()
        await central.run { app in
            app.peripherals[0].writeValue(Data(count: 512), for: app.characteristic, type: .withResponse)
        }
        #expect(try await central.wait(for: "written", with: [lamp]))
        // Five bytes of each packet are the opcode, the handle and the offset.
        #expect(app.log.all.last == "write [\"0+180\", \"180+180\", \"360+152\"]")
    }

    @Test func `I2: an error answers the whole array`() async throws {
        try await connect()
        await app.run { $0.result = .invalidAttributeValueLength }
        await central.run { $0.peripherals[0].writeValue(Data([1]), for: $0.characteristic, type: .withResponse) }
        #expect(try await central.wait(for: "written ATT13", with: [lamp]))
    }

    @Test func `I3: commands arrive as requests do, in arrays`() async throws {
        try await connect()
        await central.run { app in
            for value in 0..<3 {
                app.peripherals[0].writeValue(Data([UInt8(value)]), for: app.characteristic, type: .withoutResponse)
            }
        }
        #expect(try await app.wait(for: "write", with: [phone]))
        try await StandIn.settle([phone, lamp])
        #expect(app.log.all.filter { $0.hasPrefix("write") }.map { $0.count { $0 == "+" } }.reduce(0, +) >= 1)
    }

    @Test func `J1, J5: updates reach a subscriber until the queue is full, and its room is told once`() async throws {
        try await connect()
        await central.run { $0.peripherals[0].setNotifyValue(true, for: $0.characteristic) }
        #expect(try await app.wait(for: "subscribed", with: [phone]))
        let taken = await app.run { app in
            var taken = 0
            while taken < 100,
                app.manager!.updateValue(Data([UInt8(taken)]), for: app.characteristic!, onSubscribedCentrals: nil)
            { taken += 1 }
            return taken
        }
        #expect(taken == 4)
        #expect(try await app.wait(for: "ready", with: [phone]))
        #expect(try await central.wait(for: "value", count: 4, with: [lamp]))
        #expect(app.log.count("ready") == 1)
        await central.run { $0.manager?.cancelPeripheralConnection($0.peripherals[0]) }
        #expect(try await app.wait(for: "unsubscribed", with: [phone]))
    }

    @Test func `J3: an update is cut to what the subscriber takes`() async throws {
        try await connect()
        await central.run { $0.peripherals[0].setNotifyValue(true, for: $0.characteristic) }
        #expect(try await app.wait(for: "subscribed", with: [phone]))
        let length = await app.run { app in
            _ = app.manager?.updateValue(Data(count: 600), for: app.characteristic!, onSubscribedCentrals: nil)
            return app.characteristic?.subscribedCentrals?[0].maximumUpdateValueLength
        }
        #expect(try await central.wait(for: "value", with: [lamp]))
        #expect(await central.run { $0.characteristic.value?.count } == length)
    }

    @Test(arguments: [false, true])
    func `M6: the database outlives power off, unless the fault clears it`(_ isFault: Bool) async throws {
        await app.start()
        #expect(try await app.offer())
        if isFault { lamp.faults = [.databaseCleared] }
        lamp.adapter.powerOff()
        #expect(try await app.wait(for: "state 4"))
        #expect(await app.run { $0.manager?.isAdvertising } == false)
        lamp.adapter.powerOn()
        #expect(try await app.wait(for: "state 5", count: 2))
        #expect(await app.run { $0.manager?.isAdvertising } == !isFault)
        await central.start()
        #expect(try await central.wait(for: "state 5", with: [lamp]))
        await central.run { $0.manager?.scanForPeripherals(withServices: [CBUUID(string: "FFE0")]) }
        let isFound = try await StandIn.advance([phone, lamp], limit: .seconds(3)) { central.log.count("found") > 0 }
        #expect(isFound == !isFault)
    }

    @Test func `M6: a reset clears the database and ends advertising`() async throws {
        await app.start()
        #expect(try await app.offer())
        lamp.adapter.unplug()
        #expect(try await app.wait(for: "state 1"))
        lamp.adapter.plugIn()
        #expect(try await app.wait(for: "state 5", count: 2))
        #expect(await app.run { $0.manager?.isAdvertising } == false)
        // The same object can be added again.
        await app.run { $0.manager?.add($0.service!) }
        #expect(try await app.wait(for: "added", count: 2))
    }

    @Test func `L1, L3: the system chooses a PSM, and a channel that no program retains is closed`() async throws {
        try await connect()
        await app.run { $0.manager?.publishL2CAPChannel(withEncryption: false) }
        #expect(try await app.wait(for: "published", with: [phone]))
        await central.run { $0.peripherals[0].openL2CAPChannel(0x80) }
        #expect(try await central.wait(for: "opened", with: [lamp]))
        #expect(try await app.wait(for: "opened", with: [phone]))
        #expect(lamp.liveCount(.channels) == 0)
        #expect(phone.liveCount(.channels) == 0)
        await app.run { $0.manager?.unpublishL2CAPChannel(0x80) }
        #expect(try await app.wait(for: "unpublished", with: [phone]))
        await central.run { $0.peripherals[0].openL2CAPChannel(0x80) }
        #expect(try await central.wait(for: "opened CB0", with: [lamp]))
    }
}
