// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias HID = HumanInterfaceDeviceService

@Suite("Human interface devices", .timeLimit(.minutes(60)))
struct HumanInterfaceDeviceTests {
    @Test func `what the device is takes four bytes`() {
        let value = HID.HIDInformation(version: 0x0111, countryCode: 33, flags: [.remoteWake, .normallyConnectable])
        expectBytes(value, [0x11, 0x01, 33, 3])
        #expect(
            value.stringValue == [
                "version": "0111", "countryCode": "33", "flags": "Remote Wake, Normally Connectable",
            ])
        #expect(SerDe.serialize(HID.HIDInformation()) == HID.HIDInformation.initialValue)
    }

    @Test func `mode and control point are one byte; others are refused`() {
        expectBytes(HID.ProtocolMode.boot, [0])
        expectBytes(HID.ProtocolMode.report, [1])
        expectBytes(HID.HIDControlPoint.suspend, [0])
        expectBytes(HID.HIDControlPoint.exitSuspend, [1])
        #expect(throws: SerDeError.invalidValue(offset: 0)) {
            try SerDe.deserialize([2] as Bytes, as: HID.ProtocolMode.self)
        }
        #expect(throws: SerDeError.invalidValue(offset: 0)) {
            try SerDe.deserialize([2] as Bytes, as: HID.HIDControlPoint.self)
        }
    }

    @Test func `a keyboard sends modifiers and six keys`() throws {
        // Usage codes 4 and 5 are A and B.
        let shiftAB = HID.BootKeyboardInputReport(modifiers: .leftShift, keys: [4, 5])
        expectBytes(shiftAB, [0x02, 0, 4, 5, 0, 0, 0, 0])
        #expect(shiftAB.stringValue == ["modifiers": "Left Shift", "keys": "040500000000"])
        #expect(HID.BootKeyboardInputReport(modifiers: [], keys: 1...9).keys == [1, 2, 3, 4, 5, 6])
        #expect(HID.BootKeyboardInputReport(stringValue: ["modifiers": "none", "keys": "04"]) == nil)
        let longer: HID.BootKeyboardInputReport = try SerDe.deserialize([2, 9, 4, 5, 0, 0, 0, 0, 7] as Bytes)
        #expect(longer == shiftAB)
        expectBytes(HID.BootKeyboardOutputReport([.numLock, .capsLock]), [3])
    }

    @Test func `a mouse sends buttons, steps, and what it likes`() {
        expectBytes(HID.BootMouseInputReport(buttons: .left, x: -1, y: 5), [1, 0xff, 5])
        expectBytes(HID.BootMouseInputReport(buttons: [.right, .middle], x: 0, y: 0, more: [0xff]), [6, 0, 0, 0xff])
    }

    @Test func `reports and their map are bytes`() {
        // Usage Page (Generic Desktop), Usage (Keyboard).
        expectBytes(HID.ReportMap(rawValue: [0x05, 0x01, 0x09, 0x06]), [0x05, 0x01, 0x09, 0x06])
        expectBytes(HID.Report(rawValue: []), [])
        #expect(HID.Report(stringValue: ["Report": "0"]) == nil)
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: HID.HIDInformation.self, size: 4)
        expectRoundTrips(of: HID.ProtocolMode.self, size: 1, atLeast: 50)
        expectRoundTrips(of: HID.HIDControlPoint.self, size: 1, atLeast: 50)
        expectRoundTrips(of: HID.BootKeyboardInputReport.self, inputs: 500)
        expectRoundTrips(of: HID.BootKeyboardOutputReport.self, size: 1)
        expectRoundTrips(of: HID.BootMouseInputReport.self, inputs: 500)
        expectRoundTrips(of: HID.ReportMap.self, inputs: 300)
        expectRoundTrips(of: HID.Report.self, inputs: 300)
    }
}
