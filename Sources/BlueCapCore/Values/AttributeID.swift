// SPDX-License-Identifier: MIT

/// Identifies one attribute of a connected peripheral's GATT database, or of this program's own.
///
/// It is the attribute handle where the backend knows it (the virtual radio, BlueZ's object paths) and a number that
/// the backend gives out otherwise. It stays the same as long as the peripheral's database does, over reconnections
/// too, so it distinguishes attributes that share a UUID.
///
/// A backend gives out numbers that ascend in the order of the database: a service before its characteristics, a
/// characteristic before its descriptors, and each before the next of its kind. Where the platform does not show that
/// order, it is the order in which the platform reports the attributes. For services of this program the manager gives
/// the numbers out, in the order in which services are added.
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
