// SPDX-License-Identifier: MIT

import BlueCapTerminal

/// Text cut and padded to columns of a terminal.
enum TextLayout {
    enum Alignment {
        case left
        case right
    }

    /// Text from a radio without characters that a terminal would obey or show out of order: controls, separators and
    /// invisible formatting characters become U+FFFD, one for each.
    static func printable(_ text: String) -> String { TerminalText.printable(text) }

    /// The same of a text of several lines, whose line breaks stay.
    static func printableLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { printable(String($0)) }
            .joined(separator: "\n")
    }

    /// How many columns a character takes: 2 for East Asian wide characters and emoji, 1 otherwise.
    static func width(of character: Character) -> Int { TerminalText.width(of: character) }

    static func width(of text: String) -> Int { TerminalText.width(of: text) }

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
    ///
    /// - Parameter hanging: The indentation of the text after a break, beyond the line's own indentation.
    static func wrap(_ text: String, to columns: Int?, hanging: Int = 0) -> String {
        guard let columns else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if width(of: String(line)) <= columns { return String(line) }
            let indent = String(line.prefix { $0 == " " })
            let hang = indent + String(repeating: " ", count: hanging)
            var (result, used, gap) = (indent, indent.count, 0)
            for word in line.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false) {
                // Two spaces in a row stand around an empty word.
                if !word.isEmpty {
                    let next = width(of: String(word))
                    if used == indent.count || used + gap + next <= columns {
                        result += String(repeating: " ", count: gap)
                        used += gap + next
                    } else {
                        result += "\n" + hang
                        used = hang.count + next
                    }
                    result += word
                    gap = 0
                }
                gap += 1
            }
            return result
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
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let product = (abs(value) * scale).rounded()
        guard value.isFinite, abs(value) < 1e15, product < 9e18 else { return "\(value)" }
        let scaled = Int64(product)
        let isNegative = value < 0 && scaled != 0
        let sign = isNegative ? "-" : signed ? "+" : ""
        if digits == 0 { return sign + String(scaled) }
        let fraction = String(scaled % Int64(scale))
        return sign + String(scaled / Int64(scale)) + "." + String(repeating: "0", count: digits - fraction.count)
            + fraction
    }

    /// A number with at most four digits after the point, and none that say nothing.
    static func number(_ value: Double) -> String {
        var text = decimal(value, digits: 4)
        guard text.contains("."), !text.contains("e") else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }
}
