// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct TextLayoutTests {
    @Test func `what a terminal would obey is replaced, character by character`() {
        #expect(
            TextLayout.printable("a\u{1B}[2Jb\r\nc\u{9B}d\u{202E}e")
                == "a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}c\u{FFFD}d\u{FFFD}e")
    }

    @Test(arguments: ["SensorTag", "Überwachung", "体温計", "👩‍🚀"])
    func `ordinary text of any script is left alone`(text: String) {
        #expect(TextLayout.printable(text) == text)
    }

    @Test(arguments: [("abc", 3), ("体温計", 6), ("⌚️", 2), ("e\u{301}", 1)])
    func `wide characters count two columns`(text: String, columns: Int) {
        #expect(TextLayout.width(of: text) == columns)
    }

    @Test(arguments: 0...7)
    func `a text that does not fit ends in an ellipsis and never exceeds its columns`(columns: Int) {
        let cut = TextLayout.truncate("体温計 1", to: columns)
        #expect(TextLayout.width(of: cut) <= columns)
        #expect(columns == 0 || cut.hasSuffix("…"))
    }

    @Test(arguments: ["", "ab", "体温計", "a long line of text"])
    func `padding gives exactly the columns asked for`(text: String) {
        #expect(TextLayout.width(of: TextLayout.pad(text, to: 8)) == 8)
    }

    @Test(arguments: [
        (0.005, 2, true, "+0.01"), (-0.004, 2, true, "+0.00"), (-1.995, 1, false, "-2.0"), (12, 0, false, "12"),
        (0.05, 2, false, "0.05"), (9.5e14, 4, false, "950000000000000.0"), (9.5e14, 0, true, "+950000000000000"),
    ])
    func `numbers are rounded and signed as asked`(value: Double, digits: Int, signed: Bool, text: String) {
        #expect(TextLayout.decimal(value, digits: digits, signed: signed) == text)
    }

    @Test(arguments: [(21.5, "21.5"), (21, "21"), (9.5e14, "950000000000000"), (2.5e20, "2.5e+20"), (-0.00001, "0")])
    func `a number has no digits that say nothing`(value: Double, text: String) {
        #expect(TextLayout.number(value) == text)
    }

    @Test(
        arguments: [
            ("one two three", 7, "one two\nthree"), ("  one two three", 9, "  one two\n  three"),
            ("a  b\n\nlonger-than-that", 6, "a  b\n\nlonger-than-that"), ("", 5, ""), ("one two", nil, "one two"),
            ("日本 語", 5, "日本\n語"),
        ] as [(String, Int?, String)])
    func `lines are broken between words, keep their indentation, and are left alone where they fit`(
        text: String, columns: Int?, wrapped: String
    ) {
        #expect(TextLayout.wrap(text, to: columns) == wrapped)
    }

    @Test(arguments: [
        ("  0x3  one  two  three", 14, "  0x3  one\n    two  three"), ("one  two", 8, "one  two"),
        ("one  two", 7, "one\n  two"), ("longer-than-that  one", 6, "longer-than-that\n  one"),
    ])
    func `what follows a break hangs below its line, and words keep the spaces between them`(
        text: String, columns: Int, wrapped: String
    ) {
        #expect(TextLayout.wrap(text, to: columns, hanging: 2) == wrapped)
    }
}
