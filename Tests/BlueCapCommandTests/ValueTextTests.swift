// SPDX-License-Identifier: MIT

import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct ValueTextTests {
    @Test func `numbers of a value are numbers, with the units that they have, and what is not known is none`() {
        let temperature = EnvironmentalSensingService.Temperature.uuid
        let known = ValueText(Bytes([0x95, 0x07]), of: temperature)
        #expect(known.numbers == ["Temperature": 19.41] && known.units == ["Temperature": "°C"])
        #expect(ValueText(Bytes([0x00, 0x80]), of: temperature).numbers == nil)
        // Carbon Monoxide Concentration, NaN: no JSON has that.
        #expect(ValueText(Bytes([0xFF, 0x07]), of: "2BD0").numbers == nil)
    }

    @Test(arguments: [
        ("4c616d702037", "Lamp 7"), ("4c616d70203700", "Lamp 7"), ("4c616d702037000000", "Lamp 7"), ("41", "A"),
    ])
    func `a device's name is text, with zeros behind it or not`(hex: String, text: String) throws {
        #expect(ValueText(try Bytes(hex: hex), of: "2A00", in: "1800").line == text)
    }

    @Test(arguments: ["", "00", "4100", "41420000", "4c616d7000ff", "4c616d700041", "ff00"])
    func `bytes that may be numbers are no text`(hex: String) throws {
        #expect(ValueText(try Bytes(hex: hex), of: "FFF1").line == nil)
    }

    @Test(arguments: [("2A29", "Acme"), ("2A24", "X-1"), ("2A26", "1.0"), ("2A28", "é")] as [(BluetoothUUID, String)])
    func `a text of the device's information ends with its first zero`(uuid: BluetoothUUID, text: String) {
        for tail in [[], [0], [0, 0, 0], [0, 0x41]] as [[UInt8]] {
            let value = Bytes(Array(text.utf8) + tail)
            #expect(ValueText(value, of: uuid, in: "180A").line == text, "\(value)")
        }
    }

    @Test(
        arguments: [
            ("2A9D", "0410270000"), ("2A9D", "04102700"), ("2A9D", "041027ff"),
        ] as [(BluetoothUUID, String)])
    func `a user that is not known has no number`(uuid: BluetoothUUID, hex: String) throws {
        let value = ValueText(try Bytes(hex: hex), of: uuid, in: "181D")
        #expect(value.fields?["userID"] == (hex.hasSuffix("ff") ? "unknown" : "0"))
    }
}
