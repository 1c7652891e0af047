// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapPlatform
import BlueCapRuntime
import BlueCapTerminal

/// Standard output: a terminal that is drawn on, or a file or pipe that gets lines as they come.
final class StandardOutput: LineOutput {
    private let isLive: Bool
    private let hasColors: Bool
    private let drawn = Locked((lines: 0, screen: ScreenSize?.none, returns: 0))
    /// Whether any output of this process has hidden the cursor, and how often it was given back. Unlike other locks
    /// this one is held while the terminal is written to and while the process is stopped.
    private static let cursor = Locked((isHidden: false, returns: 0))

    /// - Parameter draws: Whether to draw, where standard output is a terminal that can.
    init(draws: Bool) {
        isLive = draws && isatty(STDOUT_FILENO) == 1 && Terminal.isCapable(Environment.value("TERM"))
        hasColors = isLive && Self.allowsColors
    }

    /// Whether neither the settings nor the environment (no-color.org) forbid colours.
    static var allowsColors: Bool {
        let isWanted = (try? SettingsFile.current.get())?.text(.color) != "never"
        return isWanted && (Environment.value("NO_COLOR") ?? "").isEmpty
    }

    var screen: ScreenSize? {
        guard isLive else { return nil }
        let size = Terminal(write: { _ in }).size
        return ScreenSize(columns: size.columns, rows: size.rows, hasColors: hasColors)
    }

    var columns: Int? { Terminal.knownSize(of: STDOUT_FILENO)?.columns }

    /// How wide the terminal is that standard error goes to; nil where it goes elsewhere.
    static var errorColumns: Int? { Terminal.knownSize(of: STDERR_FILENO)?.columns }

    func line(_ text: String) throws(OutputClosed) {
        drawn.withLock { $0.lines = 0 }
        WaitingLine.shared.hide()
        try writeText(TextLayout.printableLines(text) + "\n", to: STDOUT_FILENO)
    }

    /// Writes the bytes of a device as they are; to a terminal as text, without characters that it would obey.
    func bytes(_ bytes: Bytes) throws(OutputClosed) {
        WaitingLine.shared.hide()
        if isatty(STDOUT_FILENO) == 1 {
            return try writeText(TextLayout.printableLines(String(decoding: bytes, as: UTF8.self)), to: STDOUT_FILENO)
        }
        try writeBytes(Array(bytes), to: STDOUT_FILENO, called: "the output")
    }

    func draw(_ lines: [DrawnLine]) throws(OutputClosed) {
        WaitingLine.shared.end()
        let size = screen
        // The lock is held until all is written, so that the cursor is given back either before this or after it.
        try Self.cursor.withLock { (cursor) throws(OutputClosed) in
            cursor.isHidden = true
            try writeText(text(of: lines, on: size, returns: cursor.returns), to: STDOUT_FILENO)
        }
    }

    private func text(of lines: [DrawnLine], on size: ScreenSize?, returns: Int) -> String {
        let last = drawn.withLock { drawn in
            defer { drawn = (lines.count, size, returns) }
            return drawn
        }
        // Cursor hidden; up to the first line drawn; each line cleared and written; the rest below cleared. Clearing
        // comes first, because behind a line as wide as the terminal it would take the last character. A change of size
        // moves the first line to an unknown place, so that the whole screen is cleared. If other output was written
        // meanwhile, drawing starts again below it.
        var text = "\u{1B}[?25l\r"
        if let before = last.screen, before != size {
            text += "\u{1B}[H\u{1B}[J"
        } else if last.lines > 0, last.returns == returns {
            text += "\u{1B}[\(last.lines)A"
        }
        for line in lines { text += "\u{1B}[K\(line.output)\n" }
        return TerminalText.shownAtOnce(text + "\u{1B}[J")
    }

    /// Shows the cursor again, if it was hidden. Safe to call at any time, but from `body`.
    ///
    /// - Parameter body: Done then, before anything is drawn again. It must not draw.
    static func restoreTerminal(then body: () -> Void = {}) {
        cursor.withLock { cursor in
            if cursor.isHidden { try? writeText("\u{1B}[?25h", to: STDOUT_FILENO) }
            cursor = (false, cursor.returns + 1)
            body()
        }
    }
}

/// Lines of progress or trouble on standard error; a reader that has gone away is no trouble. Text from a radio or a
/// file is made printable.
func report(_ text: String) {
    WaitingLine.shared.hide()
    try? writeText(TextLayout.printableLines(text) + "\n", to: STDERR_FILENO)
}

/// Writes all of a text to a file descriptor.
///
/// - Throws: ``OutputClosed``, with the reason where it is not a reader that has gone away.
func writeText(_ text: String, to descriptor: Int32) throws(OutputClosed) {
    try writeBytes(Array(text.utf8), to: descriptor, called: "the output")
}

/// Writes all of some bytes to a file descriptor.
///
/// - Throws: ``OutputClosed``, with the reason where it is not a reader that has gone away.
func writeBytes(_ bytes: [UInt8], to descriptor: Int32, called name: String) throws(OutputClosed) {
    let error = unsafe bytes.withUnsafeBufferPointer { (buffer) -> Int32 in
        var sent = 0
        while sent < buffer.count {
            let count = unsafe systemWrite(
                descriptor, buffer.baseAddress.map { unsafe $0 + sent }, buffer.count - sent)
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN {
                var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                unsafe poll(&room, 1, 1000)
                continue
            }
            if count <= 0 { return count < 0 ? errno : EPIPE }
            sent += count
        }
        return 0
    }
    if error == EPIPE { throw OutputClosed() }
    if error != 0 { throw OutputClosed(reason: "\(name): \(unsafe String(cString: strerror(error)))") }
}
