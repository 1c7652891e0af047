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

    /// The bytes.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and what can be written.
    func bytes(for profile: CharacteristicProfile?) throws(CommandFailure) -> Bytes {
        if isText { return Bytes(text.utf8) }
        if let profile, let bytes = choice(of: profile) { return bytes }
        if let profile, let parts = Self.parts(text) {
            if let bytes = profile.bytes(fromString: parts) { return bytes }
            throw CommandFailure(.usage, "'\(text)' is no value of \(profile.name); \(Self.advice(profile))")
        }
        do throws(Bytes.HexError) {
            return try Bytes(hex: text)
        } catch {
            throw CommandFailure(
                .usage,
                "'\(text)' is neither bytes (\(error)) nor a value that the characteristic is known to take; "
                    + Self.advice(profile))
        }
    }

    /// The value of the choice that the text is, in capitals or not.
    private func choice(of profile: CharacteristicProfile) -> Bytes? {
        guard let choice = profile.stringValues.first(where: { $0.lowercased() == text.lowercased() }) else {
            return nil
        }
        return profile.bytes(fromString: [profile.textParts.first?.name ?? profile.name: choice])
    }

    /// `"a=1,b=2 3"` as names and texts; nil where there is no name.
    private static func parts(_ text: String) -> [String: String]? {
        var parts: [String: String] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { return nil }
            parts[trimmed(pair[0])] = trimmed(pair[1])
        }
        return parts.isEmpty ? nil : parts
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// What can be written: the choices, or the parts with theirs.
    private static func advice(_ profile: CharacteristicProfile?) -> String {
        let otherwise = "hexadecimal digits or --text TEXT"
        guard let profile else { return "write \(otherwise)" }
        if !profile.stringValues.isEmpty {
            return "write \(ProfilePart.quoted(profile.stringValues)), or \(otherwise)"
        }
        let parts = ProfilePart.parts(of: profile).filter { part in
            // The number as it is sent is what is read from text, where the quantity is there for people.
            !ProfilePart.parts(of: profile).contains { $0.name == part.name + "Raw" }
        }
        if parts.isEmpty { return "write \(otherwise)" }
        let form = parts.map { "\($0.name)=…" }.joined(separator: ",")
        let optional = parts.filter(\.isOptional).map(\.name)
        let notes =
            (optional.isEmpty ? [] : ["may be left out: \(optional.joined(separator: ", "))"])
            + parts.filter { !$0.choices.isEmpty }.map { "\($0.name): \(ProfilePart.quoted($0.choices))" }
        return "write '\(form)'\(notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"), or \(otherwise)"
    }
}
