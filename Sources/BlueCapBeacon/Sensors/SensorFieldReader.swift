// SPDX-License-Identifier: MIT

import BlueCapJSON
import BlueCapSerDe

/// Reads the fields of a format, and finds their mistakes.
struct SensorFieldReader {
    static let placeKeys = ["at", "type", "bigEndian", "bits", "greatest"]
    private static let keys =
        placeKeys + [
            "kind", "state", "unit", "number", "modulo", "divide", "times", "plus", "negative", "unknown", "factor",
            "offset", "base", "values", "minimum", "maximum", "if", "unknownIf", "about",
        ]
    private static let maximumUnknown = 16
    /// No place has a greater integer.
    private static let greatestUnknown: UInt64 = 1 << 48
    private static let maximumValues = 256

    private let list: MistakeList
    /// How many bytes each frame has.
    private let byteCount: Int

    init(_ list: MistakeList, byteCount: Int) { (self.list, self.byteCount) = (list, byteCount) }

    /// A field; nil where it has a mistake.
    func field(_ value: PlacedJSON) -> SensorField? {
        let count = list.count
        guard let object = ConfigurationObject(value, called: "a field", keys: Self.keys, list) else { return nil }
        _ = object.text("about", isEmptyAllowed: true)
        guard let kind = kind(object), let place = place(object) else { return nil }
        var field = SensorField.Parts(
            kind: kind, unit: unit(object, kind), ordinal: object.whole("number", "a number of a value", in: 1...32),
            place: place)
        field.modulus = object.whole("modulo", "a number", in: 2...1_000_000_000).map(Int64.init)
        field.divisor = Int64(object.whole("divide", "a number", in: 1...1_000_000_000) ?? 1)
        field.factor = Int64(object.whole("times", "a number", in: 1...1000) ?? 1)
        field.addend = object.object("plus", keys: Self.placeKeys).flatMap(self.place)
        field.negative = pattern(object, "negative")
        field.unknown = unknown(object)
        field.condition = pattern(object, "if")
        field.fault = pattern(object, "unknownIf")
        if kind.states == nil {
            field.scale = scale(object, place, isAlone: field.addend == nil && field.factor == 1)
            field.range = range(object, unit: field.unit)
        } else {
            for key in ["factor", "offset", "base", "values", "minimum", "maximum", "negative"] where object.has(key) {
                object.refuse(key, "is for numbers: a state is 0 or another integer")
            }
        }
        return list.count == count ? SensorField(field) : nil
    }

    // MARK: The place

    /// An integer within each frame.
    func place(_ object: ConfigurationObject) -> SensorPlace? {
        guard let text = object.text("type"), let form = SensorPlace.Form(rawValue: text) else {
            let known = SensorPlace.Form.allCases.map(\.rawValue).joined(separator: ", ")
            object.refuse("type", "is one of \(known)")
            return nil
        }
        guard let offset = offset(object, byteCount: form.byteCount) else { return nil }
        var bits: ClosedRange<Int>?
        if let values = object.list("bits") {
            let numbers = values.map { $0.number.flatMap(Int.init(exactly:)) ?? -1 }
            guard (1...2).contains(numbers.count), let first = numbers.first, let last = numbers.last,
                (0...last).contains(first), last < 8 * form.byteCount
            else {
                object.refuse("bits", "is the number of one bit, or the first and the last of several, of \(text)")
                return nil
            }
            bits = first...last
        }
        var greatest = Int64.max
        if let number = object.number("greatest", "an integer", in: 0...0x1p48) {
            if let integer = Int64(exactly: number) {
                greatest = integer
            } else {
                object.refuse("greatest", "is a whole number, without a point")
            }
        }
        return SensorPlace(
            offset: offset, form: form, isBigEndian: object.truth("bigEndian") ?? false, bits: bits, greatest: greatest)
    }

    /// The first of some bytes that each frame has.
    func offset(_ object: ConfigurationObject, _ key: String = "at", byteCount count: Int) -> Int? {
        if !object.has(key) {
            object.refuse(key, "is missing")
            return nil
        }
        guard let offset = object.whole(key, "the number of a byte", in: 0...255) else { return nil }
        if offset + count <= byteCount { return offset }
        object.refuse(key, "leads to byte \(offset + count), and the shortest frame has \(byteCount)")
        return nil
    }

    private func pattern(_ object: ConfigurationObject, _ key: String) -> SensorPattern? {
        guard let condition = object.object(key, keys: ["at", "mask", "is"]) else { return nil }
        guard let bytes = Self.bytes(condition, "is"), let offset = offset(condition, byteCount: bytes.count) else {
            return nil
        }
        let mask = condition.has("mask") ? Self.bytes(condition, "mask") : nil
        if let mask, mask.count != bytes.count {
            condition.refuse("mask", "has another number of bytes than 'is'")
            return nil
        }
        return SensorPattern(offset: offset, bytes, mask: mask)
    }

    /// At least one byte in hexadecimal.
    static func bytes(_ object: ConfigurationObject, _ key: String) -> Bytes? {
        if let text = object.text(key), let bytes = try? Bytes(hex: text), !bytes.isEmpty { return bytes }
        object.refuse(key, "is not of pairs of hexadecimal digits")
        return nil
    }

    // MARK: The meaning

    private func kind(_ object: ConfigurationObject) -> SensorKind? {
        if object.has("kind") == object.has("state") {
            object.refuse("kind", "or 'state' has the name of the value: one of both is there")
            return nil
        }
        let isState = object.has("state")
        guard let name = object.text(isState ? "state" : "kind") else { return nil }
        if let kind = isState ? SensorKind.state(name) : SensorKind.number(name) { return kind }
        let known = (isState ? SensorKind.states : SensorKind.numbers).map(\.name).sorted().joined(separator: ", ")
        object.refuse(isState ? "state" : "kind", "is none of \(known)")
        return nil
    }

    private func unit(_ object: ConfigurationObject, _ kind: SensorKind) -> String {
        guard let unit = object.text("unit") else { return kind.units.first ?? "" }
        if !kind.units.contains(unit) {
            let known = kind.units.isEmpty ? "no unit" : kind.units.joined(separator: " or ")
            object.refuse("unit", "is not of the kind '\(kind.name)', which has \(known)")
        }
        return unit
    }

    /// The integers that are no value.
    func unknown(_ object: ConfigurationObject) -> [Int64] {
        guard let values = object.list("unknown") else { return [] }
        let integers = values.compactMap { $0.number.flatMap(Int64.init(exactly:)) }
        if integers.count != values.count || values.count > Self.maximumUnknown
            || integers.contains(where: { $0.magnitude > Self.greatestUnknown })
        {
            object.refuse("unknown", "is a list of at most \(Self.maximumUnknown) integers of at most 48 bits")
        }
        return integers
    }

    private func range(_ object: ConfigurationObject, unit: String) -> ClosedRange<Double>? {
        let all = -1e9...1e9
        let least = object.number("minimum", "a number", in: all)
        // A format whose numbers go on above the whole says so.
        let greatest = object.number("maximum", "a number", in: all) ?? (unit == "%" ? 100 : nil)
        if least == nil, greatest == nil { return nil }
        let bounds = (least ?? -.greatestFiniteMagnitude, greatest ?? .greatestFiniteMagnitude)
        if bounds.0 <= bounds.1 { return bounds.0...bounds.1 }
        object.refuse("minimum", "is greater than 'maximum'")
        return nil
    }

    // MARK: The scale

    private func scale(_ object: ConfigurationObject, _ place: SensorPlace, isAlone: Bool) -> SensorScale {
        var scale = SensorScale()
        if let values = object.list("values") {
            let numbers = values.compactMap(\.number).filter(\.isFinite)
            if numbers.count != values.count || !(1...Self.maximumValues).contains(numbers.count) {
                object.refuse("values", "is a list of at most \(Self.maximumValues) numbers")
            }
            for key in ["factor", "offset", "base"] where object.has(key) {
                object.refuse(key, "has no effect beside 'values': remove one of both")
            }
            scale.list = numbers
            return scale
        }
        let factor = decimal(object, "factor") ?? Decimal(digits: 1, places: 0)
        let offset = decimal(object, "offset") ?? Decimal(digits: 0, places: 0)
        if factor.digits == 0 { object.refuse("factor", "is 0: all values would be the same") }
        let places = max(factor.places, offset.places)
        scale.factor = factor.digits * SensorScale.power(10, Int64(places - factor.places))
        scale.offset = offset.digits * SensorScale.power(10, Int64(places - offset.places))
        scale.divisor = SensorScale.power(10, Int64(places))
        if let base = object.number("base", "a number", in: 0.001...1000) {
            scale.base = base
            let isShort = place.form == .uint8 && isAlone
            let greatest = SensorScale.power(base, Int64(SensorScale.greatestExponent)) * scale.factor.magnitude
            if !isShort || !greatest.isFinite {
                object.refuse("base", "is for a uint8 alone, and its powers are finite numbers")
            }
        }
        return scale
    }

    /// A decimal fraction: its digits without the point, and how many are behind the point.
    private struct Decimal {
        var digits: Double
        var places: Int
    }

    /// A number with at most 15 digits, of which 12 are behind the point.
    private func decimal(_ object: ConfigurationObject, _ key: String) -> Decimal? {
        guard let number = object.number(key, "a number", in: -1e9...1e9),
            case .number(let text)? = object.value(key)?.content
        else { return nil }
        let parts = text.lowercased().split(separator: "e")
        let figures = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let exponent = parts.count > 1 ? Int(parts[1]) : 0
        let fraction = figures.count > 1 ? figures[1].count : 0
        guard let exponent, (-20...20).contains(exponent), let digits = Int64(figures.joined()),
            digits.magnitude < 1_000_000_000_000_000
        else {
            object.refuse(key, "has at most 15 digits")
            return nil
        }
        let places = fraction - exponent
        if (0...12).contains(places) { return Decimal(digits: Double(digits), places: places) }
        if places < 0 { return Decimal(digits: number, places: 0) }
        object.refuse(key, "has at most 12 digits behind the point")
        return nil
    }
}
