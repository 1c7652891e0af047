// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Foundation
import Testing

private func bytes(_ year: Int, _ rest: UInt8...) -> Bytes {
    Bytes([UInt8(truncatingIfNeeded: year), UInt8(year >> 8)] + rest)
}

@Suite("Date and time", .timeLimit(.minutes(60)))
struct DateTimeTests {
    @Test func `the year comes first, little-endian, and a byte for each other part follows`() throws {
        // 2024 = 7 × 256 + 232 = 0x07E8.
        let raw: Bytes = [0xe8, 0x07, 2, 29, 23, 59, 58]
        let value: DateTime = try SerDe.deserialize(raw)
        #expect(value.year == 2024)
        #expect(value.month == 2)
        #expect(value.day == 29)
        #expect(value.hours == 23)
        #expect(value.minutes == 59)
        #expect(value.seconds == 58)
        #expect(try value == DateTime(year: 2024, month: 2, day: 29, hours: 23, minutes: 59, seconds: 58))
        #expect(SerDe.serialize(value) == raw)
        #expect(value.description == "2024-02-29T23:59:58")
        #expect(DateTime("2024-02-29 23:59:58") == value)
    }

    @Test func `zeros are an unknown year, month and day`() throws {
        let value: DateTime = try SerDe.deserialize(Bytes(repeating: 0, count: 7))
        #expect(value.year == nil)
        #expect(value.month == nil)
        #expect(value.day == nil)
        #expect(try value == DateTime(year: nil, month: nil, day: nil, hours: 0, minutes: 0, seconds: 0))
        #expect(DateTime("0000-00-00T00:00:00") == value)
        #expect(value.description == "unknown" && DateTime("unknown") == value)
    }

    @Test(arguments: [
        (bytes(0, 0, 0, 12, 30, 0), "XXXX-XX-XXT12:30:00"), (bytes(2024, 0, 0, 0, 0, 0), "2024-XX-XXT00:00:00"),
        (bytes(0, 2, 29, 0, 0, 0), "XXXX-02-29T00:00:00"), (bytes(2024, 2, 0, 0, 0, 1), "2024-02-XXT00:00:01"),
        (bytes(2024, 0, 31, 0, 0, 0), "2024-XX-31T00:00:00"), (bytes(0, 0, 0, 0, 0, 1), "XXXX-XX-XXT00:00:01"),
    ])
    func `what is not known of a day has X in the place of its digits, in both directions`(raw: Bytes, text: String)
        throws
    {
        let value = try SerDe.deserialize(raw, as: DateTime.self)
        #expect(value.description == text)
        #expect(DateTime(text) == value)
        #expect(DateTime(text.replacing("X", with: "0")) == value)
    }

    @Test(arguments: [
        (bytes(1581, 1, 1, 0, 0, 0), 0), (bytes(10000, 1, 1, 0, 0, 0), 0), (bytes(2024, 13, 1, 0, 0, 0), 2),
        (bytes(2024, 1, 32, 0, 0, 0), 3), (bytes(2024, 4, 31, 0, 0, 0), 3), (bytes(2023, 2, 29, 0, 0, 0), 3),
        (bytes(1900, 2, 29, 0, 0, 0), 3), (bytes(0, 2, 30, 0, 0, 0), 3), (bytes(2024, 0, 32, 0, 0, 0), 3),
        (bytes(2024, 1, 1, 24, 0, 0), 4), (bytes(2024, 1, 1, 0, 60, 0), 5), (bytes(2024, 1, 1, 0, 0, 60), 6),
    ])
    func `a part out of range is refused with its own offset`(raw: Bytes, offset: Int) {
        #expect(throws: SerDeError.invalidValue(offset: offset)) { try SerDe.deserialize(raw, as: DateTime.self) }
    }

    @Test(arguments: [
        bytes(1582, 1, 1, 0, 0, 0), bytes(9999, 12, 31, 23, 59, 59), bytes(2000, 2, 29, 0, 0, 0),
        bytes(0, 2, 29, 0, 0, 0), bytes(2024, 0, 31, 0, 0, 0),
    ])
    func `the bounds and leap days are taken`(raw: Bytes) throws {
        #expect(SerDe.serialize(try SerDe.deserialize(raw, as: DateTime.self)) == raw)
    }

    @Test func `each day of 400 years that is taken is one of its month, and comes back from text`() throws {
        var days = 0
        for year in 1600..<2000 {
            for month in 1...12 {
                for day in 1...31 {
                    let raw = bytes(year, UInt8(month), UInt8(day), 1, 2, 3)
                    guard let value = try? SerDe.deserialize(raw, as: DateTime.self) else { continue }
                    days += 1
                    if day % 7 == 0 { try hold(DateTime(value.description) == value, value) }
                }
            }
        }
        // A cycle of the Gregorian calendar: 400 × 365 days, and 97 leap days.
        #expect(days == 146_097)
    }

    @Test func `values made in code are held to the same ranges; zero is no way to write unknown`() {
        #expect(throws: SerDeError.invalidValue(offset: 0)) {
            try DateTime(year: 0, month: 1, day: 1, hours: 0, minutes: 0, seconds: 0)
        }
        #expect(throws: SerDeError.invalidValue(offset: 2)) {
            try DateTime(year: 2024, month: 0, day: 1, hours: 0, minutes: 0, seconds: 0)
        }
        #expect(throws: SerDeError.invalidValue(offset: 3)) {
            try DateTime(year: 2024, month: 1, day: 0, hours: 0, minutes: 0, seconds: 0)
        }
        #expect(throws: SerDeError.invalidValue(offset: 6)) {
            try DateTime(year: 2024, month: 1, day: 1, hours: 0, minutes: 0, seconds: 60)
        }
    }

    @Test(arguments: [
        "", "2024-02-30T00:00:00", "2024-2-29T00:00:00", "2024-02-29", "2024-02-29T00:00:0a",
        "2024-02-29T00:00:00Z", "202X-02-29T00:00:00", "2024-0X-29T00:00:00", "2024-02-X9T00:00:00",
        "2024-02-29TXX:00:00", "2024-02-29T00:00:XX", "XXXX-02-30T00:00:00", "xxxx-02-29T00:00:00", "Unknown",
    ])
    func `text in any other form is refused`(text: String) {
        #expect(DateTime(text) == nil)
    }

    @Test func `Foundation's components have the parts that are known`() throws {
        let known = try DateTime(year: 2024, month: 2, day: 29, hours: 23, minutes: 59, seconds: 58).dateComponents
        #expect(known == DateComponents(year: 2024, month: 2, day: 29, hour: 23, minute: 59, second: 58))
        let unknown = try DateTime(year: nil, month: nil, day: nil, hours: 1, minutes: 2, seconds: 3).dateComponents
        #expect(unknown == DateComponents(hour: 1, minute: 2, second: 3))
    }
}
