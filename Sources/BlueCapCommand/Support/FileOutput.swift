// SPDX-License-Identifier: MIT

/// A file that takes the lines of a command.
struct FileOutput: LineOutput {
    private let file: OutputFile

    /// Makes the file, or empties it.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/failed``.
    init(_ path: String) throws(CommandFailure) { file = try OutputFile(path) }

    var screen: ScreenSize? { nil }

    func line(_ text: String) throws(OutputClosed) {
        do throws(CommandFailure) {
            try file.write(Array((text + "\n").utf8))
        } catch {
            throw OutputClosed(reason: error.message)
        }
    }

    func draw(_ lines: [String]) throws(OutputClosed) {}
}
