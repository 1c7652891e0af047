// SPDX-License-Identifier: MIT

/// Text cut and padded to columns of a terminal.
enum TextLayout {
    enum Alignment {
        case left
        case right
    }

    /// Text from a radio without what a terminal would obey or show out of order: controls, separators and invisible
    /// formatting characters become U+FFFD, one for each.
    static func printable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: result.append("\u{FFFD}")
            // The joiner that holds emoji together is the one formatting character that is let through.
            case .format where scalar != "\u{200D}": result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// How many columns a character takes: 2 for East Asian wide characters and emoji, 1 otherwise.
    static func width(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation { return 2 }
        if character.unicodeScalars.count > 1, first.properties.isEmoji, !first.isASCII { return 2 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default:
            return first.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }

    /// How many columns a text takes.
    static func width(of text: String) -> Int { text.reduce(0) { $0 + width(of: $1) } }

    /// The text in at most so many columns, its end replaced by an ellipsis where it is longer.
    static func truncate(_ text: String, to columns: Int) -> String {
        if columns <= 0 { return "" }
        if width(of: text) <= columns { return text }
        var result = ""
        var used = 0
        for character in text {
            let next = width(of: character)
            if used + next > columns - 1 { break }
            result.append(character)
            used += next
        }
        return result + "…"
    }

    /// The text with its lines broken between words, so that none is wider than so many columns; nil leaves it as it
    /// is.
    static func wrap(_ text: String, to columns: Int?) -> String {
        guard let columns else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let indent = line.prefix { $0 == " " }
            var (result, used) = (String(indent), indent.count)
            for word in line.dropFirst(indent.count).split(separator: " ") {
                let next = width(of: String(word))
                if used == indent.count {
                    used += next
                } else if used + 1 + next <= columns {
                    result += " "
                    used += 1 + next
                } else {
                    result += "\n" + indent
                    used = indent.count + next
                }
                result += word
            }
            // What fits keeps the spaces that it has.
            return width(of: String(line)) <= columns ? String(line) : result
        }
        return lines.joined(separator: "\n")
    }

    /// The text in exactly so many columns.
    static func pad(_ text: String, to columns: Int, alignment: Alignment = .left) -> String {
        let cut = truncate(text, to: columns)
        let space = String(repeating: " ", count: max(columns - width(of: cut), 0))
        return alignment == .left ? cut + space : space + cut
    }

    /// `"1 characteristic"`, `"2 characteristics"`.
    static func count(_ number: Int, _ noun: String) -> String { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }

    /// `"10 s"`, `"2.5 s"`.
    static func seconds(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        return "\(decimal(seconds, digits: seconds == seconds.rounded() ? 0 : 1)) s"
    }

    /// A number with so many digits after the point, and its sign where `signed`.
    static func decimal(_ value: Double, digits: Int, signed: Bool = false) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((abs(value) * scale).rounded())
        let isNegative = value < 0 && scaled != 0
        let sign = isNegative ? "-" : signed ? "+" : ""
        if digits == 0 { return sign + String(scaled) }
        let fraction = String(scaled % Int(scale))
        return sign + String(scaled / Int(scale)) + "." + String(repeating: "0", count: digits - fraction.count)
            + fraction
    }
}
