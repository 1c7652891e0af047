// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapTerminal

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

/// A terminal's size in characters.
struct ScreenSize: Sendable, Hashable {
    var columns: Int
    var rows: Int
    var hasColors = false
}

/// A file that takes the lines of a command. It stays as it was until the first line comes.
final class FileOutput: LineOutput {
    private let path: String
    private let file = Locked<OutputFile?>(nil)

    /// Makes sure that the file can be written.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/failed``.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        try ToolFile.requireWritable(path)
    }

    /// Makes the file, or empties it, if no line has come.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/failed``.
    func begin() throws(CommandFailure) { _ = try opened() }

    private func opened() throws(CommandFailure) -> OutputFile {
        if let file = file.withLock({ $0 }) { return file }
        let made = try OutputFile(path)
        file.withLock { $0 = made }
        return made
    }

    var screen: ScreenSize? { nil }
    var columns: Int? { nil }

    func line(_ text: String) throws(OutputClosed) {
        let file: OutputFile
        do throws(CommandFailure) { file = try opened() } catch { throw OutputClosed(reason: error.message) }
        // The file may be a terminal, or be shown on one.
        try file.write(Array((TextLayout.printableLines(text) + "\n").utf8))
    }

    func draw(_ lines: [DrawnLine]) throws(OutputClosed) {}
}
