// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// A value in the frames of a format, and how it follows from their bytes.
///
/// The integer at the place is first reduced: what is left by the modulus is divided, without a remainder, and
/// multiplied, and the other integer is added. Then it gets its sign, and is scaled.
struct SensorField: Sendable, Hashable {
    let kind: SensorKind
    let unit: String
    /// The number of the value among those of its kind; nil for the next one.
    let ordinal: Int?
    let place: SensorPlace
    var modulus: Int64?
    var divisor: Int64 = 1
    var factor: Int64 = 1
    var addend: SensorPlace?
    /// The frames in which the value is below zero, where its sign is apart from the integer.
    var negative: SensorPattern?
    /// The integers that say that the value is not known.
    var unknown: [Int64] = []
    var scale = SensorScale()
    /// The values that are possible; others are not known.
    var range: ClosedRange<Double>?
    /// The frames that have the value; nil for all.
    var condition: SensorPattern?
    /// The frames that say that the value is not known.
    var fault: SensorPattern?

    /// The last byte that is read of a frame, and one more.
    var end: Int {
        [place.end, addend?.end, negative?.end, condition?.end, fault?.end].compactMap(\.self).max() ?? 0
    }

    /// Whether a frame has the value, known or not.
    func isPresent(in frame: Bytes) -> Bool { condition?.fits(frame) ?? true }

    /// The value in a frame; nil where it is not known.
    func number(in frame: Bytes) -> Double? {
        guard fault?.fits(frame) != true, var integer = place.integer(in: frame) else { return nil }
        if let modulus { integer %= modulus }
        integer = integer / divisor * factor
        if let addend {
            guard let low = addend.integer(in: frame) else { return nil }
            integer += low
        }
        if unknown.contains(integer) { return nil }
        if kind.states != nil { return integer == 0 ? 0 : 1 }
        if negative?.fits(frame) == true { integer = -integer }
        guard let number = scale.number(integer), range?.contains(number) ?? true else { return nil }
        return number
    }
}

/// How an integer becomes a number: by a factor and an offset, which are decimal fractions, by a power, or by a list.
struct SensorScale: Sendable, Hashable {
    /// The factor and the offset times the divisor, which is a power of ten: a single division rounds as people expect.
    var factor = 1.0
    var offset = 0.0
    var divisor = 1.0
    /// The integer is the exponent of this number; the result is rounded to hundredths.
    var base: Double?
    /// The integer is an index.
    var list: [Double]?

    /// The greatest exponent of a power.
    static let greatestExponent = 255

    /// The number of an integer; nil where a list has none.
    func number(_ integer: Int64) -> Double? {
        if let list { return Int(exactly: integer).flatMap { list.indices.contains($0) ? list[$0] : nil } }
        guard let base else { return (Double(integer) * factor + offset) / divisor }
        // The steps of a power are no decimal fractions.
        return (100 * (Self.power(base, integer) * factor + offset) / divisor).rounded() / 100
    }

    static func power(_ base: Double, _ exponent: Int64) -> Double {
        var (result, square, rest) = (1.0, base, max(exponent, 0))
        while rest > 0 {
            if rest & 1 == 1 { result *= square }
            square *= square
            rest >>= 1
        }
        return result
    }
}
