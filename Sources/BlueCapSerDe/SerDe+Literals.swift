// SPDX-License-Identifier: MIT

// A literal takes the first type that fits, which for serialization would be `Double`: these overloads keep it from
// that.
extension SerDe {
    /// Returns the bytes themselves: an array literal of numbers means bytes here.
    @inlinable
    public static func serialize(_ bytes: [UInt8]) -> Bytes { Bytes(bytes) }

    /// Not offered: `Int` has no size of its own on the air.
    @available(*, unavailable, message: "say how wide the integer is, such as UInt8(1) or Int16(-1)")
    public static func serialize(_ value: Int) -> Bytes { Bytes() }
}
