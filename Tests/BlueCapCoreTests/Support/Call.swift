// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapTestExecutor

@testable import BlueCapCore

/// A call that runs in a task of its own, with its result so far.
final class Call<Value: Sendable>: Sendable {
    /// The call has not returned.
    struct Unfinished: Error {}

    private let outcome: Locked<Result<Value, any Error>?>
    private let task: Task<Void, Never>

    init(on executor: TestExecutor, _ body: @escaping @Sendable () async throws -> Value) {
        let outcome = Locked<Result<Value, any Error>?>(nil)
        self.outcome = outcome
        task = Task(executorPreference: executor) {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            outcome.withLock { $0 = result }
        }
    }

    /// Whether it has returned or thrown.
    var isDone: Bool { outcome.withLock { $0 } != nil }

    /// The error that it threw.
    var error: (any Error)? {
        if case .failure(let error) = outcome.withLock({ $0 }) { error } else { nil }
    }

    /// The value that it returned.
    var value: Value? { try? get() }

    /// Returns the call's value or throws its error; throws ``Unfinished`` if it has not ended yet.
    func get() throws -> Value { try (outcome.withLock { $0 } ?? .failure(Unfinished())).get() }

    func cancel() { task.cancel() }

    /// Waits until it has returned or thrown.
    func finished() async { await task.value }
}

/// The elements that a sequence has given so far, taken in a task of its own.
final class Recorder<Element: Sendable>: Sendable {
    private let elements: Locked<[Element]>
    private let call: Call<Void>

    convenience init<Sequence: AsyncSequence & Sendable>(
        _ sequence: Sequence, on world: World
    ) where Sequence.Element == Element {
        self.init(sequence, on: world.executor)
    }

    init<Sequence: AsyncSequence & Sendable>(
        _ sequence: Sequence, on executor: TestExecutor
    ) where Sequence.Element == Element {
        let elements = Locked<[Element]>([])
        self.elements = elements
        call = Call(on: executor) {
            for try await element in sequence { elements.withLock { $0.append(element) } }
        }
    }

    /// The elements so far.
    var all: [Element] { elements.withLock { $0 } }

    /// Whether the sequence has ended, quietly or with an error.
    var hasEnded: Bool { call.isDone }

    /// The error that the sequence threw.
    var error: (any Error)? { call.error }

    /// Leaves the loop.
    func cancel() { call.cancel() }
}
