// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTerminal
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ScreenPainterTests {
    private static let texts = ["a", "heart rate", "日本", "e\u{301}", "⌚", "·", "\u{1B}[31m", "👨‍👩‍👧", "  "]

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a terminal shows what was painted last, whatever it showed before`(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let size = TerminalSize(columns: 24, rows: 6)
        var terminal = EmulatedTerminal(size)
        var painter = ScreenPainter(hasColors: seed.isMultiple(of: 2))
        var screen = Screen(size)
        for _ in 0..<60 {
            if Int.random(in: 0..<8, using: &chance) == 0 { screen = Screen(size) }
            for _ in 0..<3 {
                screen.write(
                    Self.texts.randomElement(using: &chance) ?? "", row: .random(in: 0..<6, using: &chance),
                    column: .random(in: 0..<24, using: &chance), in: ScreenArea(size),
                    [.plain, .bold, .dim, .reversed, ScreenStyle(.red)].randomElement(using: &chance) ?? .plain)
            }
            terminal.take(painter.paint(screen))
            #expect(terminal.lines == screen.lines)
        }
        #expect(terminal.unknown.isEmpty)
        #expect(painter.paint(screen).isEmpty)
        #expect(terminal.styles.contains { (30...37).contains($0) } == seed.isMultiple(of: 2))
    }

    @Test func `a frame that comes in parts is shown at once`() {
        let size = TerminalSize(columns: 10, rows: 3)
        var (terminal, painter, screen) = (EmulatedTerminal(size), ScreenPainter(hasColors: false), Screen(size))
        screen.write("ready", row: 0, column: 0, in: ScreenArea(size))
        let frame = painter.paint(screen)
        let middle = frame.index(frame.startIndex, offsetBy: frame.count / 2)
        terminal.take(String(frame[..<middle]))
        #expect(terminal.isBeingDrawn)
        terminal.take(String(frame[middle...]))
        #expect(!terminal.isBeingDrawn && terminal.lines[0] == "ready")
    }

    @Test func `the cursor stands where it is put, and is hidden otherwise`() {
        let size = TerminalSize(columns: 10, rows: 3)
        var (terminal, painter, screen) = (EmulatedTerminal(size), ScreenPainter(hasColors: false), Screen(size))
        terminal.take(painter.paint(screen))
        #expect(!terminal.modes.contains(25))
        screen.placeCursor(row: 1, column: 4, in: ScreenArea(size))
        terminal.take(painter.paint(screen))
        #expect(terminal.modes.contains(25) && terminal.row == 1 && terminal.column == 4)
    }
}
