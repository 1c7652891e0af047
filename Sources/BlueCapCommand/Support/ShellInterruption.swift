// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The handler of Ctrl-C in a command that goes on after it.
final class ShellInterruption: Sendable {
    private struct State {
        var handler: (@Sendable () -> Bool)?
    }

    private let state = Locked(State())

    /// From now on SIGINT calls `handler`, which returns whether something was interrupted; nil ends that.
    func handle(with handler: (@Sendable () -> Bool)?) { state.withLock { $0.handler = handler } }

    /// Interrupts.
    ///
    /// - Returns: Whether something was; otherwise the command ends.
    func interrupt() -> Bool { state.withLock { $0.handler }?() ?? false }
}
