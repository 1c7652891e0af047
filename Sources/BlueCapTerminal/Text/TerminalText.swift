// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The effect of text on a terminal: the characters that it would obey, and the width in columns.
package enum TerminalText {
    /// The text without characters that a terminal would obey or show out of order: controls, separators and invisible
    /// formatting characters become U+FFFD, one for each.
    ///
    /// The outputs of the tool pass every line through here, whatever its source. Text that is drawn on a whole screen
    /// passes through ``CellText``.
    package static func printable(_ text: String) -> String { PrintableText.replacing(text) }

    /// The output of a frame as a terminal shows it at once, and not as its parts come: between the ends of a
    /// synchronized update, private mode 2026 of ECMA-48's SM and RM. Terminals that do not know the mode ignore it.
    package static func shownAtOnce(_ frame: String) -> String { "\u{1B}[?2026h\(frame)\u{1B}[?2026l" }

    /// A Boolean value that is true if a terminal shows the character and does nothing else with it.
    static func isPrintable(_ scalar: Unicode.Scalar) -> Bool { PrintableText.isPrintable(scalar) }

    /// The number of columns that a character takes: 2 for East Asian wide characters and emoji, 0 for a combining mark
    /// on its own, 1 otherwise.
    package static func width(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation { return 2 }
        if character.unicodeScalars.count > 1, first.properties.isEmoji, !first.isASCII { return 2 }
        return width(of: first)
    }

    package static func width(of text: String) -> Int { text.reduce(0) { $0 + width(of: $1) } }

    /// The number of columns that one scalar takes by itself, as terminals count (`wcwidth` of POSIX).
    static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        // The vowels and finals of Hangul join the syllable before them.
        case 0x1160...0x11FF, 0xD7B0...0xD7FB: return 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1B000...0x1B2FB, 0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.isEmojiPresentation && !isRegionalIndicator(scalar) ? 2 : 1
        }
    }

    static let zeroWidthJoiner = PrintableText.zeroWidthJoiner

    /// The letters of flags.
    static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar.value) }
}
