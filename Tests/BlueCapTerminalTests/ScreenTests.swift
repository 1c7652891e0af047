// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapTerminal

@Suite(.timeLimit(.minutes(60)))
struct ScreenTests {
    private let size = TerminalSize(columns: 6, rows: 2)

    @Test(arguments: [
        ("abcdefgh", 0, "abcdef", 6), ("abc", 4, "    ab", 6), ("日本語", 1, " 日本", 5), ("a\u{1B}[b", 0, "a\u{FFFD}[b", 4),
    ])
    func `a text is written as far as there is room, and nothing that is obeyed`(
        text: String, column: Int, line: String, end: Int
    ) {
        var screen = Screen(size)
        #expect(screen.write(text, row: 0, column: column, in: ScreenArea(size)) == end)
        #expect(screen.lines == [line, ""])
    }

    @Test func `what is left of a wide character that is written over is a blank`() {
        var screen = Screen(size)
        let all = ScreenArea(size)
        screen.write("日本語", row: 0, in: all)
        screen.write("x", row: 0, column: 1, in: all)
        screen.write("y", row: 0, column: 4, in: all)
        #expect(screen.lines[0] == " x本y")
        #expect((0..<6).map { screen[0, $0].width }.reduce(0, +) == 6)
    }

    @Test(arguments: [(-1, 0), (2, 0), (0, -1), (Int.max, 0), (0, 6)])
    func `what is beside the screen or its area is left out`(row: Int, column: Int) {
        var screen = Screen(size)
        screen.write("a", row: row, column: column, in: ScreenArea(size))
        screen.placeCursor(row: row, column: column, in: ScreenArea(size))
        screen.write("a", row: 0, in: ScreenArea(row: 5, column: 0, rows: 1, columns: 6))
        screen.paint(ScreenArea(row: -1, column: 3, rows: 9, columns: 9), .bold)
        #expect(screen.lines == ["", ""] && screen.cursor == nil)
    }

    @Test func `an area is divided from its edges`() {
        var area = ScreenArea(TerminalSize(columns: 80, rows: 24))
        #expect(area.takeTop(1) == ScreenArea(row: 0, column: 0, rows: 1, columns: 80))
        #expect(area.takeBottom(2) == ScreenArea(row: 22, column: 0, rows: 2, columns: 80))
        #expect(area.takeLeft(20) == ScreenArea(row: 1, column: 0, rows: 21, columns: 20))
        #expect(area.takeTop(99) == ScreenArea(row: 1, column: 20, rows: 21, columns: 60) && area.rows == 0)
    }
}
