// SPDX-License-Identifier: MIT

/// Names one access of a central to an attribute; never used twice by one backend.
public struct AccessID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The number, given out by the backend.
    public let rawValue: UInt64

    /// A name from its number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The number after a `$`.
    public var description: String { "$\(rawValue)" }
}
