// SPDX-License-Identifier: MIT

/// The decimal number of medical devices in 32 bits, `FLOAT` or `medfloat32`: an exponent of 8 bits, −128 through 127,
/// above a mantissa of 24 bits (IEEE 11073-20601, FLOAT-Type; GATT Specification Supplement, Data types).
///
/// Six digits are always kept, seven up to 8,388,605. See ``MedicalFloat`` for its operations.
@frozen
public struct MedFloat: MedicalFloat {
    /// The exponent in the highest 8 bits and the mantissa in the lowest 24.
    public let bitPattern: UInt32

    /// Creates the value with these bits; each pattern is one.
    @inlinable
    public init(bitPattern: UInt32) { self.bitPattern = bitPattern }

    /// The exponent has 8 bits.
    @inlinable public static var exponentBitCount: Int { 8 }
}
