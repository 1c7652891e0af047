// SPDX-License-Identifier: MIT

/// Names one request to a backend; never used twice by one manager.
public struct RequestID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The number, counted from 1 by the manager.
    public let rawValue: UInt64

    /// A name from its number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The number after a `#`.
    public var description: String { "#\(rawValue)" }
}
