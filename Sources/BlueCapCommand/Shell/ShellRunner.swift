// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// Runs the requests of a shell one at a time, each in a task that can be interrupted.
final class ShellRunner: Sendable {
    private let model: ShellModel
    private let inputs: ShellInputs
    private let executor: (any TaskExecutor)?
    private let running = Locked<(label: String, task: Task<Void, Never>)?>(nil)

    /// - Parameters:
    ///   - model: What does the requests.
    ///   - inputs: Is given ``ShellInput/finished(_:)`` at the end of each.
    ///   - executor: Where they run; nil for any thread.
    init(model: ShellModel, inputs: ShellInputs, executor: (any TaskExecutor)? = nil) {
        (self.model, self.inputs, self.executor) = (model, inputs, executor)
    }

    /// What runs; nil where nothing does.
    var label: String? { running.withLock { $0?.label } }

    /// Starts a request, unless one runs. Its end has to be taken with ``finish()``.
    ///
    /// - Returns: Whether it was started.
    func start(_ request: ShellRequest) -> Bool {
        running.withLock { running in
            if running != nil { return false }
            let task = Task(executorPreference: executor) { [model, inputs] in
                var failure: CommandFailure?
                do { try await model.perform(request) } catch { failure = CommandFailure(error) }
                // Whatever it failed with, it did because of the interruption.
                if Task.isCancelled { failure = CommandFailure(.interrupted, "interrupted") }
                inputs.push(.finished(failure))
            }
            running = (request.label, task)
            return true
        }
    }

    /// What ran is over.
    func finish() { running.withLock { $0 = nil } }

    /// Interrupts what runs.
    ///
    /// - Returns: Whether something did.
    @discardableResult
    func interrupt() -> Bool {
        guard let task = running.withLock({ $0?.task }) else { return false }
        task.cancel()
        return true
    }

    /// Interrupts what runs, and waits for its end.
    func end() async {
        guard let task = running.withLock({ $0?.task }) else { return }
        task.cancel()
        await task.value
    }
}
