// SPDX-License-Identifier: MIT

/// Names one attribute of a connected peripheral's GATT database.
///
/// It is the attribute handle where the backend knows it (the virtual radio, BlueZ's object paths) and a number that the
/// backend gives out otherwise. It stays the same as long as the peripheral's database does, over reconnections too, so
/// attributes that share a UUID are kept apart by it.
public struct AttributeID: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The handle, or the number that the backend gave out.
    public let rawValue: UInt32

    /// An identifier from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// An identifier from an attribute handle.
    public init(handle: UInt16) { self.init(rawValue: UInt32(handle)) }

    /// The number in hexadecimal.
    public var description: String { "0x" + String(rawValue, radix: 16) }

    /// Orders by the number, which is the order of the database.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
