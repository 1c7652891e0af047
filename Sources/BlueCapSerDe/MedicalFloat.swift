// SPDX-License-Identifier: MIT

/// A decimal number of medical devices, mantissa × 10^exponent (IEEE 11073-20601, "FLOAT-Type" and "SFLOAT-Type"; GATT
/// Specification Supplement, `medfloat16` and `medfloat32`).
///
/// The exponent stands in the highest bits and the mantissa in the lowest, both in two's complement. With exponent 0
/// the five outermost mantissas are no numbers but ``nan``, ``notAtThisResolution``, ``positiveInfinity``,
/// ``negativeInfinity`` and ``reserved``.
///
/// The bit pattern is kept as it came, since it says more than the number: 36.40 has a resolution that 36.4 has not.
/// Values are equal when their bits are; compare ``doubleValue`` where 36.40 and 36.4 shall be the same.
public protocol MedicalFloat: Deserializable, Hashable, LosslessStringConvertible {
    /// An unsigned integer of the same size.
    associatedtype BitPattern: FixedWidthInteger & UnsignedInteger & Deserializable

    /// The number of bits of the exponent, which are the highest.
    static var exponentBitCount: Int { get }

    /// Exponent and mantissa in their places.
    var bitPattern: BitPattern { get }

    /// Creates the value with these bits; each pattern is one.
    init(bitPattern: BitPattern)
}

// MARK: - Parts

extension MedicalFloat {
    /// The number of bits of the mantissa, which are the lowest.
    @inlinable public static var mantissaBitCount: Int { BitPattern.bitWidth - exponentBitCount }

    /// The exponents that a value can have.
    @inlinable public static var exponentRange: ClosedRange<Int> {
        -1 << (exponentBitCount - 1)...(1 << (exponentBitCount - 1)) - 1
    }

    /// The greatest mantissa of a number at every exponent, and with a minus sign the smallest: 2^(bits − 1) − 3.
    @inlinable public static var greatestMantissa: Int { (1 << (mantissaBitCount - 1)) - 3 }

    /// The power of ten.
    @inlinable public var exponent: Int {
        let highest = Int32(truncatingIfNeeded: bitPattern) << Int32(32 - BitPattern.bitWidth)
        return Int(highest >> Int32(32 - Self.exponentBitCount))
    }

    /// The number before it is multiplied by the power of ten; of a special value, the bits that mark it.
    @inlinable public var mantissa: Int {
        let unused = Int32(32 - Self.mantissaBitCount)
        return Int((Int32(truncatingIfNeeded: bitPattern) << unused) >> unused)
    }

    /// Creates the number mantissa × 10^exponent with exactly these parts, or returns nil when one is out of range or
    /// when the two together mark a special value.
    ///
    /// - Parameters:
    ///   - mantissa: The mantissa.
    ///   - exponent: The exponent, to the base 10.
    @inlinable
    public init?(mantissa: Int, exponent: Int) {
        let limit = 1 << (Self.mantissaBitCount - 1)
        guard mantissa >= -limit, mantissa < limit, Self.exponentRange.contains(exponent) else { return nil }
        self.init(uncheckedMantissa: mantissa, exponent: exponent)
        guard isFinite else { return nil }
    }

    @inlinable
    init(uncheckedMantissa mantissa: Int, exponent: Int) {
        let low = BitPattern(truncatingIfNeeded: mantissa) & ((1 << BitPattern(Self.mantissaBitCount)) - 1)
        self.init(
            bitPattern: BitPattern(truncatingIfNeeded: exponent) << BitPattern(Self.mantissaBitCount) | low)
    }
}

// MARK: - Special values

extension MedicalFloat {
    @inlinable static var limit: BitPattern { 1 << BitPattern(mantissaBitCount - 1) }

    /// Not a number: an invalid result, or none was measured (0x07FF, 0x007FFFFF).
    @inlinable public static var nan: Self { Self(bitPattern: limit - 1) }

    /// NRes: not a number at this resolution (0x0800, 0x00800000).
    @inlinable public static var notAtThisResolution: Self { Self(bitPattern: limit) }

    /// +INFINITY: more than can be expressed (0x07FE, 0x007FFFFE).
    @inlinable public static var positiveInfinity: Self { Self(bitPattern: limit - 2) }

    /// −INFINITY: less than can be expressed (0x0802, 0x00800002).
    @inlinable public static var negativeInfinity: Self { Self(bitPattern: limit + 2) }

    /// Reserved for future use (0x0801, 0x00800001).
    @inlinable public static var reserved: Self { Self(bitPattern: limit + 1) }

    /// Whether this is a number, and not a special value.
    @inlinable public var isFinite: Bool {
        bitPattern < Self.limit - 2 || bitPattern > Self.limit + 2
    }

    /// A Boolean value that is true if this is ``nan``. Compare with the other special values to recognise them.
    @inlinable public var isNaN: Bool { self == Self.nan }
}

// MARK: - Double

extension MedicalFloat {
    /// The nearest `Double`: infinite for the infinities, NaN for the other special values.
    @inlinable
    public var doubleValue: Double {
        guard isFinite else {
            return self == Self.positiveInfinity ? .infinity : self == Self.negativeInfinity ? -.infinity : .nan
        }
        // The mantissa and 10^22 are exact, so that one multiplication or division rounds only once.
        return switch exponent {
        case 0...22: Double(mantissa) * powerOfTen(exponent)
        case -22..<0: Double(mantissa) / powerOfTen(-exponent)
        default: Double("\(mantissa)e\(exponent)") ?? .nan
        }
    }

    /// Creates the nearest value: the infinities take values out of range, and ``nan`` takes NaN. See
    /// ``init(rounding:)``.
    @inlinable
    public init(_ value: Double) {
        if let number = Self(rounding: value) {
            self = number
        } else {
            self = value.isNaN ? .nan : value < 0 ? .negativeInfinity : .positiveInfinity
        }
    }

    /// Creates the nearest number, at the exponent that loses least; nil for NaN, the infinities and values out of
    /// range.
    ///
    /// Among the exponents that lose equally little it is the one nearest to 0: 36.4 becomes 364 × 10^−1 and 100
    /// becomes 100 × 10^0. A value nearer to 0 than to the smallest number becomes 0. For a resolution of your own see
    /// ``init(rounding:exponent:)``.
    @inlinable
    public init?(rounding value: Double) {
        guard value.isFinite else { return nil }
        guard value != 0 else {
            self.init(bitPattern: 0)
            return
        }
        // Start below the right exponent (log10 2 = 0.30103) and go up until the mantissa fits: three steps at most.
        let digits = Self.mantissaBitCount * 3 / 10
        // WIDTH: an exponent of a Double has 11 bits.
        let estimate = Int((Double(value.exponent) * 0.30103).rounded(.down)) - digits - 1
        var exponent = Swift.max(estimate, Self.exponentRange.lowerBound)
        while exponent <= Self.exponentRange.upperBound {
            if var mantissa = Self.mantissa(of: value, exponent: exponent) {
                if mantissa == 0 { exponent = 0 }
                while exponent < 0 && mantissa % 10 == 0 {
                    mantissa /= 10
                    exponent += 1
                }
                self.init(uncheckedMantissa: mantissa, exponent: exponent)
                return
            }
            exponent += 1
        }
        return nil
    }

    /// Creates the nearest number at a given exponent, or returns nil for NaN, the infinities, and when the number or
    /// the exponent is out of range.
    ///
    /// - Parameters:
    ///   - value: The number to round.
    ///   - exponent: The exponent, which is the resolution: −2 keeps two decimals, so that 36.4 becomes 3640 × 10^−2.
    @inlinable
    public init?(rounding value: Double, exponent: Int) {
        guard value.isFinite, Self.exponentRange.contains(exponent),
            let mantissa = Self.mantissa(of: value, exponent: exponent)
        else { return nil }
        self.init(uncheckedMantissa: mantissa, exponent: exponent)
    }

    /// The nearest mantissa at an exponent, ties away from zero, or nil when it is out of range.
    @inlinable
    static func mantissa(of value: Double, exponent: Int) -> Int? {
        var scaled = value
        var power = -exponent
        while power != 0 {
            let step = Swift.min(Swift.max(power, -22), 22)
            scaled = step < 0 ? scaled / powerOfTen(-step) : scaled * powerOfTen(step)
            power -= step
        }
        guard abs(scaled.rounded()) <= Double(greatestMantissa) else { return nil }
        // WIDTH: at most the greatest mantissa, which has 24 bits.
        return Int(scaled.rounded())
    }
}

/// 10^power for 0 through 22, the powers that a `Double` holds exactly.
@inlinable
func powerOfTen(_ power: Int) -> Double {
    switch power {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1e3
    case 4: 1e4
    case 5: 1e5
    case 6: 1e6
    case 7: 1e7
    case 8: 1e8
    case 9: 1e9
    case 10: 1e10
    case 11: 1e11
    case 12: 1e12
    case 13: 1e13
    case 14: 1e14
    case 15: 1e15
    case 16: 1e16
    case 17: 1e17
    case 18: 1e18
    case 19: 1e19
    case 20: 1e20
    case 21: 1e21
    case 22: 1e22
    default: .nan
    }
}

// MARK: - Bytes

extension MedicalFloat {
    /// Every pattern of bits is a value.
    @inlinable public static var acceptsEveryPattern: Bool { true }

    /// Reads the bit pattern, little-endian; every one is a value.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        self.init(bitPattern: try BitPattern(from: &reader))
    }

    /// Appends the bit pattern, little-endian.
    @inlinable
    public func encode(into output: inout OutputRawSpan) { bitPattern.encode(into: &output) }
}

/// The decimal number of medical devices in 32 bits, `FLOAT` or `medfloat32`: an exponent of 8 bits, −128 through 127,
/// above a mantissa of 24 bits (IEEE 11073-20601, FLOAT-Type; GATT Specification Supplement, Data types).
///
/// Six digits are always kept, seven up to 8,388,605. See ``MedicalFloat`` for its operations.
@frozen
public struct MedFloat: MedicalFloat {
    /// The exponent in the highest 8 bits and the mantissa in the lowest 24.
    public let bitPattern: UInt32

    @inlinable
    public init(bitPattern: UInt32) { self.bitPattern = bitPattern }

    @inlinable public static var exponentBitCount: Int { 8 }
}

/// The short decimal number of medical devices in 16 bits, `SFLOAT` or `medfloat16`: an exponent of 4 bits, −8 through
/// 7, above a mantissa of 12 bits (IEEE 11073-20601, SFLOAT-Type; GATT Specification Supplement, Data types).
///
/// Three digits are always kept, four up to 2045. See ``MedicalFloat`` for its operations.
@frozen
public struct SFloat: MedicalFloat {
    /// The exponent in the highest 4 bits and the mantissa in the lowest 12.
    public let bitPattern: UInt16

    @inlinable
    public init(bitPattern: UInt16) { self.bitPattern = bitPattern }

    @inlinable public static var exponentBitCount: Int { 4 }
}
