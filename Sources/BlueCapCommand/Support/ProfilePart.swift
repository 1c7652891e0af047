// SPDX-License-Identifier: MIT

import BlueCap

/// One named part of the values of a characteristic, as its profile reads and writes it.
struct ProfilePart: Sendable, Hashable {
    var name: String
    /// The texts that it can have, when they are few.
    var choices: [String] = []
    /// Whether a value can be without it.
    var isOptional = false
    /// The unit of the number in the text, where it has one.
    var unit: String?

    /// The parts of a characteristic's values, in the order in which people read them; empty where the profile has no
    /// type and no layout, or its type needs a value to name them and no first value is known.
    static func parts(of profile: CharacteristicProfile) -> [ProfilePart] {
        let units = profile.units
        return partsWithoutUnits(of: profile).map { part in
            var part = part
            part.unit = units[part.name].map(TextLayout.printable)
            return part
        }
    }

    private static func partsWithoutUnits(of profile: CharacteristicProfile) -> [ProfilePart] {
        guard let type = profile.configuration else {
            return profile.textParts.map { ProfilePart(name: $0.name, choices: $0.choices, isOptional: $0.isOptional) }
        }
        if let fields = type as? any TextFieldCoding.Type { return parts(of: fields) }
        if !profile.stringValues.isEmpty { return [ProfilePart(name: profile.name, choices: profile.stringValues)] }
        let names = profile.initialValue.flatMap { profile.stringValue($0) }?.keys.sorted() ?? []
        return names.map { ProfilePart(name: $0) }
    }

    /// `"'No' or 'Yes'"`.
    static func quoted(_ choices: [String]) -> String {
        let quoted = choices.map { "'\($0)'" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }

    private static func parts<Value: TextFieldCoding>(of type: Value.Type) -> [ProfilePart] {
        type.textFields.map { ProfilePart(name: $0.name, choices: $0.allowed, isOptional: $0.isOptional) }
    }
}
