// SPDX-License-Identifier: MIT

import BlueCapTerminal

/// A line of a drawing on a terminal.
struct DrawnLine: Sendable, Hashable {
    /// The text in front, in the terminal's own colour.
    var lead = ""
    var text: String
    /// The colour of the text; nil for the terminal's own.
    var color: ScreenStyle.Color?

    /// The text for the terminal, made printable: the terminal obeys nothing but the colour.
    var output: String {
        let (lead, text) = (TextLayout.printable(lead), TextLayout.printable(text))
        guard let color else { return lead + text }
        // SGR has the colours from 30 on (ECMA-48, 8.3.117).
        return "\(lead)\u{1B}[\(30 + color.rawValue)m\(text)\u{1B}[0m"
    }
}
