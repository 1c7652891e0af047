// SPDX-License-Identifier: MIT

/// Names one advertisement of a manager; never used for another.
public struct AdvertisementID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The number, given out by the manager.
    public let rawValue: UInt32

    /// A name from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The number after a `@`.
    public var description: String { "@\(rawValue)" }
}
