// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// A value in the frames of a format, and how it follows from their bytes.
///
/// The integer at the place is first reduced: what is left by the modulus is divided, without a remainder, and
/// multiplied, and the other integer is added. Then it gets its sign, and is scaled.
///
/// It is a class, as a frame is read without a copy of it, which would count the references to all of its parts.
final class SensorField: Sendable {
    /// The parts of a field.
    struct Parts: Sendable, Hashable {
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
    }

    let parts: Parts
    private let isState: Bool
    /// Whether some frames do not have the value.
    let isConditional: Bool
    /// The bounds of the possible values, infinite where there are none.
    private let (least, greatest): (Double, Double)
    /// Whether the number follows from the integer by a factor and an offset alone, as that of most fields does.
    private let isLinear: Bool

    init(_ parts: Parts) {
        self.parts = parts
        (isState, isConditional) = (parts.kind.states != nil, parts.condition != nil)
        least = parts.range?.lowerBound ?? -.infinity
        greatest = parts.range?.upperBound ?? .infinity
        isLinear =
            !isState && parts.unknown.isEmpty && (parts.fault ?? parts.negative) == nil && parts.addend == nil
            && (parts.modulus ?? 1, parts.divisor, parts.factor) == (1, 1, 1)
            && parts.scale.base == nil && parts.scale.list == nil
    }

    /// Whether a frame has the value, known or not.
    func isPresent(in frame: Bytes) -> Bool { !isConditional || parts.condition?.fits(frame) ?? true }

    /// Whether a frame may have values of both, which are of one kind.
    func mayAccompany(_ other: SensorField) -> Bool {
        guard parts.kind === other.parts.kind else { return false }
        guard let own = parts.condition, let its = other.parts.condition else { return true }
        return own.overlaps(its)
    }

    /// The value in a frame; nil where it is not known.
    func number(in frame: Bytes) -> Double? {
        if isLinear {
            guard let integer = parts.place.integer(in: frame) else { return nil }
            let number = (Double(integer) * parts.scale.factor + parts.scale.offset) / parts.scale.divisor
            return number >= least && number <= greatest ? number : nil
        }
        guard parts.fault?.fits(frame) != true, var integer = parts.place.integer(in: frame) else { return nil }
        if let modulus = parts.modulus { integer %= modulus }
        integer = integer / parts.divisor * parts.factor
        if let addend = parts.addend {
            guard let low = addend.integer(in: frame) else { return nil }
            integer += low
        }
        if !parts.unknown.isEmpty, parts.unknown.contains(integer) { return nil }
        if isState { return integer == 0 ? 0 : 1 }
        if parts.negative?.fits(frame) == true { integer = -integer }
        guard let number = parts.scale.number(integer), number >= least, number <= greatest else { return nil }
        return number
    }
}

extension SensorField: Hashable {
    static func == (left: SensorField, right: SensorField) -> Bool { left.parts == right.parts }

    func hash(into hasher: inout Hasher) { hasher.combine(parts) }
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
