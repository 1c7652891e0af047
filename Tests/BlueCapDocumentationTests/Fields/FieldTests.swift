// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

/// The examples of the article "Fields of Bluetooth", each with the value that it gives.
@Suite("Fields of Bluetooth", .timeLimit(.minutes(60)))
struct FieldTests {
    struct Flags: FlagSet {
        let rawValue: UInt8

        static let isWide = Flags(rawValue: 1 << 0)
        static let hasIntervals = Flags(rawValue: 1 << 4)
    }

    @Test func `three bytes are a number`() throws {
        let distance: UInt24 = try SerDe.deserialize([0x10, 0x27, 0x00] as Bytes)  // 10000
        let next = UInt24(exactly: distance.value + 100)  // 10100
        let highest = UInt24(clamping: 20_000_000)  // 16777215
        #expect(distance == 10_000)
        #expect(next == 10_100)
        #expect(highest == 16_777_215)
    }

    @Test func `a decimal number keeps its resolution`() throws {
        let temperature: MedFloat = try SerDe.deserialize([0x38, 0x0e, 0x00, 0xfe] as Bytes)
        let text = temperature.description  // "36.40"
        let degrees = temperature.doubleValue  // 36.4
        let pressure = SFloat(120)  // at the resolution that loses least
        let precise = MedFloat(rounding: 36.4, exponent: -2)  // 36.40
        #expect(text == "36.40")
        #expect(degrees == 36.4)
        #expect(pressure.description == "120")
        #expect(precise == temperature)
    }

    @Test func `a number is rounded and then held to its range`() {
        let raw = Int16(rounding: 21.337 * 100)  // 2134
        let none = Int8(rounding: 127.5)  // nil
        #expect(raw == 2134)
        #expect(none == nil)
    }

    @Test func `a tuple is read as it was written`() throws {
        let bytes = SerDe.serialize(UInt8(0x10), Int16(-2))  // 10feff
        let (flags, level) = try SerDe.deserialize(bytes, as: Flags.self, Int16.self)
        #expect(bytes == [0x10, 0xfe, 0xff])
        #expect(flags == .hasIntervals)
        #expect(level == -2)
    }

    @Test func `a packed array is a collection`() throws {
        let intervals: PackedArray<UInt16> = try SerDe.deserialize([0x00, 0x04, 0xf2, 0x03] as Bytes)
        let seconds = intervals.map { Double($0) / 1024 }  // [1.0, 0.986328125]
        #expect(seconds == [1.0, 0.986328125])
    }

    @Test func `texts of three forms are read as they were written`() throws {
        let bytes = try Bytes(capacity: 24) { (output: inout OutputRawSpan) throws(SerDeError) in
            try output.write("Kitchen", countedBy: UInt8.self)
            try output.write(terminated: "Oven")
            try output.write("On", paddedTo: 8)
        }
        let (room, device, state) = try bytes.withBytes { span throws(SerDeError) -> (String, String, String) in
            var reader = ByteReader(span)
            return (
                try reader.readString(countedBy: UInt8.self), try reader.readTerminatedString(),
                try reader.readPaddedString(byteCount: 8)
            )
        }
        #expect(room == "Kitchen")
        #expect(device == "Oven")
        #expect(state == "On")
    }

    @Test func `a date that is none is no value`() {
        let time = DateTime("2024-02-29T12:30:00")
        let year = time?.year  // 2024
        let none = DateTime("2023-02-29T12:30:00")  // nil
        #expect(year == 2024)
        #expect(none == nil)
    }
}
