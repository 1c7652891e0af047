// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapTerminal
import Dispatch
import Foundation

/// Something that a shell has to react to.
enum ShellInput: Sendable {
    /// A key was pressed.
    case key(KeyPress)
    case line(String)
    /// There are no more keys or lines.
    case ended
    case resized
    /// The process goes on after it was stopped.
    case continued
    /// SIGINT came.
    case interrupted
    /// The model's state is another.
    case changed
    /// The time has come to draw a change whose drawing was deferred.
    case due
    case finished(CommandFailure?)
    /// The scan beside it has.
    case scanFinished(CommandFailure?)
}

/// The inputs of a shell in the order in which they came.
final class ShellInputs: Sendable {
    private let mailbox = Mailbox<ShellInput, Never>(capacity: .unbounded)
    private let isChangePending = Locked(false)

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

/// The lines of standard input, read one by one as they are asked for, so that a long script waits in its file.
final class ShellFeed: Sendable {
    // SAFETY: only the thread that is made for reading waits for it, never a task; `next` signals, which
    // blocks nothing.
    private let demand = DispatchSemaphore(value: 0)

    /// Begins to read, for each ``next()`` one line. A process makes one, whose thread ends with the input.
    init(into inputs: ShellInputs) {
        // Reading blocks.
        Thread.detachNewThread { [demand] in
            while true {
                demand.wait()
                guard let line = readLine() else { return inputs.push(.ended) }
                inputs.push(.line(line))
            }
        }
    }

    func next() { demand.signal() }
}
