// SPDX-License-Identifier: MIT

/// A rectangle of a screen.
package struct ScreenArea: Sendable, Hashable {
    /// The first row, counted from 0.
    package var row: Int
    /// The first column, counted from 0.
    package var column: Int
    /// The number of rows; an area without any takes no text.
    package var rows: Int
    package var columns: Int

    /// A rectangle.
    ///
    /// - Parameters:
    ///   - row: The first row, counted from 0.
    ///   - column: The first column, counted from 0.
    ///   - rows: The number of rows; fewer than 0 are taken as 0.
    ///   - columns: The number of columns; fewer than 0 are taken as 0.
    package init(row: Int, column: Int, rows: Int, columns: Int) {
        self.row = row
        self.column = column
        self.rows = max(rows, 0)
        self.columns = max(columns, 0)
    }

    package init(_ size: TerminalSize) { self.init(row: 0, column: 0, rows: size.rows, columns: size.columns) }

    /// Takes rows from the top; fewer where there are not so many.
    package mutating func takeTop(_ count: Int) -> ScreenArea {
        let taken = min(max(count, 0), rows)
        defer { (row, rows) = (row + taken, rows - taken) }
        return ScreenArea(row: row, column: column, rows: taken, columns: columns)
    }

    /// Takes rows from the bottom; fewer where there are not so many.
    package mutating func takeBottom(_ count: Int) -> ScreenArea {
        let taken = min(max(count, 0), rows)
        rows -= taken
        return ScreenArea(row: row + rows, column: column, rows: taken, columns: columns)
    }

    /// Takes columns from the left; fewer where there are not so many.
    package mutating func takeLeft(_ count: Int) -> ScreenArea {
        let taken = min(max(count, 0), columns)
        defer { (column, columns) = (column + taken, columns - taken) }
        return ScreenArea(row: row, column: column, rows: rows, columns: taken)
    }
}

/// The size of a terminal in characters.
package struct TerminalSize: Sendable, Hashable {
    /// The number of columns, at least 1.
    package var columns: Int
    /// The number of rows, at least 1.
    package var rows: Int

    /// A size.
    ///
    /// - Parameters:
    ///   - columns: The number of columns; taken as 1 where it is less, and as 1000 where it is more.
    ///   - rows: The number of rows, with the same bounds.
    package init(columns: Int, rows: Int) {
        self.columns = min(max(columns, 1), 1000)
        self.rows = min(max(rows, 1), 1000)
    }
}
