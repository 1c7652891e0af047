// SPDX-License-Identifier: MIT

/// A rectangle of cells: the content that a terminal shows.
///
/// Whatever is written, no cell ever holds a character that a terminal would obey.
package struct Screen: Sendable, Hashable {
    /// A place on a screen, counted from 0.
    package struct Point: Sendable, Hashable {
        package var row: Int
        package var column: Int

        package init(row: Int, column: Int) { (self.row, self.column) = (row, column) }
    }

    package let size: TerminalSize
    /// Where the terminal's cursor is shown; nil hides it.
    package var cursor: Point?
    private var cells: [ScreenCell]

    package init(_ size: TerminalSize) {
        self.size = size
        cells = [ScreenCell](repeating: .blank, count: size.columns * size.rows)
    }

    package subscript(row: Int, column: Int) -> ScreenCell { cells[row * size.columns + column] }

    /// Writes a text on a row of an area, as far as there is room.
    ///
    /// A character that is wide and fits only half is left out, with all behind it.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - row: The row, counted from the area's first.
    ///   - column: The column at which the text begins, counted from the area's first.
    ///   - area: The rectangle that the text stays within.
    ///   - style: How it looks.
    /// - Returns: The column behind the text, counted from the area's first.
    @discardableResult
    package mutating func write(
        _ text: String, row: Int, column: Int = 0, in area: ScreenArea, _ style: ScreenStyle = .plain
    ) -> Int {
        guard (0..<area.rows).contains(row), (0..<size.rows).contains(area.row + row), column >= 0, area.column >= 0
        else { return column }
        var position = column
        let end = min(area.columns, size.columns - area.column)
        for piece in CellText(text) {
            if position + piece.width > end { break }
            set(piece, style, area.row + row, area.column + position)
            position += piece.width
        }
        return position
    }

    /// Gives all cells of an area a style, whatever they hold.
    package mutating func paint(_ area: ScreenArea, _ style: ScreenStyle) {
        let rows = max(area.row, 0)..<max(min(area.row + area.rows, size.rows), max(area.row, 0))
        let columns = max(area.column, 0)..<max(min(area.column + area.columns, size.columns), max(area.column, 0))
        for row in rows {
            for column in columns { cells[row * size.columns + column].style = style }
        }
    }

    package mutating func placeCursor(row: Int, column: Int, in area: ScreenArea) {
        let place = Point(row: area.row + row, column: area.column + column)
        guard (0..<area.rows).contains(row), (0..<area.columns).contains(column) else { return }
        guard (0..<size.rows).contains(place.row), (0..<size.columns).contains(place.column) else { return }
        cursor = place
    }

    /// The rows as text, without the blanks at their ends.
    package var lines: [String] {
        (0..<size.rows).map { row in
            var line = (0..<size.columns).map { self[row, $0].text }.joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private mutating func set(_ piece: CellText.Piece, _ style: ScreenStyle, _ row: Int, _ column: Int) {
        let index = row * size.columns + column
        // The other half of a wide character that is written over becomes a blank.
        if cells[index].width == 0 { cells[index - 1] = ScreenCell(text: " ", width: 1, style: cells[index - 1].style) }
        let last = index + piece.width - 1
        if cells[last].width == 2 { cells[last + 1] = ScreenCell(text: " ", width: 1, style: cells[last + 1].style) }
        cells[index] = ScreenCell(text: piece.text, width: piece.width, style: style)
        if piece.width == 2 { cells[index + 1] = ScreenCell(text: "", width: 0, style: style) }
    }
}

/// One character cell of a screen.
package struct ScreenCell: Sendable, Hashable {
    /// A base character with its marks; empty for the right half of a wide one.
    package let text: String
    /// 1 or 2 columns; 0 for the right half of a wide character.
    package let width: Int
    package var style: ScreenStyle

    static let blank = ScreenCell(text: " ", width: 1, style: .plain)
}
