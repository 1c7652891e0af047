// SPDX-License-Identifier: MIT

extension MedicalFloat {
    /// The number with as many decimals as its exponent says (`36.40` is 3640 × 10^−2), with an exponent where that is
    /// above 0 or below −8 (`2000e1`), or one of `NaN`, `NRes`, `+INF`, `-INF` and `Reserved`.
    ///
    /// Read back it gives the same bits.
    public var description: String {
        guard isFinite else {
            return switch self {
            case Self.nan: "NaN"
            case Self.notAtThisResolution: "NRes"
            case Self.positiveInfinity: "+INF"
            case Self.negativeInfinity: "-INF"
            default: "Reserved"
            }
        }
        if exponent == 0 { return "\(mantissa)" }
        if exponent > 0 || exponent < -8 { return "\(mantissa)e\(exponent)" }
        let digits = String(mantissa.magnitude)
        let padded = String(repeating: "0", count: Swift.max(0, 1 - exponent - digits.count)) + digits
        return (mantissa < 0 ? "-" : "") + padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
    }

    /// Creates the value for a text: a decimal number, with or without an exponent, or one of the names that
    /// ``description`` has for special values.
    ///
    /// The digits are kept as they are written where they fit; otherwise the nearest number is taken. Nil for any other
    /// text, and for numbers out of range.
    public init?(_ description: String) {
        switch description {
        case "NaN": self = .nan
        case "NRes": self = .notAtThisResolution
        case "+INF", "INF": self = .positiveInfinity
        case "-INF": self = .negativeInfinity
        case "Reserved": self = .reserved
        default:
            guard let decimal = Decimal(description) else { return nil }
            if let mantissa = decimal.mantissa.flatMap(Int.init(exactly:)),
                let exponent = decimal.exponent.flatMap(Int.init(exactly:)),
                let exact = Self(mantissa: mantissa, exponent: exponent)
            {
                self = exact
            } else if let number = Double(description) {
                self.init(rounding: number)
            } else {
                return nil
            }
        }
    }
}

/// The parts of a decimal number in text.
private struct Decimal {
    /// All digits as one number with the sign, or nil when they are too many.
    var mantissa: Int64? = 0
    /// The power of ten by which the digits are multiplied, or nil when it is far out of range.
    var exponent: Int64? = 0

    /// The parts of `[+-] digits [. digits] [e [+-] digits]`; nil when the text is anything else.
    init?(_ text: String) {
        var rest = Substring(text).utf8
        let isNegative = Self.sign(&rest)
        let whole = rest.prefix(while: Self.isDigit)
        guard !whole.isEmpty else { return nil }
        rest = rest.dropFirst(whole.count)
        var digits = Array(whole)
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: Self.isDigit)
            if fraction.isEmpty { return nil }
            rest = rest.dropFirst(fraction.count + 1)
            digits += fraction
            exponent = Int64(-fraction.count)
        }
        mantissa = Self.number(digits).map { isNegative ? -$0 : $0 }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            let isNegative = Self.sign(&rest)
            let power = rest.prefix(while: Self.isDigit)
            if power.isEmpty { return nil }
            rest = rest.dropFirst(power.count)
            exponent = Self.number(power).flatMap { power in exponent.map { isNegative ? $0 - power : $0 + power } }
        }
        guard rest.isEmpty else { return nil }
    }

    private static func isDigit(_ unit: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(unit) }

    private static func sign(_ rest: inout Substring.UTF8View) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") else { return false }
        rest = rest.dropFirst()
        return first == UInt8(ascii: "-")
    }

    /// The number that digits stand for, or nil above 10^12, which is more than any mantissa.
    private static func number(_ digits: some Sequence<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
            if number > 1_000_000_000_000 { return nil }
        }
        return number
    }
}
