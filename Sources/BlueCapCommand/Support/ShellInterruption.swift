// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The handler of Ctrl-C in a command that goes on after it.
final class ShellInterruption: Sendable {
    private let handler = Locked<(@Sendable () -> Bool)?>(nil)

    /// From now on SIGINT calls `handler`, which returns whether something was interrupted; nil ends that.
    func handle(with handler: (@Sendable () -> Bool)?) { self.handler.withLock { $0 = handler } }

    /// Interrupts.
    ///
    /// - Returns: Whether something was; otherwise the command ends.
    func interrupt() -> Bool { handler.withLock { $0 }?() ?? false }
}
