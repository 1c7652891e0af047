// SPDX-License-Identifier: MIT

/// A moment of wall-clock time, as the manager's clock gave it.
public struct Timestamp: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// Time since 1970-01-01 00:00:00 UTC.
    public let sinceEpoch: Duration

    /// A moment from the time since 1970-01-01 00:00:00 UTC.
    public init(sinceEpoch: Duration) { self.sinceEpoch = sinceEpoch }

    /// The time since 1970 as text.
    public var description: String { "\(sinceEpoch) since 1970" }

    /// Orders by time.
    public static func < (left: Self, right: Self) -> Bool { left.sinceEpoch < right.sinceEpoch }

    /// How much later this moment is than another.
    public static func - (left: Self, right: Self) -> Duration { left.sinceEpoch - right.sinceEpoch }
}
