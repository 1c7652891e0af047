// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A day of the Gregorian calendar, four bytes: the first four of a `DateTime`, with the same limits.
///
/// Year, month and day may each be unknown.
public struct CalendarDate: ByteCodable, Hashable, LosslessStringConvertible {
    private let midnight: DateTime

    /// The year, 1582 through 9999, or nil when it is unknown.
    public var year: UInt16? { midnight.year }
    /// The month, 1 through 12, or nil when it is unknown.
    public var month: UInt8? { midnight.month }
    /// The day of the month, 1 through 31, or nil when it is unknown.
    public var day: UInt8? { midnight.day }

    /// Creates a day.
    ///
    /// - Parameters:
    ///   - year: The year, 1582 to 9999; nil if it is unknown.
    ///   - month: The month, 1 to 12; nil if it is unknown.
    ///   - day: The day of the month, from 1; nil if it is unknown.
    /// - Throws: `SerDeError.invalidValue(offset:)` when a part is out of range, with its place among the four bytes.
    public init(year: UInt16?, month: UInt8?, day: UInt8?) throws(SerDeError) {
        midnight = try DateTime(year: year, month: month, day: day, hours: 0, minutes: 0, seconds: 0)
    }

    /// Reads the year, little-endian, and a byte each for month and day; 0 means unknown.
    ///
    /// - Throws: `SerDeError.truncated(needed:available:offset:)`; `SerDeError.invalidValue(offset:)` with the
    ///   offset of the date when a part is out of range.
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let start = reader.offset
        let year = try reader.read(UInt16.self)
        let month = try reader.read(UInt8.self)
        let day = try reader.read(UInt8.self)
        do throws(SerDeError) {
            try self.init(
                year: year == 0 ? nil : year, month: month == 0 ? nil : month, day: day == 0 ? nil : day)
        } catch {
            throw .invalidValue(offset: start)
        }
    }

    public var encodedByteCount: Int { 4 }

    public func encode(into output: inout OutputRawSpan) { output.write(fields: year ?? 0, month ?? 0, day ?? 0) }

    /// The form of ISO 8601, `2024-02-29`, with X in the place of each digit that is not known, `2024-XX-XX`; "unknown"
    /// for a day of which nothing is known.
    public var description: String { midnight == DateTime() ? UnknownText.text : midnight.date }

    /// Creates the day for a text in the form of ``description``, and with zeros for what is not known; nil for any
    /// other text.
    public init?(_ description: String) {
        if description == UnknownText.text {
            midnight = DateTime()
            return
        }
        guard description.utf8.count == 10, let midnight = DateTime(description + "T00:00:00") else { return nil }
        self.midnight = midnight
    }
}
