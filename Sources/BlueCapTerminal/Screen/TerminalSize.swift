// SPDX-License-Identifier: MIT

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
