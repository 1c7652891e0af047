// SPDX-License-Identifier: MIT

import BlueCapPlatform
import BlueCapRuntime
import BlueCapTerminal

/// The operation that a command waits for, shown on standard error when it takes more than a second.
///
/// On a terminal it is a line that counts the seconds and disappears; elsewhere, and on one that cannot do that, the
/// text is printed once.
final class WaitingLine: Sendable {
    private struct State {
        var text: String?
        var begun: ContinuousClock.Instant?
        var isShown = false
        /// Takes that an operation has begun.
        var beginnings: AsyncStream<Void>.Continuation?
    }

    static let shared = WaitingLine(
        columns: { Terminal.isCapable(Environment.value("TERM")) ? StandardOutput.errorColumns : nil },
        write: { try? writeText($0, to: STDERR_FILENO) })

    private let state = Locked(State())
    private let columns: @Sendable () -> Int?
    private let write: @Sendable (String) -> Void

    init(columns: @escaping @Sendable () -> Int?, write: @escaping @Sendable (String) -> Void) {
        (self.columns, self.write) = (columns, write)
    }

    func begin(_ text: String, now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            erase(&state)
            (state.text, state.begun) = (TextLayout.printable(text), now)
            state.beginnings?.yield()
        }
    }

    func end() {
        state.withLock { state in
            erase(&state)
            (state.text, state.begun) = (nil, nil)
        }
    }

    /// Makes room for another line; the operation is shown again with the next tick.
    func hide() { state.withLock { erase(&$0) } }

    /// Shows the operation, if it is time.
    func tick(now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            guard let text = state.text, let begun = state.begun, now - begun >= .seconds(1) else { return }
            guard let columns = columns() else {
                write("\(text) …\n")
                state.text = nil
                return
            }
            let line = TextLayout.truncate("\(text) … \((now - begun).components.seconds) s", to: columns - 1)
            write("\r\(line)\u{1B}[K")
            state.isShown = true
        }
    }

    /// Ticks until the task is cancelled, while there is an operation.
    func run() async {
        let (begun, beginnings) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        beginnings.yield()
        state.withLock { $0.beginnings = beginnings }
        for await _ in begun {
            while isWaiting, (try? await Task.sleep(for: .milliseconds(250))) != nil { tick() }
        }
    }

    private var isWaiting: Bool { state.withLock { $0.text != nil } }

    private func erase(_ state: inout State) {
        if state.isShown { write("\r\u{1B}[K") }
        state.isShown = false
    }
}
