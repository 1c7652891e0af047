// SPDX-License-Identifier: MIT

/// Names one question of the platform's while pairing; never used twice by one backend.
public struct PairingPromptID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The number, given out by the backend.
    public let rawValue: UInt64

    /// A name from its number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The number after a `?`.
    public var description: String { "?\(rawValue)" }
}
