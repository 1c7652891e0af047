// SPDX-License-Identifier: MIT

import BlueCapRuntime

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
