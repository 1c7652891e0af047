// SPDX-License-Identifier: MIT

/// How a cell of a screen looks.
package struct ScreenStyle: Sendable, Hashable {
    /// One of the colours that every terminal with colours has, in the shade of the user's choice.
    package enum Color: UInt8, Sendable, Hashable {
        case red = 1
        case green
        case yellow
        case blue
        case magenta
        case cyan
    }

    /// The attributes of a character besides its colour.
    package struct Attributes: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Stronger than the rest.
        package static let bold = Self(rawValue: 1)
        /// Weaker than the rest.
        package static let dim = Self(rawValue: 2)
        /// Underlined.
        package static let underlined = Self(rawValue: 4)
        /// Foreground and background exchanged.
        package static let reversed = Self(rawValue: 8)
    }

    /// The colour of the character; nil for the terminal's own.
    package var color: Color?
    package var attributes: Attributes

    /// A style.
    package init(_ color: Color? = nil, _ attributes: Attributes = []) {
        self.color = color
        self.attributes = attributes
    }

    /// The terminal's own.
    package static let plain = ScreenStyle()
    /// Stronger than the rest.
    package static let bold = ScreenStyle(nil, .bold)
    /// Weaker than the rest.
    package static let dim = ScreenStyle(nil, .dim)
    /// Foreground and background exchanged.
    package static let reversed = ScreenStyle(nil, .reversed)

    /// The sequence that chooses the style, whatever was chosen before (ECMA-48, 8.3.117).
    func sequence(hasColors: Bool) -> String {
        var codes = "0"
        if attributes.contains(.bold) { codes += ";1" }
        if attributes.contains(.dim) { codes += ";2" }
        if attributes.contains(.underlined) { codes += ";4" }
        if attributes.contains(.reversed) { codes += ";7" }
        if hasColors, let color { codes += ";3\(color.rawValue)" }
        return "\u{1B}[\(codes)m"
    }
}
