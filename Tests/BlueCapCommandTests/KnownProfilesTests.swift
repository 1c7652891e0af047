// SPDX-License-Identifier: MIT

import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct KnownProfilesTests {
    @Test(
        arguments: [
            ("180D", "Heart Rate"), ("1812", "Human Interface Device"), ("1805", "Current Time"),
            ("F000AA10-0451-4000-B000-000000000000", "TI Accelerometer"), ("FEAA", "Google LLC"),
            ("12345678-0000-1000-8000-001122334455", "12345678-0000-1000-8000-001122334455"),
        ] as [(BluetoothUUID, String)])
    func `services go by the profile's name, the SIG's, or their owner's; others by their UUID`(
        uuid: BluetoothUUID, name: String
    ) {
        #expect(KnownProfiles.service(uuid) == name)
    }

    @Test func `a characteristic keeps its profile in a service that the profile does not list it in`() {
        #expect(KnownProfiles.characteristic("2A19", in: "1234") == "Battery Level")
        #expect(ValueText([0x40], of: "2A19", in: "1234").line == "64 %")
    }

    @Test(
        arguments: [
            ("2A37", [0x16, 72, 0xE8, 0x03], "heartRate 72 bpm, sensorContact Detected, rrIntervals 1000"),
            ("2A19", [88], "88 %"), ("2A38", [1], "Chest"), ("2A29", [0x41, 0x42], "AB"),
            ("F000AA13-0451-4000-B000-000000000000", [50], "500 ms"),
        ] as [(BluetoothUUID, Bytes, String)])
    func `values are told part by part, in the profile's order and with their units`(
        uuid: BluetoothUUID, value: Bytes, line: String
    ) {
        #expect(ValueText(value, of: uuid).line == line)
    }

    @Test func `a value of a file's profile is told in the file's order, and written by its parts and choices`() throws
    {
        let file = try ProfileManager(
            json: """
                {"schema": "bluecap-profiles", "version": 1, "services": [{"uuid": "FFF0", "name": "Lamp", "characteristics": [
                    {"uuid": "FFF1", "name": "Light", "fields": [
                        {"name": "state", "type": "uint8", "values": {"off": 0, "on": 1}},
                        {"name": "level", "type": "uint8"}, {"name": "hue", "type": "uint16", "unknown": 65535}]},
                    {"uuid": "FFF2", "name": "Switch", "fields": [
                        {"name": "state", "type": "uint8", "values": {"off": 0, "on": 1}}]}]}]}
                """.utf8)
        let light = file.characteristicProfile("FFF1", in: "FFF0")
        #expect(ValueText([1, 7, 5, 0], light).line == "state on, level 7, hue 5")
        #expect(ValueText([1, 7], light).line == nil)
        #expect(ProfilePart.parts(of: light).map(\.isOptional) == [false, false, true])
        #expect(try TypedValue(text: "state=off,level=3", isText: false).bytes(for: light) == [0, 3, 0xFF, 0xFF])
        let other = file.characteristicProfile("FFF2", in: "FFF0")
        #expect(try TypedValue(text: "On", isText: false).bytes(for: other) == [1])
    }

    @Test func `bytes that no profile knows are text where they are text, and nothing else`() {
        #expect(ValueText([0x41, 0x42], of: "FFF1").line == "AB")
        #expect(ValueText([0x00, 0xFF], of: "FFF1").line == nil)
        #expect(ValueText([], of: "2A37").line == nil)
        #expect(ValueText([0x1B, 0x5B], of: "FFF1").fields == nil)
    }

    @Test func `text from the radio cannot command the terminal`() {
        #expect(ValueText([0x41, 0x1B, 0x5B], of: "2A29").line == "A\u{FFFD}[")
    }

    @Test(arguments: [(0, "0 devices"), (1, "1 device"), (2, "2 devices")])
    func `nouns are in the singular after one`(number: Int, text: String) {
        #expect(TextLayout.count(number, "device") == text)
    }
}
