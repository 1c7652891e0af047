// SPDX-License-Identifier: MIT

import BlueCap

/// A value as it is typed on the command line, for a characteristic whose profile may know it.
struct TypedValue: Sendable {
    /// For help texts.
    static let help = """
        A value is one of these, the first that fits:
          one of the profile's choices       Yes, "Reset Energy Expended"
          the profile's parts, with commas   periodRaw=50, x=1,y=2
          bytes in hexadecimal digits        01ff, 0x01ff, "01 ff"
        """

    let text: String
    /// Whether it is UTF-8 as it stands.
    var isText = false
    /// Whether it is for a device that this program is, where a number alone is enough, and text is written in
    /// hexadecimal.
    var isEmulated = false

    /// The bytes.
    ///
    /// - Parameter value: A value of the characteristic, for advice; nil for that of the profile.
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and the accepted values.
    func bytes(for profile: CharacteristicProfile?, like value: Bytes? = nil) throws(CommandFailure) -> Bytes {
        if isText { return Bytes(text.utf8) }
        if let profile, let bytes = choice(of: profile) { return bytes }
        if let profile, let parts = try parts(of: profile, value) {
            if let bytes = profile.bytes(fromString: parts) { return bytes }
            throw CommandFailure(.usage, "'\(text)' is no value of \(profile.name); \(advice(profile, value))")
        }
        do throws(Bytes.HexError) {
            return try Bytes(hex: text)
        } catch {
            if let profile, profile.declaresValues {
                throw CommandFailure(.usage, "'\(text)' is no value of \(profile.name); \(advice(profile, value))")
            }
            throw CommandFailure(
                .usage,
                "'\(text)' is neither bytes (\(error)) nor a value that the characteristic is known to take; "
                    + advice(profile, value))
        }
    }

    /// The value of the choice that the text is, in capitals or not.
    private func choice(of profile: CharacteristicProfile) -> Bytes? {
        guard let choice = profile.stringValues.first(where: { $0.lowercased() == text.lowercased() }) else {
            return nil
        }
        return profile.bytes(fromString: [profile.textParts.first?.name ?? profile.name: choice])
    }

    /// `"a=1,b=2 3"` as names and texts; nil where there is no name. A name is that of a part as the profile has it,
    /// which may be written in capitals or not.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` for a name that the profile does not have: the intended
    ///   part would not be written.
    private func parts(
        of profile: CharacteristicProfile, _ value: Bytes?
    ) throws(CommandFailure) -> [String: String]? {
        let names = ProfilePart.parts(of: profile).map(\.name)
        var parts: [String: String] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { return nil }
            let name = Self.trimmed(pair[0])
            let known =
                names.contains(name)
                ? name : names.first { CharacteristicSelector.fold($0) == CharacteristicSelector.fold(name) }
            if known == nil, !names.isEmpty {
                throw CommandFailure(
                    .usage, "\(profile.name) has no part '\(TextLayout.printable(name))'; \(advice(profile, value))")
            }
            parts[known ?? name] = Self.trimmed(pair[1])
        }
        return parts.isEmpty ? nil : parts
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// The accepted texts: the choices, or the parts with theirs.
    func advice(_ profile: CharacteristicProfile?, _ value: Bytes? = nil) -> String {
        let text = isText ? ", and leave out --text" : isEmulated ? "" : " or --text TEXT"
        let otherwise = "hexadecimal digits" + text
        guard let profile else { return "write \(otherwise)" }
        if !profile.stringValues.isEmpty {
            return "write \(ProfilePart.quoted(profile.stringValues)), or \(otherwise)"
        }
        let parts = ProfilePart.parts(of: profile).filter { part in
            // Where the profile also has the quantity for people, the text's number is the raw one.
            !ProfilePart.parts(of: profile).contains { $0.name == part.name + "Raw" }
        }
        if parts.isEmpty { return "write \(otherwise)" }
        let form = parts.map { "\($0.name)=…" }.joined(separator: ",")
        let optional = parts.filter(\.isOptional).map(\.name)
        let known = value ?? profile.initialValue
        let notes =
            (optional.isEmpty ? [] : ["may be left out: \(optional.joined(separator: ", "))"])
            + parts.compactMap { part in
                let choices = part.choices.isEmpty ? nil : ProfilePart.quoted(part.choices)
                return (choices ?? Self.numbers(of: part.name, profile, known)).map { "\(part.name): \($0)" }
            }
        let number = isEmulated && NumberInValue(profile, value: known, part: nil) != nil ? "a number, " : ""
        return "write \(number)'\(form)'\(notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"), or \(otherwise)"
    }

    /// Which numbers a part of a value can be, as `"0 to 100 %"`; its unit alone where they have no end; nil where
    /// neither is known.
    static func numbers(of part: String, _ profile: CharacteristicProfile, _ value: Bytes?) -> String? {
        let unit = ProfilePart.parts(of: profile).first { $0.name == part }?.unit
        let range = NumberInValue(profile, value: value, part: part)?.range(in: value)
        let numbers = range.map { "\(TextLayout.number($0.lowerBound)) to \(TextLayout.number($0.upperBound))" }
        if numbers == nil, let unit { return "in \(unit)" }
        return numbers.map { [$0, unit].compactMap(\.self).joined(separator: " ") }
    }
}
