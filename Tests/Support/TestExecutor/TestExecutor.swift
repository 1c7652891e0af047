// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// One thread that runs one thing after another, in the order of arrival.
///
/// A test whose tasks all prefer this executor is deterministic: when its queue is empty, everything waits for the
/// test.
package final class TestExecutor: BackendExecutor {
    private let queue: TestQueue

    package init() {
        let queue = TestQueue()
        self.queue = queue
        ThreadIdentity.startDetached { queue.run() }
    }

    deinit { queue.stop() }

    package func submit(_ body: @escaping @Sendable () -> Void) { queue.add { body() } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.add {
            // SAFETY: the closure holds this executor for as long as the job runs on it.
            unsafe job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
        }
    }

    package func checkIsolated() { precondition(queue.isCurrent, "not on the test's executor") }

    package func isIsolatingCurrentContext() -> Bool? { queue.isCurrent }

    /// Returns when no job is left to run: every task that prefers this executor is suspended.
    package func idle() async {
        await withCheckedContinuation { continuation in queue.whenIdle { continuation.resume() } }
    }
}

/// The state that the executor and its thread share.
private final class TestQueue: Sendable {
    private struct Item {
        let run: @Sendable () -> Void
    }

    private struct State {
        var items = RingBuffer<Item>()
        var isStopped = false
        var thread: UInt?
    }

    private let state = Condition(State())

    var isCurrent: Bool { state.withLock { $0.thread } == ThreadIdentity.current.number }

    func stop() {
        state.withLock { $0.isStopped = true }
        state.signal()
    }

    func add(_ item: @escaping @Sendable () -> Void) {
        state.withLock { $0.items.append(Item(run: item)) }
        state.signal()
    }

    func whenIdle(_ body: @escaping @Sendable () -> Void) {
        add { [weak self] in
            guard let self else { return body() }
            if state.withLock({ $0.items.isEmpty }) { body() } else { whenIdle(body) }
        }
    }

    func run() {
        state.withLock { $0.thread = ThreadIdentity.current.number }
        while let item = next() { item.run() }
    }

    private func next() -> Item? {
        while true {
            state.wait(atMost: nil) { $0.items.isEmpty && !$0.isStopped }
            let (item, isStopped) = state.withLock { ($0.items.popFirst(), $0.isStopped) }
            if let item { return item }
            if isStopped { return nil }
        }
    }
}
