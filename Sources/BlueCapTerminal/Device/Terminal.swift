// SPDX-License-Identifier: MIT

import BlueCapPlatform
import BlueCapRuntime

/// A terminal: its modes, its size, and the keys that are pressed on it.
///
/// In either mode each key is delivered when it is pressed, Ctrl-C and Ctrl-Z included, and nothing is echoed. Output
/// keeps its line feeds.
package final class Terminal: Sendable {
    package enum Mode: Sendable, Hashable {
        /// A line is edited below the lines of before.
        case line
        /// The whole screen is drawn; its former content comes back in the end.
        case screen

        /// Screen: the alternate one, bracketed paste, cursor hidden (xterm's "Control Sequences"). Line: bracketed
        /// paste.
        fileprivate var beginning: String {
            switch self {
            case .line: "\u{1B}[?2004h"
            case .screen: "\u{1B}[?1049h\u{1B}[?2004h\u{1B}[?25l\u{1B}[2J"
            }
        }

        fileprivate var end: String {
            switch self {
            case .line: "\u{1B}[?2004l"
            case .screen: "\u{1B}[?2004l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
            }
        }
    }

    private struct Entered {
        var mode: Mode
        var before: termios
    }

    /// How long to wait for the rest of a sequence after an ESC, in milliseconds.
    private static let escapeDelay: Int32 = 50
    private static let current = Locked<Terminal?>(nil)

    private let input: Int32
    private let output: Int32
    private let write: @Sendable (String) -> Void
    private let entered = Locked<Entered?>(nil)

    /// A terminal by its descriptors.
    package init(
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, write: @escaping @Sendable (String) -> Void
    ) {
        (self.input, self.output, self.write) = (input, output, write)
    }

    /// A Boolean value that is true if both descriptors are a terminal's.
    package var isTerminal: Bool { isatty(input) == 1 && isatty(output) == 1 }

    /// The size now; 80 columns and 24 rows where it is not known.
    package var size: TerminalSize {
        let known = Self.knownSize(of: output)
        return TerminalSize(columns: known?.columns ?? 80, rows: known?.rows ?? 24)
    }

    /// Whether a terminal of this name moves its cursor and shows styles, unlike one without a name and a `dumb` one.
    ///
    /// - Parameter name: The value of `TERM`; nil where it is not set.
    package static func isCapable(_ name: String?) -> Bool { !["", "dumb"].contains(name ?? "") }

    /// The size of the terminal behind a descriptor: columns and rows as far as they are known; nil where it is no
    /// terminal.
    package static func knownSize(of descriptor: Int32) -> (columns: Int?, rows: Int?)? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return (size.ws_col > 0 ? Int(size.ws_col) : nil, size.ws_row > 0 ? Int(size.ws_row) : nil)
    }

    /// Begins to take keys one by one. The modes of before are kept for ``leave()``.
    package func enter(_ mode: Mode) {
        var before = termios()
        guard unsafe tcgetattr(input, &before) == 0 else { return }
        let isFirst = entered.withLock { entered in
            if entered != nil { return false }
            entered = Entered(mode: mode, before: before)
            return true
        }
        guard isFirst else { return }
        Self.current.withLock { $0 = self }
        setModes(from: before)
        write(mode.beginning)
    }

    /// Gives the terminal back as it was found; does nothing the second time.
    package func leave() {
        let entered = entered.withLock { entered in
            defer { entered = nil }
            return entered
        }
        guard var entered else { return }
        write(entered.mode.end)
        unsafe tcsetattr(input, TCSADRAIN, &entered.before)
        Self.current.withLock { $0 = nil }
    }

    /// Gives the terminal that was entered last back as it was found. Safe to call at any time, from any thread.
    package static func restore() { current.withLock { $0 }?.leave() }

    /// Stops the process as Ctrl-Z does, with the terminal as it was found meanwhile; returns when the process goes on.
    package func suspend() {
        guard let mode = entered.withLock({ $0?.mode }) else { return }
        leave()
        Self.stop()
        enter(mode)
    }

    /// Stops the process; returns when it goes on, or at once where no shell could let it go on.
    package static func stop() {
        // A handler of the signal would take it; and threads of a pool have it blocked, so that it would wait.
        var (byDefault, action) = (sigaction(), sigaction())
        unsafe sigaction(SIGTSTP, &byDefault, &action)
        var (stop, before) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&stop)
        unsafe sigaddset(&stop, SIGTSTP)
        unsafe pthread_sigmask(SIG_UNBLOCK, &stop, &before)
        raise(SIGTSTP)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        unsafe sigaction(SIGTSTP, &action, nil)
    }

    /// Sets the modes once more: a shell may have changed them while the process was stopped.
    package func resume() {
        guard let (mode, before) = entered.withLock({ entered in entered.map { ($0.mode, $0.before) } }) else { return }
        setModes(from: before)
        write(mode.beginning)
    }

    /// Hands the keys that are pressed to `body`, until the input ends. It blocks: call it on a thread of its own.
    package func readKeys(_ body: (KeyPress) -> Void) {
        var decoder = KeyDecoder()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var ready = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&ready, 1, decoder.isAmbiguous ? Self.escapeDelay : -1)
            if count < 0 {
                if errno == EINTR { continue }
                return
            }
            if count == 0 {
                for key in decoder.timeOut() { body(key) }
                continue
            }
            let read = unsafe buffer.withUnsafeMutableBytes { unsafe systemRead(input, $0.baseAddress, $0.count) }
            if read < 0, errno == EINTR || errno == EAGAIN { continue }
            if read <= 0 { return }
            for key in decoder.decode(buffer[..<read]) { body(key) }
        }
    }

    private func setModes(from before: termios) {
        var raw = before
        unsafe cfmakeraw(&raw)
        raw.c_oflag = before.c_oflag
        unsafe tcsetattr(input, TCSADRAIN, &raw)
    }
}
