// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapPlatform
import BlueCapRuntime
import Synchronization

/// The virtual radio's one thread of control: a queue of jobs and a thread that takes them in order.
///
/// It is a serial executor for the backends and the managers over them, and a task executor for the tasks of
/// ``VirtualRadio/run(limit:patience:_:)``. Its thread exists while the radio does, and for as long afterwards as jobs
/// still come.
public final class VirtualExecutor: BackendExecutor {
    private enum Work {
        case job(UnownedJob)
        /// A job of a task that prefers this executor, outside of any actor.
        case free(UnownedJob)
        case body(@Sendable () -> Void)
    }

    private struct State {
        var queue = RingBuffer<Work>()
        var hasThread = false
        var isReleased = false
        var counts = Counts()
        var idle: IdleHandler?
        var idleChanged = false
        var alarm: Alarm?
        /// How much work was taken since the alarm's time was looked at.
        var unlooked = 0
    }

    /// A body to run when a time of the machine's clock has come.
    private struct Alarm {
        let time: Duration
        let body: @Sendable () -> Void
    }

    /// After how much work the alarm's time is looked at, when there is always work.
    private static let worksBetweenLooks = 16

    /// How much work there was so far.
    struct Counts: Sendable, Equatable {
        /// All work that was taken.
        var taken: UInt64 = 0
        /// The turns of tasks among it.
        var jobs: UInt64 = 0
        /// The work that came from other threads.
        var foreign: UInt64 = 0
    }

    /// Asked when nothing is queued, with the work so far.
    typealias IdleHandler = @Sendable (Counts) -> IdleOutcome

    /// The thread's next step when it has nothing queued.
    enum IdleOutcome {
        /// Look at the queue again: something may have been put there.
        case again
        /// Sleep until a job comes.
        case sleep
        /// Sleep until a job comes, for so long at most in real time; then ask again.
        case sleepAtMost(Duration)
    }

    private let state = Condition(State())
    private let thread = Atomic<UInt>(0)

    init() {}

    // MARK: Taking work

    /// Runs a job after the jobs and bodies submitted or enqueued before it.
    public func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Runs a job of a task that prefers this executor, as ``enqueue(_:)`` does. Such a job runs outside of any actor:
    /// the runtime would otherwise have it leave the executor's own isolation, by the queue, at each `await`.
    @_implements(TaskExecutor,enqueue(_:))
    public func enqueueFree(_ job: consuming ExecutorJob) { add(.free(UnownedJob(job))) }

    /// Runs `body` after the jobs and bodies submitted or enqueued before it.
    public func submit(_ body: @escaping @Sendable () -> Void) { add(.body(body)) }

    private func add(_ work: Work) {
        // Its own thread looks into the queue before it sleeps.
        let isForeign = !isCurrent
        let needsThread = state.withLock { state in
            state.queue.append(work)
            if isForeign { state.counts.foreign += 1 }
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if needsThread { startThread() } else if isForeign { state.signal() }
    }

    /// How much work has come from other threads so far.
    package var foreignCount: UInt64 { counts.foreign }

    var counts: Counts { state.withLock { $0.counts } }

    /// Runs `body` at once when called on the executor, in its turn otherwise.
    func perform(_ body: @escaping @Sendable () -> Void) {
        if isCurrent { body() } else { submit(body) }
    }

    // MARK: Identity

    /// A Boolean value that is true if the caller is on the executor's thread.
    public var isCurrent: Bool { thread.load(ordering: .relaxed) == ThreadIdentity.current.number }

    /// Traps off the executor.
    public func checkIsolated() { precondition(isCurrent, "not on the virtual radio's executor") }

    /// Returns whether the caller is on the executor; never unknown.
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Returns the executor as actors name it; it must outlive them.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    // MARK: The thread

    /// The handler to call whenever the queue is empty; nil just sleeps. It runs on the executor's thread, outside of
    /// any job.
    func setIdle(_ handler: IdleHandler?) {
        state.withLock { state in
            state.idle = handler
            state.idleChanged = true
        }
        state.signal()
    }

    /// Has `body` run when a time of `BlueCapClock.continuous` has come, in the place of the alarm before: the thread
    /// sleeps until then, and no other one has to wake it. Call it on the executor.
    func setAlarm(at time: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.alarm = Alarm(time: time, body: body) }
    }

    /// Forgets the alarm. Call it on the executor.
    func clearAlarm() {
        // Released outside of the lock.
        _ = state.withLock { state in
            defer { state.alarm = nil }
            return state.alarm
        }
    }

    /// Lets the thread end once the queue is empty. Jobs that come later get a thread of their own again.
    func release() {
        state.withLock { $0.isReleased = true }
        state.signal()
    }

    private func startThread() {
        ThreadIdentity.startDetached { self.work() }
    }

    private func work() {
        thread.store(ThreadIdentity.current.number, ordering: .relaxed)
        let serial = unsafe asUnownedSerialExecutor()
        let tasks = unsafe asUnownedTaskExecutor()
        while let work = next() {
            switch work {
            case .job(let job): unsafe job.runSynchronously(isolatedTo: serial, taskExecutor: tasks)
            case .free(let job): unsafe job.runSynchronously(on: tasks)
            case .body(let body): body()
            }
        }
    }

    private enum Step {
        case take(Work)
        case ask(IdleHandler, Counts)
        /// Sleep, for so long at most.
        case rest(Duration?)
        case end
    }

    /// The next piece of work; nil when the thread is to end.
    private func next() -> Work? {
        var mayAsk = true
        var limit: Duration?
        while true {
            switch step(mayAsk: mayAsk) {
            case .take(let work):
                return work
            case .end:
                return nil
            case .ask(let handler, let counts):
                switch handler(counts) {
                case .again: mayAsk = true
                case .sleep: (mayAsk, limit) = (false, nil)
                case .sleepAtMost(let duration): (mayAsk, limit) = (false, duration)
                }
            case .rest(let alarm):
                if let alarm { limit = min(limit ?? alarm, alarm) }
                state.wait(atMost: limit) { $0.queue.isEmpty && !$0.isReleased && !$0.idleChanged }
                (mayAsk, limit) = (true, nil)
            }
        }
    }

    private func step(mayAsk: Bool) -> Step {
        state.withLock { state in
            var rest: Duration?
            if let alarm = state.alarm, state.queue.isEmpty || state.unlooked >= Self.worksBetweenLooks {
                state.unlooked = 0
                let left = alarm.time - BlueCapClock.continuous.elapsed
                if left <= .zero {
                    state.alarm = nil
                    state.counts.taken += 1
                    return .take(.body(alarm.body))
                }
                rest = left
            }
            if let work = state.queue.popFirst() {
                state.unlooked += 1
                state.counts.taken += 1
                if case .body = work {} else { state.counts.jobs += 1 }
                return .take(work)
            }
            if state.isReleased {
                thread.store(0, ordering: .relaxed)
                state.hasThread = false
                return .end
            }
            let isNew = state.idleChanged
            state.idleChanged = false
            if mayAsk || isNew, let handler = state.idle { return .ask(handler, state.counts) }
            return .rest(rest)
        }
    }
}
