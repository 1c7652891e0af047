// SPDX-License-Identifier: MIT

import BlueCap

/// A value as people read it: its parts by the profile of its characteristic, or as text where the bytes are text.
struct ValueText: Sendable, Hashable {
    struct Part: Sendable, Hashable {
        var name: String
        var text: String
        var number: Double?
        var unit: String?
    }

    /// The parts in the order in which the profile declares them; empty where no profile knows the value.
    let parts: [Part]
    /// All on one line; nil where neither a profile knows the value nor the bytes are text.
    let line: String?
    /// Whether the profile of the characteristic does not take the bytes for a value.
    let isRefused: Bool

    init(_ value: Bytes, of uuid: BluetoothUUID, in service: BluetoothUUID? = nil) {
        self.init(value, KnownProfiles.profile(uuid, in: service))
    }

    init(_ value: Bytes, _ profile: CharacteristicProfile?) {
        // Without a type or a layout a profile has nothing but the bytes in hexadecimal.
        guard let profile, profile.declaresValues else {
            (parts, line, isRefused) = ([], Self.utf8(value), false)
            return
        }
        guard let all = profile.parts(of: value) else {
            // The letters that the bytes would be look like the value. Of no bytes there is nothing to say.
            (parts, line, isRefused) = ([], nil, !value.isEmpty)
            return
        }
        parts = all.compactMap { part in
            part.text.map { text in
                let unit = part.unit.map(TextLayout.printable)
                return Part(name: part.name, text: TextLayout.printable(text), number: part.number, unit: unit)
            }
        }
        line = Self.samples[profile.uuid]?(value) ?? Self.line(parts)
        isRefused = false
    }

    /// `"98 %  62"`: the meaning of a value, where it is known, followed by its bytes; `"not a valid value  65"` where
    /// the profile refuses them, so that they are not taken for it.
    static func line(_ text: String?, hex: String, isRefused: Bool) -> String {
        let bytes = hex.isEmpty ? "(empty)" : hex
        return (text ?? (isRefused ? "not a valid value" : nil)).map { "\($0)  \(bytes)" } ?? bytes
    }

    /// The parts by their names.
    var fields: [String: String]? { byName(\.text) }

    /// The parts that are numbers, by their names.
    var numbers: [String: Double]? { byName(\.number) }

    /// The units of the parts that the value has, by their names.
    var units: [String: String]? { byName(\.unit) }

    private func byName<Content>(_ content: (Part) -> Content?) -> [String: Content]? {
        let known = parts.compactMap { part in content(part).map { (part.name, $0) } }
        return known.isEmpty ? nil : Dictionary(known, uniquingKeysWith: { first, _ in first })
    }

    /// The text of a part with its unit; of several, each behind its name. The number as it is sent is left out where
    /// the value has the quantity too.
    private static func line(_ parts: [Part]) -> String {
        let shown = parts.filter { part in
            guard part.name.hasSuffix("Raw") else { return true }
            return !parts.contains { $0.name == part.name.dropLast(3) }
        }
        // A text that replaces an unknown value has no unit, and others name theirs.
        let texts = shown.map { part in
            guard let unit = part.unit, part.text.contains(where: \.isNumber), !part.text.hasSuffix(" \(unit)") else {
                return part.text
            }
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
