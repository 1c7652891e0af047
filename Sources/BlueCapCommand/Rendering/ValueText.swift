// SPDX-License-Identifier: MIT

import BlueCap

/// A value as people read it: its parts by the profile of its characteristic, or as text where the bytes are text.
struct ValueText: Sendable, Hashable {
    struct Part: Sendable, Hashable {
        var name: String
        var text: String
    }

    /// The parts in the order in which the profile declares them; empty where no profile knows the value.
    let parts: [Part]
    /// The units of the parts by their names, as far as they are known.
    let units: [String: String]
    /// All on one line; nil where neither a profile knows the value nor the bytes are text.
    let line: String?

    init(_ value: Bytes, of uuid: BluetoothUUID, in service: BluetoothUUID? = nil) {
        self.init(value, KnownProfiles.profile(uuid, in: service))
    }

    init(_ value: Bytes, _ profile: CharacteristicProfile?) {
        // Without a type or a layout a profile has nothing but the bytes in hexadecimal.
        guard let profile, profile.declaresValues, let texts = profile.stringValue(value) else {
            parts = []
            units = [:]
            line = Self.utf8(value)
            return
        }
        let declared = ProfilePart.parts(of: profile).map(\.name)
        units = profile.units.mapValues(TextLayout.printable)
        let names = declared.filter { texts[$0] != nil } + texts.keys.filter { !declared.contains($0) }.sorted()
        parts = names.map { Part(name: $0, text: TextLayout.printable(texts[$0] ?? "")) }
        line = Self.samples[profile.uuid]?(value) ?? Self.line(parts, units)
    }

    /// `"98 %  62"`: the meaning of a value, where it is known, followed by its bytes.
    static func line(_ text: String?, hex: String) -> String {
        let bytes = hex.isEmpty ? "(empty)" : hex
        return text.map { "\($0)  \(bytes)" } ?? bytes
    }

    /// The parts by their names.
    var fields: [String: String]? {
        parts.isEmpty ? nil : Dictionary(parts.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
    }

    /// The parts that are numbers, by their names.
    var numbers: [String: Double]? {
        let numbers = parts.compactMap { part in Double(part.text).flatMap { $0.isFinite ? (part.name, $0) : nil } }
        return numbers.isEmpty ? nil : Dictionary(numbers, uniquingKeysWith: { first, _ in first })
    }

    /// The units of the parts that the value has, by their names.
    var unitsOfFields: [String: String]? {
        let known = units.filter { unit in parts.contains { $0.name == unit.key } }
        return known.isEmpty ? nil : known
    }

    /// The text of a part with its unit; of several, each behind its name. The number as it is sent is left out where
    /// the value has the quantity too.
    private static func line(_ parts: [Part], _ units: [String: String]) -> String {
        let shown = parts.filter { part in
            guard part.name.hasSuffix("Raw") else { return true }
            return !parts.contains { $0.name == part.name.dropLast(3) }
        }
        // A text that replaces an unknown value has no unit.
        let texts = shown.map { part in
            guard let unit = units[part.name], part.text.contains(where: \.isNumber) else { return part.text }
            return "\(part.text) \(unit)"
        }
        if texts.count == 1 { return texts[0] }
        return zip(shown, texts).map { "\($0.name) \($1)" }.joined(separator: ", ")
    }

    /// Values that come many times a second, and are read better in columns.
    private static let samples: [BluetoothUUID: @Sendable (Bytes) -> String?] = [
        TISensorTag.AccelerometerService.Data.uuid: { value in
            guard let sample: TISensorTag.AccelerometerService.Data = try? SerDe.deserialize(value) else { return nil }
            let axes = [("x", sample.x), ("y", sample.y), ("z", sample.z)]
            return axes.map { "\($0) \(TextLayout.decimal($1, digits: 2, signed: true))" }.joined(separator: "  ")
                + " g"
        }
    ]

    /// The bytes as text, where they are UTF-8 that can be shown, also with zeros behind it. A few letters before
    /// zeros are more often a number.
    private static func utf8(_ value: Bytes) -> String? {
        let letters = value.prefix { $0 != 0 }
        guard letters.count == value.count || letters.count > 3, value.dropFirst(letters.count).allSatisfy({ $0 == 0 })
        else { return nil }
        guard !letters.isEmpty, let text = String(validating: letters, as: UTF8.self) else { return nil }
        return TextLayout.printable(text) == text ? text : nil
    }
}
