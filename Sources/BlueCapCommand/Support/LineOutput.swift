// SPDX-License-Identifier: MIT

/// Where a command's results go.
protocol LineOutput: Sendable {
    /// The size of the terminal to draw on; nil where lines are to be printed one after the other.
    var screen: ScreenSize? { get }

    /// How wide the terminal is that lines go to; nil where they go elsewhere, and each stays whole.
    var columns: Int? { get }

    /// Prints a line, without characters that a terminal would obey.
    func line(_ text: String) throws(OutputClosed)

    /// Prints an event as JSON, on a line.
    func event(_ event: some Encodable) throws(OutputClosed)

    /// Draws these lines in place of those drawn last; only where there is a ``screen``.
    func draw(_ lines: [DrawnLine]) throws(OutputClosed)
}

extension LineOutput {
    /// Prints a line for people, broken between words where the terminal is narrower. Nothing comes between its parts.
    ///
    /// - Parameter hanging: The indentation of the text after a break.
    func prose(_ text: String, hanging: Int = 2) throws(OutputClosed) {
        try line(TextLayout.wrap(text, to: columns, hanging: hanging))
    }

    func event(_ event: some Encodable) throws(OutputClosed) { try line(JSONLine.text(event)) }

    /// Draws lines without colours.
    func draw(_ lines: [String]) throws(OutputClosed) { try draw(lines.map { DrawnLine(text: $0) }) }
}

/// The output takes nothing more.
struct OutputClosed: Error {
    /// Which output and why, for people; nil where the reader has closed the pipe, which is no failure.
    var reason: String?
}
