// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe
import Testing

/// The test vectors of docs.ruuvi.com.
@Suite("The formats of Ruuvi", .timeLimit(.minutes(60)))
struct RuuviFormatTests {
    private func reading(_ hex: String) throws -> SensorReading {
        try #require(SensorReading(PeripheralAdvertisements(manufacturerData: [0x0499: try Bytes(hex: hex)])))
    }

    // That page says that a humidity above 100 % is a fault of the sensor, and not that it is unknown.
    @Test(
        arguments: [
            (
                "03291A1ECE1EFC18F94202CA0B53",
                [26.3, 20.5, 1027.66, -9.80665, -16.9262779, 7.0019481, 2.899]
            ),
            (
                "03FF7F63FFFF7FFF7FFF7FFFFFFF",
                [127.99, 127.5, 1155.35, 321.33450055, 321.33450055, 321.33450055, 65.535]
            ),
            ("0300FF6300008001800180010000", [-127.99, 0, 500, -321.33450055, -321.33450055, -321.33450055, 0]),
        ])
    func `format 3 is read as its vectors say`(_ hex: String, _ numbers: [Double]) throws {
        let reading = try reading(hex)
        #expect(reading.format == "RuuviTag 3")
        #expect(reading.values.map(\.number) == numbers)
    }

    @Test(
        arguments: [
            (
                "0512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F",
                [24.3, 53.49, 1000.44, 0.0392266, -0.0392266, 10.1596894, 2.977, 66], 205
            ),
            (
                "057FFFFFFEFFFE7FFF7FFF7FFFFFDEFEFFFECBB8334C884F",
                [163.835, 163.835, 1155.34, 321.33450055, 321.33450055, 321.33450055, 3.646, 254], 65_534
            ),
            (
                "058001000000008001800180010000000000CBB8334C884F",
                [-163.835, 0, 500, -321.33450055, -321.33450055, -321.33450055, 1.6, 0], 0
            ),
        ] as [(String, [Double], UInt64)])
    func `format 5 is read as its vectors say`(_ hex: String, _ numbers: [Double], _ counter: UInt64) throws {
        let reading = try reading(hex)
        #expect(reading.format == "RuuviTag 5")
        #expect(reading.values.map(\.number) == numbers)
        #expect(reading.counter == counter)
        #expect(reading.address?.hex == "cbb8334c884f")
    }

    // The page's vectors begin with 05, which the table of the same page contradicts.
    @Test(
        arguments: [
            ("C512FC5394C37CAC364200CDCBB8334C884F", [24.3, 53.49, 1000.44, 2.977, 66], 205),
            ("C57FFFFFFEFFFEFFDEFEFFFECBB8334C884F", [163.835, 163.835, 1155.34, 3.646, 254], 65_534),
            ("C58001000000000000000000CBB8334C884F", [-163.835, 0, 500, 1.6, 0], 0),
        ] as [(String, [Double], UInt64)])
    func `format C5 is read as its vectors say`(_ hex: String, _ numbers: [Double], _ counter: UInt64) throws {
        let reading = try reading(hex)
        #expect(reading.format == "RuuviTag C5")
        #expect(reading.values.map(\.number) == numbers)
        #expect(reading.counter == counter)
        #expect(reading.address?.hex == "cbb8334c884f")
    }

    @Test(
        arguments: [
            ("06170C5668C79E007000C90501D9FFCD004C884F", [29.5, 55.3, 1011.02, 11.2, 201, 10, 2, 13_026.67], 205),
            ("067FFF9C40FFFE27109C40FAFAFEFFFF074C8F4F", [163.835, 100, 1155.34, 1000, 40_000, 500, 500, 65_535], 255),
            ("0680010000000000000000000000FF00004C884F", [-163.835, 0, 500, 0, 0, 0, 0, 0], 0),
        ] as [(String, [Double], UInt64)])
    func `format 6 is read as its vectors say`(_ hex: String, _ numbers: [Double], _ counter: UInt64) throws {
        let reading = try reading(hex)
        #expect(reading.format == "Ruuvi Air 6")
        #expect(reading.values.map(\.number) == numbers)
        #expect(reading.counter == counter)
        #expect(reading.address == nil)
    }

    @Test(
        arguments: [
            (
                "E1170C5668C79E0065007004BD11CA00C90A0213E0ACFFFFFFDECDEE10FFFFFFFFFFCBB8334C884F",
                [29.5, 55.3, 1011.02, 10.1, 11.2, 121.3, 455.4, 201, 20, 4, 13_027], 14_601_710
            ),
            (
                "E17FFF9C40FFFE27102710271027109C40FAFADC28F0FFFFFFFFFFFE3FFFFFFFFFFFCBB8334C884F",
                [163.835, 100, 1155.34, 1000, 1000, 1000, 1000, 40_000, 500, 500, 144_284], 16_777_214
            ),
            (
                "E1800100000000000000000000000000000000000000FFFFFF00000000FFFFFFFFFFCBB8334C884F",
                [-163.835, 0, 500, 0, 0, 0, 0, 0, 0, 0, 0], 0
            ),
        ] as [(String, [Double], UInt64)])
    func `format E1 is read as its vectors say`(_ hex: String, _ numbers: [Double], _ counter: UInt64) throws {
        let reading = try reading(hex)
        #expect(reading.format == "Ruuvi Air E1")
        #expect(reading.values.map(\.number) == numbers)
        #expect(reading.counter == counter)
        #expect(reading.address?.hex == "cbb8334c884f")
    }

    @Test(
        arguments: [
            "058000FFFFFFFF800080008000FFFFFFFFFFFFFFFFFFFFFF", "C58000FFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
            "068000FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
            "E18000FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
        ])
    func `values that are not available are unknown`(_ hex: String) throws {
        let reading = try reading(hex)
        #expect(!reading.values.isEmpty)
        #expect(reading.values.allSatisfy { $0.number == nil && $0.description.hasSuffix(" unknown") })
        #expect(reading.address == nil)
        // Format 6 has the last byte of a counter, and no word for an unknown one.
        #expect(reading.counter == (reading.format == "Ruuvi Air 6" ? 255 : nil))
    }

    @Test func `a reading says its values with their units`() throws {
        let reading = try reading("C512FC5394C37CAC364200CDCBB8334C884F")
        #expect(
            "\(reading)"
                == "temperature 24.3 °C, humidity 53.49 %, pressure 1000.44 hPa, voltage 2.977 V, count 66")
        #expect(reading.battery == nil)
    }
}
