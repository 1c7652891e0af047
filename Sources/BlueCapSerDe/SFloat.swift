// SPDX-License-Identifier: MIT

/// The short decimal number of medical devices in 16 bits, `SFLOAT` or `medfloat16`: an exponent of 4 bits, −8 through
/// 7, above a mantissa of 12 bits (IEEE 11073-20601, SFLOAT-Type; GATT Specification Supplement, Data types).
///
/// Three digits are always kept, four up to 2045. See ``MedicalFloat`` for its operations.
@frozen
public struct SFloat: MedicalFloat {
    /// The exponent in the highest 4 bits and the mantissa in the lowest 12.
    public let bitPattern: UInt16

    /// Creates the value with these bits; each pattern is one.
    @inlinable
    public init(bitPattern: UInt16) { self.bitPattern = bitPattern }

    /// The exponent has 4 bits.
    @inlinable public static var exponentBitCount: Int { 4 }
}
