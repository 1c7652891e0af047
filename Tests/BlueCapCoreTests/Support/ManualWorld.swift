// SPDX-License-Identifier: MIT

import BlueCapTestExecutor

@testable import BlueCapCore

/// A manager over a scripted backend, on a manual clock, where everything happens step by step.
protocol ManualWorld: Sendable {
    associatedtype Event: Sendable

    var clock: ManualClock { get }
    var executor: TestExecutor { get }

    /// Sends an event to the manager and lets all of its effects happen.
    func emit(_ event: Event) async
}

extension ManualWorld {
    /// Runs a test whose tasks are all on the world's one executor, so that ``idle()`` can wait for all of them.
    func run(from event: Event?, _ body: @Sendable (Self) async throws -> Void) async throws {
        try await withTaskExecutorPreference(executor) {
            await idle()
            if let event { await emit(event) }
            try await body(self)
        }
    }

    /// Returns when every task is suspended.
    func idle() async { await executor.idle() }

    /// Starts a call and lets it go as far as it goes.
    func start<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async -> Call<Value> {
        let call = Call(on: executor, body)
        await idle()
        return call
    }

    /// Cancels a call and lets everything that follows from it happen.
    func cancel<Value>(_ call: Call<Value>) async {
        call.cancel()
        await idle()
    }

    /// Lets time pass; timers that fall due on the way fire at their own time.
    func advance(by duration: Duration) async {
        await idle()
        let target = clock.now.elapsed + duration
        while let next = clock.nextDeadline, next <= target {
            clock.advance(to: next)
            await idle()
        }
        clock.advance(to: target)
        await idle()
    }

    /// Records the elements of a stream.
    func recorder<Element: Sendable>(_ stream: AsyncStream<Element>) async -> Recorder<Element> {
        let recorder = Recorder(stream, on: executor)
        await idle()
        return recorder
    }
}
