// SPDX-License-Identifier: MIT

/// A place in a text, for the person who wrote it.
package struct JSONPlace: Sendable, Hashable, Comparable, CustomStringConvertible {
    private let lineNumber: Int32
    private let columnNumber: Int32

    /// - Parameters:
    ///   - line: The line, counted from 1.
    ///   - column: The character of the line, counted from 1.
    init(line: Int, column: Int) {
        (lineNumber, columnNumber) = (Int32(clamping: line), Int32(clamping: column))
    }

    /// The line, counted from 1.
    package var line: Int { Int(lineNumber) }
    /// The character of the line, counted from 1.
    package var column: Int { Int(columnNumber) }

    /// `line 4, column 41`.
    package var description: String { "line \(line), column \(column)" }

    package static func < (left: JSONPlace, right: JSONPlace) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
