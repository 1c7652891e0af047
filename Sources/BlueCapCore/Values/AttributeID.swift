// SPDX-License-Identifier: MIT

/// The identifier of an attribute in a connected peripheral's GATT database, or in this program's own.
///
/// It is the attribute handle if the backend knows the handle (the virtual radio, BlueZ's object paths), and otherwise
/// a number that the backend assigns. It stays the same as long as the peripheral's database stays the same, even over
/// reconnections, so it distinguishes attributes that share a UUID.
///
/// A backend assigns numbers that ascend in the order of the database: a service before its characteristics, a
/// characteristic before its descriptors, and each before the next of its kind. If the platform does not show that
/// order, the numbers follow the order in which the platform reports the attributes. For services of this program the
/// manager assigns the numbers, in the order in which services are added.
public struct AttributeID: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The handle, or the number that the backend assigned.
    public let rawValue: UInt32

    /// Creates an identifier from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates an identifier from an attribute handle.
    public init(handle: UInt16) { self.init(rawValue: UInt32(handle)) }

    /// The number in hexadecimal.
    public var description: String { "0x" + String(rawValue, radix: 16) }

    /// Returns a Boolean value that is true if the left number is less than the right.
    ///
    /// This is the order of the database.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
