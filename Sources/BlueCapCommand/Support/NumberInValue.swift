// SPDX-License-Identifier: MIT

import BlueCap

/// A number within the values of a characteristic, by its profile.
struct NumberInValue: Sendable {
    let profile: CharacteristicProfile
    /// The name of the number among the parts of a value.
    let part: String

    /// - Parameters:
    ///   - value: A value of the characteristic; nil where there is none yet.
    ///   - part: The name of the number, in capitals or not; nil for the first that can be written.
    /// - Returns: Nil where the value has no such number.
    init?(_ profile: CharacteristicProfile, value: Bytes?, part: String?) {
        self.profile = profile
        let wanted = part.map(CharacteristicSelector.fold)
        let found = Self.names(profile, value).first { wanted == nil || wanted == CharacteristicSelector.fold($0) }
        guard let found else { return nil }
        self.part = found
    }

    /// The names of the numbers in a value, in the order in which the profile declares them; behind them those that the
    /// value is without, or that are not known, and can be set.
    static func names(_ profile: CharacteristicProfile, _ value: Bytes?) -> [String] {
        let (texts, parts) = (texts(profile, value), ProfilePart.parts(of: profile))
        func isNumber(_ part: ProfilePart) -> Bool { texts[part.name].flatMap(Double.init) != nil }
        let others = parts.filter { part in
            guard !isNumber(part), part.choices.isEmpty else { return false }
            // A text takes either.
            let takes = ["0", "x"].map { profile.bytes(fromString: texts.merging([part.name: $0]) { $1 }) != nil }
            return takes == [true, false]
        }
        let names = parts.filter(isNumber).map(\.name) + others.map(\.name)
        // Where the value also has the quantity, the text's number is the raw one.
        return names.filter { !names.contains($0 + "Raw") }
    }

    /// The parts of a value; without a value, the necessary parts, each as 0 or its first choice.
    static func texts(_ profile: CharacteristicProfile, _ value: Bytes?) -> [String: String] {
        if let value, let texts = profile.stringValue(value) { return texts }
        let parts = ProfilePart.parts(of: profile).filter { !$0.isOptional }
        return Dictionary(parts.map { ($0.name, $0.choices.first ?? "0") }, uniquingKeysWith: { first, _ in first })
    }

    func number(in value: Bytes?) -> Double? { Self.texts(profile, value)[part].flatMap(Double.init) }

    /// The value with another number; nil where the number is out of range.
    func bytes(for number: Double, in value: Bytes?) -> Bytes? {
        guard number.isFinite, abs(number) < 1e15 else { return nil }
        // Most numbers are whole.
        return bytes(forExactly: number, in: value) ?? bytes(forExactly: number.rounded(), in: value)
    }

    /// The value with another number as it is; nil where it cannot be sent so.
    func bytes(forExactly number: Double, in value: Bytes?) -> Bytes? {
        var texts = Self.texts(profile, value)
        texts[part] = TextLayout.number(number)
        return profile.bytes(fromString: texts)
    }
}

/// The range of numbers that a value takes, found by trying: profiles give a number's meaning and not its limits.
extension NumberInValue {
    /// The least and the greatest number that can be sent, to two decimals; nil where no end is found.
    func range(in value: Bytes?) -> ClosedRange<Double>? {
        let known = number(in: value) ?? 0
        guard takes(known, value), let first = end(from: known, -1, value),
            let last = end(from: known, 1, value), first < last
        else { return nil }
        return first...last
    }

    /// The last number in a direction that can be sent.
    private func end(from known: Double, _ direction: Double, _ value: Bytes?) -> Double? {
        var (inside, step) = (known, 1.0)
        while takes(inside + direction * step, value) {
            inside += direction * step
            step *= 2
            if abs(inside) > 1e12 { return nil }
        }
        // Whole steps first, as many values take nothing else.
        inside = last(from: inside, in: direction, steps: step, value)
        // Back on hundredths, which a sum may have missed.
        return (last(from: inside, in: direction / 100, steps: 100, value) * 100).rounded() / 100
    }

    /// The last number that can be sent, within so many steps of which the last is out of range.
    private func last(from known: Double, in step: Double, steps: Double, _ value: Bytes?) -> Double {
        var (inside, outside) = (0.0, steps)
        while outside - inside > 1 {
            let middle = ((inside + outside) / 2).rounded()
            if takes(known + middle * step, value) { inside = middle } else { outside = middle }
        }
        return known + inside * step
    }

    private func takes(_ number: Double, _ value: Bytes?) -> Bool { bytes(forExactly: number, in: value) != nil }
}
