// SPDX-License-Identifier: MIT

/// One character cell of a screen.
package struct ScreenCell: Sendable, Hashable {
    /// A base character with its marks; empty for the right half of a wide one.
    package let text: String
    /// 1 or 2 columns; 0 for the right half of a wide character.
    package let width: Int
    /// How it looks.
    package var style: ScreenStyle

    static let blank = ScreenCell(text: " ", width: 1, style: .plain)
}
