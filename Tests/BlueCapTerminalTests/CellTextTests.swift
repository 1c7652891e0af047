// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapTerminal

@Suite(.timeLimit(.minutes(60)))
struct CellTextTests {
    @Test(arguments: [
        ("abc", ["a", "b", "c"], 3), ("日本", ["日", "本"], 4), ("e\u{301}x", ["e\u{301}", "x"], 2),
        ("\u{1B}[2J", ["\u{FFFD}", "[", "2", "J"], 4), ("a\u{202E}b", ["a", "\u{FFFD}", "b"], 3),
        ("👍🏽", ["👍"], 2), ("👨\u{200D}👩x", ["👨", "x"], 3),
        ("😀\u{200D}A", ["😀", "A"], 3), ("😀\u{200D}1", ["😀", "1"], 3),
        ("🇩🇪", ["D", "E"], 2), ("\u{301}a", ["\u{FFFD}", "a"], 2),
        ("a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", ["a\u{301}\u{301}\u{301}\u{301}"], 1),
    ])
    func `a text is cut into what every terminal shows alike, without what it would obey`(
        text: String, pieces: [String], width: Int
    ) {
        let cut = CellText(text)
        #expect(cut.map(\.text) == pieces)
        #expect(cut.width == width)
    }
}
