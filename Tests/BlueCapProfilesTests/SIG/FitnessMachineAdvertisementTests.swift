// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias Machine = FitnessMachineService

@Suite("What fitness machines advertise", .timeLimit(.minutes(60)))
struct FitnessMachineAdvertisementTests {
    @Test func `the service data has a byte of flags and two of machine types`() throws {
        let examples: [(Machine.ServiceData, Bytes)] = [
            (Machine.ServiceData(isAvailable: true, machines: .treadmill), [0x01, 0x01, 0x00]),
            (Machine.ServiceData(isAvailable: false, machines: .indoorBike), [0x00, 0x20, 0x00]),
        ]
        for (data, bytes) in examples {
            #expect(SerDe.serialize(data) == bytes)
            #expect(try SerDe.deserialize(bytes, as: Machine.ServiceData.self) == data)
        }
    }

    @Test func `flags that are reserved are passed over, and types that are reserved are kept`() throws {
        let data: Machine.ServiceData = try SerDe.deserialize([0xff, 0x10, 0x80] as Bytes)
        #expect(data.isAvailable)
        #expect(data.machines == [.rower, Machine.MachineTypes(rawValue: 0x8000)])
    }

    @Test func `service data without the machine types is refused`() {
        let advertisements = PeripheralAdvertisements(serviceData: [Machine.uuid: [0x01, 0x01]])
        #expect(throws: SerDeError.self) { try advertisements.serviceValue(Machine.ServiceData.self) }
    }

    @Test func `an advertisement carries it under the UUID of the service`() throws {
        var advertisement = Advertisement(serviceUUIDs: [Machine.uuid])
        let data = Machine.ServiceData(isAvailable: true, machines: .treadmill)
        advertisement.setServiceValue(data)
        #expect(advertisement.serviceData == [Machine.uuid: [0x01, 0x01, 0x00]])
        let advertisements = PeripheralAdvertisements(serviceData: advertisement.serviceData)
        #expect(try advertisements.serviceValue(Machine.ServiceData.self) == data)
    }

    @Test func `a broadcast characteristic is read under the UUID of its service`() throws {
        let advertisements = PeripheralAdvertisements(serviceData: [BatteryService.uuid: [87]])
        let level = try advertisements.serviceValue(BatteryService.Level.self, of: BatteryService.uuid)
        #expect(level == (try SerDe.deserialize([87] as Bytes)))
        #expect(try advertisements.serviceValue(BatteryService.Level.self, of: Machine.uuid) == nil)
    }
}
