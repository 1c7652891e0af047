// SPDX-License-Identifier: MIT

/// Changes the content of a terminal into a new screen, with as little output as possible.
package struct ScreenPainter: Sendable {
    private let hasColors: Bool
    private var shown: Screen?

    /// Creates a painter that does not know the terminal's content.
    ///
    /// - Parameter hasColors: Whether colours are used; without, attributes still are.
    package init(hasColors: Bool) { self.hasColors = hasColors }

    /// Forgets the terminal's content, so that the next screen is drawn in full.
    package mutating func forget() { shown = nil }

    /// The output that makes a terminal show a screen; empty where it does already.
    package mutating func paint(_ screen: Screen) -> String {
        defer { shown = screen }
        var output = ""
        let old: Screen
        if let shown, shown.size == screen.size {
            if shown == screen { return "" }
            old = shown
        } else {
            old = Screen(screen.size)
            output = "\u{1B}[0m\u{1B}[2J"
        }
        output += "\u{1B}[?25l"
        var pen = Pen(hasColors: hasColors)
        for row in 0..<screen.size.rows {
            for column in changes(row, from: old, to: screen) where screen[row, column].width > 0 {
                pen.write(screen[row, column], row, column, &output)
            }
        }
        if pen.style != .plain { output += ScreenStyle.plain.sequence(hasColors: hasColors) }
        if let cursor = screen.cursor { output += Pen.move(cursor.row, cursor.column) + "\u{1B}[?25h" }
        return TerminalText.shownAtOnce(output)
    }

    /// The columns to draw of a row: those whose cells differ, and the other halves of wide characters there, old or
    /// new.
    private func changes(_ row: Int, from old: Screen, to new: Screen) -> [Int] {
        var isChanged = (0..<new.size.columns).map { old[row, $0] != new[row, $0] }
        // Through a chain of wide characters, a change of one can reach the next.
        var isSettled = false
        while !isSettled {
            isSettled = true
            for column in isChanged.indices.dropLast() where isChanged[column] != isChanged[column + 1] {
                if old[row, column].width == 2 || new[row, column].width == 2 {
                    (isChanged[column], isChanged[column + 1], isSettled) = (true, true, false)
                }
            }
        }
        return isChanged.indices.filter { isChanged[$0] }
    }

    /// Where output goes next, and how it will look.
    private struct Pen {
        let hasColors: Bool
        private(set) var style = ScreenStyle.plain
        private var place: Screen.Point?

        init(hasColors: Bool) { self.hasColors = hasColors }

        /// The sequence that moves the cursor (ECMA-48, 8.3.21), whose rows and columns count from 1.
        static func move(_ row: Int, _ column: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }

        mutating func write(_ cell: ScreenCell, _ row: Int, _ column: Int, _ output: inout String) {
            if place != Screen.Point(row: row, column: column) { output += Self.move(row, column) }
            let look = hasColors ? cell.style : ScreenStyle(nil, cell.style.attributes)
            if look != style { output += look.sequence(hasColors: hasColors) }
            style = look
            output += cell.text
            // Where a terminal counts marks otherwise, the next cell shall stand in its place all the same.
            let isPlain = cell.text.utf8.count == 1
            place = isPlain ? Screen.Point(row: row, column: column + 1) : nil
        }
    }
}
