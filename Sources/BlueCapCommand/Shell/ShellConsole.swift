// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// Where a shell prints its lines, around the prompt where there is one.
final class ShellConsole: Sendable {
    private struct State {
        var prompt: String?
        var isClosed: OutputClosed?
    }

    private let output: any LineOutput
    private let errors: @Sendable (String) -> Void
    private let draw: (@Sendable (String) throws(OutputClosed) -> Void)?
    private let state = Locked(State())

    /// - Parameters:
    ///   - output: Takes results.
    ///   - errors: Takes error messages.
    ///   - draw: Writes to the terminal that both of them are; nil where there is no prompt.
    init(
        output: any LineOutput, errors: @escaping @Sendable (String) -> Void,
        draw: (@Sendable (String) throws(OutputClosed) -> Void)? = nil
    ) {
        (self.output, self.errors, self.draw) = (output, errors, draw)
    }

    func print(_ lines: [String]) {
        around { () throws(OutputClosed) in for line in lines { try output.line(line) } }
    }

    func complain(_ message: String) { around { () throws(OutputClosed) in errors("bluecap: \(message)") } }

    /// Shows a prompt with a line, in place of the shown one; nil removes it.
    ///
    /// - Parameter row: The text, and the column of the cursor in it.
    func show(_ row: (text: String, cursor: Int)?) {
        // Back to the first column, and forward to the cursor's (ECMA-48, 8.3.20).
        let prompt = row.map { "\r\($0.text)\u{1B}[K\r" + ($0.cursor > 0 ? "\u{1B}[\($0.cursor)C" : "") }
        state.withLock { state in
            if prompt == state.prompt { return }
            write(prompt ?? "\r\u{1B}[K", &state)
            state.prompt = prompt
        }
    }

    /// Leaves the prompt where it is, and goes on below.
    func commit() {
        state.withLock { state in
            if state.prompt != nil { write("\n", &state) }
            state.prompt = nil
        }
    }

    func clear() {
        state.withLock { state in
            write("\u{1B}[H\u{1B}[2J", &state)
            state.prompt = nil
        }
    }

    /// - Throws: Why nothing more can be printed.
    func check() throws(OutputClosed) {
        if let closed = state.withLock({ $0.isClosed }) { throw closed }
    }

    /// Removes the prompt while `body` prints.
    private func around(_ body: () throws(OutputClosed) -> Void) {
        state.withLock { state in
            guard state.isClosed == nil else { return }
            if state.prompt != nil { write("\r\u{1B}[K", &state) }
            do throws(OutputClosed) { try body() } catch { state.isClosed = error }
            if let prompt = state.prompt { write(prompt, &state) }
        }
    }

    private func write(_ text: String, _ state: inout State) {
        guard let draw, state.isClosed == nil else { return }
        do throws(OutputClosed) { try draw(text) } catch { state.isClosed = error }
    }
}
