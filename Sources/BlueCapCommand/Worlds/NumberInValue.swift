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
        let names = Self.names(profile, value)
        // The number as it is sent is what is read from text, where the value has the quantity, too.
        let wanted = part.map(CharacteristicSelector.fold)
        let found = names.first { name in
            wanted.map { $0 == CharacteristicSelector.fold(name) } ?? !names.contains(name + "Raw")
        }
        guard let found else { return nil }
        self.part = found
    }

    /// The names of the numbers in a value, in the order in which the profile declares them.
    static func names(_ profile: CharacteristicProfile, _ value: Bytes?) -> [String] {
        let texts = texts(profile, value)
        return ProfilePart.parts(of: profile).map(\.name).filter { texts[$0].flatMap(Double.init) != nil }
    }

    /// The parts of a value; where there is none, those that a value cannot be without, each as 0 or its first choice.
    private static func texts(_ profile: CharacteristicProfile, _ value: Bytes?) -> [String: String] {
        if let value, let texts = profile.stringValue(value) { return texts }
        let parts = ProfilePart.parts(of: profile).filter { !$0.isOptional }
        return Dictionary(parts.map { ($0.name, $0.choices.first ?? "0") }, uniquingKeysWith: { first, _ in first })
    }

    /// The number in a value.
    func number(in value: Bytes?) -> Double? { Self.texts(profile, value)[part].flatMap(Double.init) }

    /// The value with another number; nil where the number is beyond what can be sent.
    func bytes(for number: Double, in value: Bytes?) -> Bytes? {
        guard number.isFinite, abs(number) < 1e15 else { return nil }
        var texts = Self.texts(profile, value)
        texts[part] = NumberPlot.text(number)
        if let bytes = profile.bytes(fromString: texts) { return bytes }
        // Most numbers are whole.
        texts[part] = String(Int(number.rounded()))
        return profile.bytes(fromString: texts)
    }
}
