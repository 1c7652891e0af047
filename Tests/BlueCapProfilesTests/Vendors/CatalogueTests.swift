// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import BlueCapVendorProfiles
import Testing

@Suite("The catalogues of vendors' profiles", .timeLimit(.minutes(60)))
struct CatalogueTests {
    private static let catalogues = [TISensorTagProfiles.services, NordicProfiles.services, GnosusProfiles.services]

    /// All but the two directions of the Nordic UART, which hold no value.
    private static var values: [CharacteristicProfile] {
        catalogues.joined().filter { $0.uuid != Nordic.UARTService.uuid }.flatMap(\.characteristics)
    }

    @Test func `each catalogue adds all its services to a manager, whatever others there are`() {
        let manager = ProfileManager.sensorTag.adding(.nordic).adding(.gnosus)
        #expect(
            manager.services.prefix(8).map(\.name) == [
                "TI Accelerometer", "TI Magnetometer", "TI Gyroscope", "TI Temperature", "TI Barometer",
                "TI Hygrometer", "TI Sensor Tag Test", "Sensor Tag Key Pressed",
            ])
        #expect(
            manager.services.dropFirst(8).map(\.name) == [
                "Nordic Device Temperature", "Nordic BLE Address", "Nordic UART", "Hello World", "Location",
            ])
    }

    @Test func `every service has the tag of its catalogue`() {
        #expect(Self.catalogues.map { Set($0.map(\.tag)) } == [["TI Sensor Tag"], ["Nordic"], ["gnos.us"]])
    }

    @Test func `every characteristic of the SensorTag is in the profile of its service`() {
        #expect(
            TISensorTagProfiles.services.map { $0.characteristics.map { "\($0.uuid)".prefix(8) } } == [
                ["F000AA11", "F000AA12", "F000AA13"], ["F000AA31", "F000AA32", "F000AA33"], ["F000AA51", "F000AA52"],
                ["F000AA01", "F000AA02"], ["F000AA41", "F000AA43", "F000AA42"], ["F000AA21", "F000AA22"],
                ["F000AA61", "F000AA62"], ["FFE1"],
            ])
    }

    @Test
    func `every first value is one that its own profile understands, and its text means the same`() throws {
        for characteristic in Self.values {
            let value = try #require(characteristic.initialValue, "\(characteristic.name)")
            let text = try #require(characteristic.stringValue(value), "\(characteristic.name)")
            #expect(characteristic.bytes(fromString: text) == value, "\(characteristic.name)")
        }
    }

    @Test func `a choice is offered exactly where the value is one of a few`() {
        let choices = Self.catalogues.joined().flatMap(\.characteristics).filter { !$0.stringValues.isEmpty }.map(
            \.name)
        #expect(
            choices == [
                "Accelerometer Enabled", "Magnetometer Enabled", "Gyroscope Enabled", "Temperature Enabled",
                "Barometer Enabled", "Hygrometer Enabled", "Test Enabled", "Key Pressed", "BLE Address Type",
            ])
    }

    @Test func `every value is readable and writeable, as far as permissions go`() {
        #expect(Self.values.allSatisfy { $0.permissions == [.readable, .writeable] })
    }

    @Test func `the SensorTag's device information has its own texts and stands apart`() throws {
        let service = TISensorTagProfiles.deviceInformation
        #expect(service.uuid == BluetoothUUID(UInt16(0x180a)))
        #expect([service.name, service.tag] == ["Device Information", "BLESIGGATT"])
        #expect(!TISensorTagProfiles.services.contains { $0.uuid == service.uuid })
        #expect(service.characteristics.map(\.uuid.uint16) == [0x2a24, 0x2a25, 0x2a26, 0x2a27, 0x2a28, 0x2a29])
        #expect(service.characteristics.allSatisfy { $0.properties == [.read] })
        let texts = try service.characteristics.map { try #require($0.initialValue.flatMap($0.stringValue)) }
        #expect(
            texts == [
                ["Device Model Number": "Model A"], ["Device Serial Number": "AAA11"],
                ["Device Firmware Revision": "1.0"], ["Device Hardware Revision": "1.0"],
                ["Device Software Revision": "1.0"], ["Device Manufacturer Name": "gnos.us"],
            ])
    }
}
