// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// Runs the requests of a shell one at a time, each in a task that can be interrupted.
final class ShellRunner: Sendable {
    private let model: ShellModel
    private let finished: @Sendable (CommandFailure?) -> Void
    private let executor: (any TaskExecutor)?
    private let running = Locked<(label: String, task: Task<Void, Never>)?>(nil)

    /// - Parameters:
    ///   - model: The model that performs the requests.
    ///   - executor: Where they run; nil for any thread.
    ///   - finished: Is called at the end of each request; its failure is nil where the request succeeded.
    init(
        model: ShellModel, executor: (any TaskExecutor)? = nil, finished: @escaping @Sendable (CommandFailure?) -> Void
    ) {
        (self.model, self.executor, self.finished) = (model, executor, finished)
    }

    /// The label of the running request; nil where none runs.
    var label: String? { running.withLock { $0?.label } }

    /// Starts a request, unless one runs. Its end has to be taken with ``finish()``.
    ///
    /// - Returns: Whether it was started.
    func start(_ request: ShellRequest) -> Bool {
        running.withLock { running in
            if running != nil { return false }
            let task = Task(executorPreference: executor) { [model, finished] in
                var failure: CommandFailure?
                do { try await model.perform(request) } catch { failure = CommandFailure(error) }
                // Whatever it failed with, it did because of the interruption.
                if Task.isCancelled { failure = CommandFailure(.interrupted, "interrupted") }
                finished(failure)
            }
            running = (request.label, task)
            return true
        }
    }

    func finish() { running.withLock { $0 = nil } }

    /// Interrupts the running request.
    ///
    /// - Returns: Whether something did.
    @discardableResult
    func interrupt() -> Bool {
        guard let task = running.withLock({ $0?.task }) else { return false }
        task.cancel()
        return true
    }

    /// Interrupts the running request, and waits for its end.
    func end() async {
        guard let task = running.withLock({ $0?.task }) else { return }
        task.cancel()
        await task.value
    }
}
