// SPDX-License-Identifier: MIT

import BlueCapCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One thread that runs one thing after another, in the order of arrival.
///
/// A test whose tasks all prefer this executor is deterministic: when its queue is empty, everything waits for the test.
final class TestExecutor: BackendExecutor {
    private let queue: TestQueue

    init() {
        queue = TestQueue()
        queue.start()
    }

    deinit { queue.stop() }

    func submit(_ body: @escaping @Sendable () -> Void) { queue.add { body() } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.add {
            // Right: the closure holds this executor for as long as the job runs on it.
            unsafe job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
        }
    }

    func checkIsolated() { precondition(queue.isCurrent, "not on the test's executor") }

    func isIsolatingCurrentContext() -> Bool? { queue.isCurrent }

    /// Returns when nothing is left to run: every task that prefers this executor waits for something.
    func idle() async {
        await withCheckedContinuation { continuation in queue.whenIdle { continuation.resume() } }
    }
}

/// The queue and its thread.
// Right: `items`, `isStopped` and `thread` are touched between lock and unlock of `mutex` only, what is queued is `Sendable`, and
// the pointers never change.
@safe
private final class TestQueue: @unchecked Sendable {
    private var items: [@Sendable () -> Void] = []
    private var isStopped = false
    private var thread: pthread_t?
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    var isCurrent: Bool { withLock { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }

    func start() {
        var created = pthread_t()
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        unsafe pthread_create(&created, nil, { unsafe runTestQueue($0) }, context)
        pthread_detach(created)
    }

    func stop() {
        withLock { isStopped = true }
        unsafe pthread_cond_signal(condition)
    }

    func add(_ item: @escaping @Sendable () -> Void) {
        withLock { items.append(item) }
        unsafe pthread_cond_signal(condition)
    }

    func whenIdle(_ body: @escaping @Sendable () -> Void) {
        add { [weak self] in
            if self?.withLock({ self?.items.isEmpty }) ?? true { body() } else { self?.whenIdle(body) }
        }
    }

    fileprivate func run() {
        withLock { thread = pthread_self() }
        while let item = next() { item() }
    }

    private func next() -> (@Sendable () -> Void)? {
        withLock {
            while items.isEmpty {
                if isStopped { return nil }
                unsafe pthread_cond_wait(condition, mutex)
            }
            return items.removeFirst()
        }
    }

    private func withLock<Result>(_ body: () -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body()
    }
}

private func runTestQueue(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<TestQueue>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
