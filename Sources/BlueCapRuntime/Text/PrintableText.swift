// SPDX-License-Identifier: MIT

/// Text that a terminal shows, and does nothing else with.
package enum PrintableText {
    /// The joiner that holds emoji together: the only formatting character that is let through.
    package static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"

    /// Whether a terminal shows the character: controls, separators, marks of direction and other invisible formatting
    /// characters, private ones and those that Unicode has not assigned are obeyed, or shown out of order, or differ.
    package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        default: true
        }
    }

    /// The text with U+FFFD in the place of each character that is not printable.
    package static func replacing(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(isPrintable(scalar) || scalar == zeroWidthJoiner ? scalar : "\u{FFFD}")
        }
        return String(result)
    }

    /// JSON that says the same, with each character of its texts that is not printable as `\u…` (RFC 8259, 7).
    ///
    /// An encoder writes only those below U+0020 in that way. DEL, the controls from U+0080 on and the marks of
    /// direction would be obeyed by a terminal that the JSON is printed on.
    ///
    /// - Parameter json: An encoder's output; its line breaks stay.
    package static func escaping(json: String) -> String {
        if json.utf8.allSatisfy({ $0 < 0x7F }) { return json }
        var result = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            if scalar.value < 0x7F || isPrintable(scalar) || scalar == zeroWidthJoiner {
                result.append(scalar)
                continue
            }
            // A character that is not ASCII stands inside of a string, because JSON's own syntax is ASCII.
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                let digits = String(unit, radix: 16)
                result += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
            }
        }
        return String(result)
    }
}
