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

    /// The number in a value.
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
