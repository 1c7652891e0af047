// SPDX-License-Identifier: MIT

/// A date and a time of day to the second, seven bytes, in whatever time zone its characteristic says (GATT
/// Specification Supplement, Date Time).
///
/// Year, month and day may each be unknown. Days follow the Gregorian calendar: 29 February stands in leap years only,
/// and where the year is unknown.
@frozen
public struct DateTime: Deserializable, Hashable {
    @usableFromInline let rawYear: UInt16
    @usableFromInline let rawMonth: UInt8
    @usableFromInline let rawDay: UInt8

    /// The hour, 0 through 23.
    public let hours: UInt8
    /// The minute, 0 through 59.
    public let minutes: UInt8
    /// The second, 0 through 59.
    public let seconds: UInt8

    /// The year, 1582 through 9999, or nil when it is unknown.
    @inlinable public var year: UInt16? { rawYear == 0 ? nil : rawYear }
    /// The month, 1 through 12, or nil when it is unknown.
    @inlinable public var month: UInt8? { rawMonth == 0 ? nil : rawMonth }
    /// The day of the month, 1 through 31, or nil when it is unknown.
    @inlinable public var day: UInt8? { rawDay == 0 ? nil : rawDay }

    /// Midnight of an unknown day: seven zeros.
    @inlinable
    public init() {
        (rawYear, rawMonth, rawDay) = (0, 0, 0)
        (hours, minutes, seconds) = (0, 0, 0)
    }

    /// Creates a date and a time of day.
    ///
    /// - Parameters:
    ///   - year: The year, 1582 to 9999; nil if it is unknown.
    ///   - month: The month, 1 to 12; nil if it is unknown.
    ///   - day: The day of the month, from 1; nil if it is unknown.
    ///   - hours: The hours, 0 to 23.
    ///   - minutes: The minutes, 0 to 59.
    ///   - seconds: The seconds, 0 to 59.
    /// - Throws: ``SerDeError/invalidValue(offset:)`` when a part is out of range, or the month has no such day, with
    ///   the place of the part among the seven bytes.
    public init(
        year: UInt16?, month: UInt8?, day: UInt8?, hours: UInt8, minutes: UInt8, seconds: UInt8
    ) throws(SerDeError) {
        if year == 0 { throw .invalidValue(offset: 0) }
        if month == 0 { throw .invalidValue(offset: 2) }
        if day == 0 { throw .invalidValue(offset: 3) }
        try self.init(
            rawYear: year ?? 0, rawMonth: month ?? 0, rawDay: day ?? 0, hours: hours, minutes: minutes,
            seconds: seconds, start: 0)
    }

    @inlinable
    init(
        rawYear: UInt16, rawMonth: UInt8, rawDay: UInt8, hours: UInt8, minutes: UInt8, seconds: UInt8, start: Int
    ) throws(SerDeError) {
        guard rawYear == 0 || (1582...9999).contains(rawYear) else { throw .invalidValue(offset: start) }
        guard rawMonth <= 12 else { throw .invalidValue(offset: start + 2) }
        guard rawDay <= Self.dayCount(year: rawYear, month: rawMonth) else { throw .invalidValue(offset: start + 3) }
        guard hours < 24 else { throw .invalidValue(offset: start + 4) }
        guard minutes < 60 else { throw .invalidValue(offset: start + 5) }
        guard seconds < 60 else { throw .invalidValue(offset: start + 6) }
        self.rawYear = rawYear
        self.rawMonth = rawMonth
        self.rawDay = rawDay
        self.hours = hours
        self.minutes = minutes
        self.seconds = seconds
    }

    /// The most days that a month can have; 0 stands for an unknown year or month.
    @inlinable
    static func dayCount(year: UInt16, month: UInt8) -> UInt8 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 != 0 || year % 100 == 0 && year % 400 != 0 ? 28 : 29
        default: 31
        }
    }

    @inlinable public static var size: Int { 7 }

    /// Reads the year, little-endian, and a byte each for month, day, hours, minutes and seconds.
    ///
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)``; ``SerDeError/invalidValue(offset:)`` with the
    ///   offset of the part that is out of range.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let start = reader.offset
        guard reader.remaining >= Self.size else {
            throw .truncated(needed: Self.size, available: reader.remaining, offset: start)
        }
        try self.init(
            rawYear: try reader.read(), rawMonth: try reader.read(), rawDay: try reader.read(),
            hours: try reader.read(), minutes: try reader.read(), seconds: try reader.read(), start: start)
    }

    @inlinable
    public func encode(into output: inout OutputRawSpan) {
        output.write(rawYear)
        output.write(rawMonth)
        output.write(rawDay)
        output.write(hours)
        output.write(minutes)
        output.write(seconds)
    }
}

extension DateTime: LosslessStringConvertible {
    /// The form of ISO 8601 without a time zone, `2024-02-29T12:30:00`, with X in the place of each digit that is not
    /// known, `XXXX-02-29T12:30:00`; "unknown" for midnight of an unknown day.
    public var description: String {
        if self == Self() { return "unknown" }
        return "\(date)T\(Self.digits(hours, 2)):\(Self.digits(minutes, 2)):\(Self.digits(seconds, 2))"
    }

    /// The form of ISO 8601 for the day alone, `2024-02-29` or `2024-02-XX`.
    package var date: String {
        [(UInt16(rawYear), 4), (UInt16(rawMonth), 2), (UInt16(rawDay), 2)].map { number, count in
            number == 0 ? String(repeating: "X", count: count) : Self.digits(number, count)
        }.joined(separator: "-")
    }

    private static func digits(_ number: some BinaryInteger, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    /// Creates the value for a text in the form of ``description``, with a space allowed for the `T`, and zeros for
    /// what is not known; nil for any other text.
    public init?(_ description: String) {
        if description == "unknown" {
            self.init()
            return
        }
        let pattern = Array("0000-00-00T00:00:00".utf8)
        let text = Array(description.utf8)
        guard text.count == pattern.count else { return nil }
        var numbers: [UInt16] = [0]
        var unknownDigits = [0, 0, 0]
        for (unit, expected) in zip(text, pattern) {
            if expected == UInt8(ascii: "0") {
                // Of a day only: X is no digit of a time.
                if unit == UInt8(ascii: "X"), numbers.count <= 3 {
                    unknownDigits[numbers.count - 1] += 1
                    continue
                }
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(unit) else { return nil }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + UInt16(unit - UInt8(ascii: "0"))
            } else {
                guard unit == expected || expected == UInt8(ascii: "T") && unit == UInt8(ascii: " ") else { return nil }
                numbers.append(0)
            }
        }
        // All digits of a part are known, or none is.
        guard zip(unknownDigits, [4, 2, 2]).allSatisfy({ $0 == 0 || $0 == $1 }) else { return nil }
        do throws(SerDeError) {
            try self.init(
                rawYear: numbers[0], rawMonth: UInt8(numbers[1]), rawDay: UInt8(numbers[2]), hours: UInt8(numbers[3]),
                minutes: UInt8(numbers[4]), seconds: UInt8(numbers[5]), start: 0)
        } catch {
            return nil
        }
    }
}
