// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapTerminal

/// Something that a shell has to react to.
enum ShellInput: Sendable {
    /// A key was pressed.
    case key(KeyPress)
    /// A line was read from a file or a pipe.
    case line(String)
    /// There are no more keys or lines.
    case ended
    /// The terminal has another size.
    case resized
    /// The process goes on after it was stopped.
    case continued
    /// SIGINT came.
    case interrupted
    /// The model's state is another.
    case changed
    /// The time has come to draw a change whose drawing was deferred.
    case due
    /// A request has come to its end.
    case finished(CommandFailure?)
    /// The scan beside it has.
    case scanFinished(CommandFailure?)
}

/// The inputs of a shell in the order in which they came.
final class ShellInputs: Sendable {
    private let mailbox = Mailbox<ShellInput, Never>(capacity: .unbounded)
    private let isChangePending = Locked(false)

    /// Adds an input.
    func push(_ input: ShellInput) { mailbox.push(input) }

    /// Adds that the model's state is another, unless that is to be taken yet.
    func pushChange() {
        let isNews = isChangePending.withLock { isPending in
            defer { isPending = true }
            return !isPending
        }
        if isNews { mailbox.push(.changed) }
    }

    /// The next input; nil for a task that is cancelled.
    func next() async -> ShellInput? {
        let input = await mailbox.next()
        if case .changed = input { isChangePending.withLock { $0 = false } }
        return input
    }
}
