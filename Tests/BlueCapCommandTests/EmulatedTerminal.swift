// SPDX-License-Identifier: MIT

import BlueCapTerminal

/// The screen of a terminal that receives a program's output: as much of xterm as the tool uses (ECMA-48).
struct EmulatedTerminal: Sendable {
    private(set) var size: TerminalSize
    private var cells: [[String]]
    private(set) var row = 0
    private(set) var column = 0
    /// Whether the alternate screen is shown, the cursor is, pasted text is bracketed, and a frame is being drawn.
    private(set) var modes: Set<Int> = [25]
    /// The codes of SGR that came, apart from 0.
    private(set) var styles: Set<Int> = []
    /// Whether the next text has a colour or another style.
    private(set) var isStyled = false
    /// Sequences that it does not know.
    private(set) var unknown: [String] = []
    private var sequence: String?
    private var before: [[String]] = []

    init(_ size: TerminalSize) {
        self.size = size
        cells = Self.blank(size)
    }

    /// Whether a frame has begun that is to be shown at once, and has not ended.
    var isBeingDrawn: Bool { modes.contains(2026) }

    /// The rows without the blanks at their ends.
    var lines: [String] {
        cells.map { row in
            var line = row.joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Changes the size; the shown text stays at the top left.
    mutating func resize(_ size: TerminalSize) {
        let old = cells
        self.size = size
        cells = Self.blank(size)
        for (row, line) in old.enumerated() where row < size.rows {
            for (column, cell) in line.enumerated() where column < size.columns { cells[row][column] = cell }
        }
    }

    /// Takes output.
    mutating func take(_ text: String) {
        for scalar in text.unicodeScalars { take(scalar) }
    }

    private static func blank(_ size: TerminalSize) -> [[String]] {
        [[String]](repeating: [String](repeating: " ", count: size.columns), count: size.rows)
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
        if var open = sequence {
            open.unicodeScalars.append(scalar)
            let isEnd = open.unicodeScalars.count > 1 && (0x40...0x7E).contains(scalar.value)
            sequence = isEnd ? nil : open
            if isEnd { obey(open) }
            return
        }
        switch scalar {
        case "\u{1B}": sequence = ""
        case "\r": column = 0
        case "\n":
            row += 1
            if row == size.rows {
                row -= 1
                cells.removeFirst()
                cells.append([String](repeating: " ", count: size.columns))
            }
        case _ where scalar.value < 0x20 || scalar.value == 0x7F: unknown.append("\(scalar.value)")
        default: put(scalar)
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let width = CellText("a" + String(scalar)).width == 1 ? 0 : CellText(String(scalar)).width
        if width == 0 {
            if column > 0 { cells[row][column - 1].unicodeScalars.append(scalar) }
            return
        }
        guard row < size.rows, column + width <= size.columns else {
            unknown.append("beyond the edge: \(scalar)")
            return
        }
        cells[row][column] = String(scalar)
        if width == 2 { cells[row][column + 1] = "" }
        column += width
    }

    private mutating func obey(_ sequence: String) {
        let body = sequence.dropFirst().dropLast()
        let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map {
            Int($0.filter(\.isNumber)) ?? 0
        }
        switch (sequence.last, body.first) {
        case ("h", "?"):
            if numbers[0] == 1049 { (before, cells) = (cells, Self.blank(size)) }
            modes.insert(numbers[0])
        case ("l", "?"):
            if numbers[0] == 1049, modes.contains(1049) { cells = before }
            modes.remove(numbers[0])
        case ("H", _):
            (row, column) = (max(numbers[0], 1) - 1, max(numbers.count > 1 ? numbers[1] : 1, 1) - 1)
        case ("A", _): row = max(row - max(numbers.first ?? 1, 1), 0)
        case ("C", _): column = min(column + max(numbers[0], 1), size.columns - 1)
        // After a character in the last column the cursor still stands in that, as in xterm.
        case ("K", _): for place in min(column, size.columns - 1)..<size.columns { cells[row][place] = " " }
        case ("J", _) where (numbers.first ?? 0) == 0:
            for place in min(column, size.columns - 1)..<size.columns { cells[row][place] = " " }
            for below in (row + 1)..<max(size.rows, row + 1) { cells[below] = Self.blank(size)[below] }
        case ("J", _) where numbers[0] == 2: cells = Self.blank(size)
        case ("m", _):
            styles.formUnion(numbers.filter { $0 != 0 })
            isStyled = (numbers.last ?? 0) != 0
        default: unknown.append(sequence)
        }
    }
}
