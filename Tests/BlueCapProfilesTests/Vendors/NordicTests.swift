// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import BlueCapVendorProfiles
import Testing

private typealias Address = Nordic.BLEAddressService.Address
private typealias AddressType = Nordic.BLEAddressService.AddressType
private typealias DeviceTemperature = Nordic.DeviceTemperatureService.Data

@Suite("Nordic's services", .timeLimit(.minutes(60)))
struct NordicTests {
    @Test func `UUIDs, names, tags and properties are those that both roles use`() {
        #expect(Nordic.DeviceTemperatureService.uuid == "2F0A0003-69AA-F316-3E78-4194989A6C1A")
        #expect(DeviceTemperature.uuid == "2F0A0004-69AA-F316-3E78-4194989A6C1A")
        #expect(Nordic.BLEAddressService.uuid == "2F0A0005-69AA-F316-3E78-4194989A6C1A")
        #expect(Address.uuid == "2F0A0006-69AA-F316-3E78-4194989A6C1A")
        #expect(AddressType.uuid == "2F0A0007-69AA-F316-3E78-4194989A6C1A")
        #expect(Nordic.DeviceTemperatureService.name == "Nordic Device Temperature")
        #expect(Nordic.BLEAddressService.name == "Nordic BLE Address")
        #expect([Nordic.DeviceTemperatureService.tag, Nordic.BLEAddressService.tag] == ["Nordic", "Nordic"])
        #expect(
            [DeviceTemperature.name, Address.name, AddressType.name] == [
                "Device Temperature Data", "BLE Address", "BLE Address Type",
            ])
        #expect(DeviceTemperature.properties == [.read, .notify])
        #expect(Address.properties == [.read, .notify])
        #expect(AddressType.properties == [.read])
    }

    @Test func `a temperature is a quarter of a degree for each count, 25 °C at first`() throws {
        let initial: DeviceTemperature = try SerDe.deserialize(#require(DeviceTemperature.initialValue))
        #expect(initial.temperature == 25)
        #expect(initial.stringValue == ["temperature": "25.00", "temperatureRaw": "100"])
        // 0xffff is −1: −0.25 °C.
        #expect(try SerDe.deserialize([0xff, 0xff] as Bytes, as: DeviceTemperature.self).temperature == -0.25)
        expectFixedSize(DeviceTemperature.self, size: 2, valid: [1, 2])
    }

    @Test func `every raw temperature survives the way through °C`() throws {
        for raw in Int16.min...Int16.max {
            let value = DeviceTemperature(rawValue: raw)
            guard try DeviceTemperature(temperature: value.temperature) == value else {
                Issue.record("\(raw) is lost")
                return
            }
        }
    }

    @Test(arguments: [8192, -8192.2, .nan, .infinity])
    func `a temperature that the number cannot hold is refused`(temperature: Double) {
        #expect(throws: SerDeError.invalidValue(offset: 0)) { try DeviceTemperature(temperature: temperature) }
        #expect(DeviceTemperature(stringValue: ["temperature": "\(temperature)"]) == nil)
    }

    @Test func `an address is all six octets, in bytes and in text`() throws {
        let address: Address = try SerDe.deserialize([1, 2, 3, 4, 5, 0xff] as Bytes)
        #expect(address.rawValue == [1, 2, 3, 4, 5, 255])
        #expect(
            address.stringValue == [
                "addr1": "1", "addr2": "2", "addr3": "3", "addr4": "4", "addr5": "5", "addr6": "255",
            ])
        expectFixedSize(Address.self, size: 6, valid: [1, 2, 3, 4, 5, 6])
        #expect(try SerDe.deserialize(#require(Address.initialValue), as: Address.self).rawValue.count == 6)
    }

    @Test func `an address lacks no octet`() throws {
        #expect(Address(rawValue: [1, 2, 3, 4, 5]) == nil)
        #expect(Address(rawValue: [1, 2, 3, 4, 5, 6, 7]) == nil)
        let texts = try #require(Address(rawValue: [1, 2, 3, 4, 5, 6])).stringValue
        for name in texts.keys {
            #expect(Address(stringValue: texts.filter { $0.key != name }) == nil)
            #expect(Address(stringValue: texts.merging([name: "256"]) { $1 }) == nil)
        }
    }

    @Test func `addresses are equal and hash alike exactly when all octets are`() throws {
        let octets: [UInt8] = [1, 2, 3, 4, 5, 6]
        let address = try #require(Address(rawValue: octets))
        #expect(Set([address, try #require(Address(rawValue: octets))]).count == 1)
        for index in octets.indices {
            var other = octets
            other[index] = 0
            #expect(Address(rawValue: other) != address)
        }
    }

    @Test func `the type of an address is one byte, public at first`() throws {
        expectChoices(
            AddressType.self,
            ["Unknown", "Public", "RandomStatic", "RandomPrivateResolvable", "RandomPrivateUnresolvable"])
        #expect(try SerDe.deserialize(#require(AddressType.initialValue)) == AddressType.public)
    }
}
