// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias Information = DeviceInformationService

@Suite("The device information", .timeLimit(.minutes(60)))
struct DeviceInformationTests {
    @Test func `the UUIDs are the assigned ones`() {
        #expect(Information.uuid == BluetoothUUID(UInt16(0x180a)))
        #expect(Information.SystemID.uuid == BluetoothUUID(UInt16(0x2a23)))
        #expect(Information.ModelNumber.uuid == BluetoothUUID(UInt16(0x2a24)))
        #expect(Information.SerialNumber.uuid == BluetoothUUID(UInt16(0x2a25)))
        #expect(Information.FirmwareRevision.uuid == BluetoothUUID(UInt16(0x2a26)))
        #expect(Information.HardwareRevision.uuid == BluetoothUUID(UInt16(0x2a27)))
        #expect(Information.SoftwareRevision.uuid == BluetoothUUID(UInt16(0x2a28)))
        #expect(Information.ManufacturerName.uuid == BluetoothUUID(UInt16(0x2a29)))
        #expect(Information.RegulatoryCertificationDataList.uuid == BluetoothUUID(UInt16(0x2a2a)))
        #expect(Information.PnPID.uuid == BluetoothUUID(UInt16(0x2a50)))
    }

    @Test func `a text is its UTF-8, of any length`() {
        expectBytes(Information.ManufacturerName(rawValue: "Ähre"), [0xc3, 0x84, 0x68, 0x72, 0x65])
        expectBytes(Information.ModelNumber(rawValue: ""), [])
        let long = String(repeating: "x", count: 300)
        expectBytes(Information.SerialNumber(rawValue: long), Bytes(long.utf8))
        expectBytes(Information.SoftwareRevision(rawValue: "2.7β"), [0x32, 0x2e, 0x37, 0xce, 0xb2])
        #expect(Information.FirmwareRevision(rawValue: "1.2").stringValue == ["Firmware Revision String": "1.2"])
    }

    @Test func `a text that is no UTF-8 is refused`() {
        #expect(throws: SerDeError.invalidText(offset: 0)) {
            try SerDe.deserialize([0xff] as Bytes, as: Information.HardwareRevision.self)
        }
    }

    @Test func `a system ID from an address has FFFE in its middle and the OUI last`() {
        // 12:34:56:9A:BC:DE becomes 0x123456FFFE9ABCDE (Device Information Service, System ID), little-endian.
        let value = Information.SystemID(publicAddress: 0x1234_569a_bcde)
        expectBytes(value, [0xde, 0xbc, 0x9a, 0xfe, 0xff, 0x56, 0x34, 0x12])
        #expect(value.organizationallyUniqueIdentifier == 0x12_3456)
    }

    @Test func `a PnP ID is seven bytes`() {
        var value = Information.PnPID()
        value.vendorIDSource = .usbImplementersForum
        value.vendorID = 0x1234
        value.productID = 0x5678
        value.productVersion = 0x0213
        expectBytes(value, [0x02, 0x34, 0x12, 0x78, 0x56, 0x13, 0x02])
        #expect(value.stringValue["vendorIDSource"] == "USB Implementer's Forum")
    }

    @Test func `a list of certifications is kept as it is`() {
        expectBytes(Information.RegulatoryCertificationDataList(rawValue: [0, 2, 0, 4]), [0, 2, 0, 4])
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: Information.ManufacturerName.self)
        expectRoundTrips(of: Information.SoftwareRevision.self)
        expectRoundTrips(of: Information.SystemID.self)
        expectRoundTrips(of: Information.PnPID.self)
        expectRoundTrips(of: Information.RegulatoryCertificationDataList.self, atLeast: 100)
    }
}
