// SPDX-License-Identifier: MIT

/// A moment of wall-clock time, as the manager's clock gave it.
///
/// With `import BlueCap`, `Date(timestamp)` makes Foundation's `Date` of it, to about a tenth of a microsecond.
public struct Timestamp: Sendable, Hashable, Comparable, Codable {
    /// The time since 1970-01-01 00:00:00 UTC.
    public let sinceEpoch: Duration

    /// Creates a moment from the time since 1970-01-01 00:00:00 UTC.
    public init(sinceEpoch: Duration) { self.sinceEpoch = sinceEpoch }

    /// Returns whether the left moment is earlier than the right one.
    public static func < (left: Self, right: Self) -> Bool { left.sinceEpoch < right.sinceEpoch }

    /// Returns the time from one moment to a later one, which is negative if it is earlier.
    ///
    /// - Parameters:
    ///   - left: The later moment.
    ///   - right: The earlier moment.
    public static func - (left: Self, right: Self) -> Duration { left.sinceEpoch - right.sinceEpoch }
}

extension Timestamp: CustomStringConvertible {
    /// The moment in UTC in the form of ISO 8601, to the millisecond: `2026-11-24T12:50:00.000Z`.
    public var description: String {
        var (seconds, attoseconds) = sinceEpoch.components
        if attoseconds < 0 {
            seconds -= 1
            attoseconds += 1_000_000_000_000_000_000
        }
        let (days, rest) = Self.division(of: seconds, by: 86_400)
        let (year, month, day) = Self.date(ofDay: days)
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map { Self.digits($0, 2) }.joined(separator: ":")
        let date = [Self.digits(year, 4), Self.digits(month, 2), Self.digits(day, 2)].joined(separator: "-")
        return "\(date)T\(time).\(Self.digits(attoseconds / 1_000_000_000_000_000, 3))Z"
    }

    /// Year, month and day of the Gregorian calendar, of a day counted from 1970-01-01.
    ///
    /// Years begin in March here, so that the leap day is the last one, and the lengths of months form a pattern.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let daysOf400Years: Int64 = 146_097
        // 719,468 days lie between 0000-03-01 and 1970-01-01.
        let (era, dayOfEra) = division(of: day + 719_468, by: daysOf400Years)
        let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthSinceMarch = (5 * dayOfYear + 2) / 153
        let month = monthSinceMarch < 10 ? monthSinceMarch + 3 : monthSinceMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthSinceMarch + 2) / 5 + 1)
    }

    /// The quotient rounded down, and the rest, for a dividend of either sign.
    private static func division(of dividend: Int64, by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number.magnitude)
        let padded = String(repeating: "0", count: max(count - text.count, 0)) + text
        return number < 0 ? "-" + padded : padded
    }
}
