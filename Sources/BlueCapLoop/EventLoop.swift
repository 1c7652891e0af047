// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapPlatform
import BlueCapRuntime
import CBlueCapLinux
import Synchronization

// SAFETY: `shared` is behind its lock, `owner` and `wakeups` are atomic, the descriptors never change; the rest is only
// touched by the loop's thread, which every entry point checks with `preconditionOnLoop`.
/// One thread that waits for file descriptors, timers and work: the executor of everything that touches a bus, a
/// broker or another socket.
///
/// It is a serial executor, for actors that share state with callbacks of a bus without a hop, and a task executor, for
/// tasks that want their calls to start and end without a hop. Never block in code that runs on it.
///
/// Methods marked *loop only* trap when called from another thread.
package final class EventLoop: BackendExecutor, @unchecked Sendable {
    /// How much queued work is done, in batches, before descriptors and timers get their turn: work that makes more of
    /// itself does not starve them.
    static let batchesBetweenPolls = 16

    private enum Work {
        /// A job of an actor on the loop.
        case job(UnownedJob)
        /// A job of a task that prefers the loop, outside of any actor.
        case free(UnownedJob)
        case block(@Sendable () -> Void)
    }

    private enum Turn {
        /// The batch that was taken.
        case work
        /// Asks for descriptors that are ready, and waits for them when nothing is queued.
        case poll(waits: Bool)
        case pause(nanoseconds: Int64)
        case end([CheckedContinuation<Void, Never>])
    }

    private struct Shared {
        var work: [Work] = []
        var isSleeping = false
        var isStopping = false
        var hasThread = true
        var stopWaiters: [CheckedContinuation<Void, Never>] = []
    }

    private struct Counts {
        var polls = 0
        var jobs = 0
        var handlers = 0
    }

    private let shared = Locked(Shared())
    private let owner = Atomic<UInt>(0)
    private let wakeups = Atomic<Int>(0)
    private let wake: FileDescriptor
    let poller: FileDescriptor

    // Loop only.
    var watches: [UInt64: Watch] = [:]
    var nextWatch: UInt64 = 1
    var timers = TimerHeap()
    private var counts = Counts()
    /// How long the thread pauses after a wake; see ``moderate(by:)``.
    private var moderation: Int64 = 0
    private var pauseEnd: Int64?
    /// Whether no descriptor was ready the last time, and no pause has passed since.
    private var isDrained = true
    /// How many calls wait for their answers: while there are any, there are no pauses.
    package var awaitedCount = 0

    /// Starts the thread. Throws when the process is out of descriptors or threads.
    package init() throws(LoopError) {
        poller = FileDescriptor(owning: try FileDescriptor.checked(bluecap_epoll_create(), "epoll_create1"))
        wake = FileDescriptor(owning: try FileDescriptor.checked(bluecap_eventfd(), "eventfd"))
        let added = bluecap_epoll_add(poller.rawValue, wake.rawValue, UInt32(BLUECAP_READ), 0)
        _ = try FileDescriptor.checked(added, "epoll_ctl")
        let status = startThread()
        guard status == 0 else { throw LoopError(call: "pthread_create", errno: status) }
    }

    /// Runs `body` on the loop, in order with everything else submitted or enqueued. From any thread.
    package func submit(_ body: @escaping @Sendable () -> Void) { add(.block(body)) }

    /// Runs `body` on the loop at its top level, after the work that is queued already. Loop only.
    package func runLater(_ body: @escaping () -> Void) {
        preconditionOnLoop()
        // SAFETY: made on the loop's thread and run on it; the queue between is only a waiting place.
        nonisolated(unsafe) let body = body
        add(.block { unsafe body() })
    }

    /// Runs `body` on the loop, in its turn, and hands back its result. From any thread.
    @discardableResult
    package func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            submit {
                do throws(Failure) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    package func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Queues a job of a task that prefers the loop. It runs outside of any actor: the runtime would otherwise have it
    /// leave the loop's own isolation, by the queue, at each `await`.
    @_implements(TaskExecutor,enqueue(_:))
    package func enqueueFree(_ job: consuming ExecutorJob) { add(.free(UnownedJob(job))) }

    private func add(_ work: Work) {
        let (poke, start) = shared.withLock { state in
            state.work.append(work)
            let poke = state.isSleeping
            state.isSleeping = false
            let start = !state.hasThread
            state.hasThread = true
            return (poke, start)
        }
        if poke {
            wakeups.add(1, ordering: .relaxed)
            bluecap_eventfd_signal(wake.rawValue)
        }
        // A job that comes after `stop` still runs, on a thread that ends when the queue is empty again.
        if start { precondition(startThread() == 0, "no thread to be had for the event loop") }
    }

    /// Has the thread pause after each wake, when no descriptor is ready any more, and take all that has come in the
    /// pause together, as network cards moderate their interrupts: a thread that is woken for each of many signals
    /// spends more time on waking than on them.
    ///
    /// The first signal after a quiet time is taken at once, and timers fire when they are due. While a call waits for
    /// its answer, and after the answer, there are no pauses. Loop only.
    package func moderate(by pause: Duration) {
        preconditionOnLoop()
        (moderation, pauseEnd) = (TimerHeap.nanoseconds(pause), nil)
    }

    /// Has the thread pause when it has done the work that is queued, as ``moderate(by:)`` does after each wake. Loop
    /// only.
    package func pause(for duration: Duration) {
        preconditionOnLoop()
        pauseEnd = TimerHeap.now() + TimerHeap.nanoseconds(duration)
    }

    /// How many times another thread had to wake the loop.
    package var wakeupCount: Int { wakeups.load(ordering: .relaxed) }

    /// How many times the loop has asked for descriptors that are ready. Loop only.
    package var pollCount: Int {
        preconditionOnLoop()
        return counts.polls
    }

    /// How many jobs and blocks have been begun. Loop only.
    package var workCount: Int {
        preconditionOnLoop()
        return counts.jobs
    }

    /// How many times a descriptor's or a timer's handler has been called. Loop only.
    package var handlerCount: Int {
        preconditionOnLoop()
        return counts.handlers
    }

    /// Whether there is a thread: false once stopped, until there is work again.
    var hasThread: Bool { shared.withLock { $0.hasThread } }

    /// Whether the caller is on the loop's thread.
    package var isCurrent: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

    package func checkIsolated() { preconditionOnLoop() }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor { unsafe UnownedTaskExecutor(ordinary: self) }

    /// Traps off the loop's thread.
    package func preconditionOnLoop() { precondition(isCurrent, "must be called on the event loop") }

    /// Drops all watches and timers, lets the work that is queued run, and returns when the thread has released the
    /// loop and is about to end: the loop's descriptors are closed with the last reference of its users.
    ///
    /// Close the connections on it first. Call it from outside the loop. Jobs that come later still run.
    package func stop() async {
        await withCheckedContinuation { continuation in
            submit {
                self.shared.withLock { state in
                    state.isStopping = true
                    state.stopWaiters.append(continuation)
                }
            }
            // Also in a pause.
            bluecap_eventfd_signal(wake.rawValue)
        }
    }

    // MARK: The thread, from its start to its end

    private func startThread() -> Int32 {
        var thread = pthread_t()
        let me = unsafe Unmanaged.passRetained(self)
        let status = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                let waiters = unsafe EventLoop.run(Unmanaged<EventLoop>.fromOpaque(context))
                // Only after this thread has released the loop: the last other reference may be a waiter's.
                for waiter in waiters { waiter.resume() }
                return nil
            }, me.toOpaque())
        if status == 0 { pthread_detach(thread) } else { unsafe me.release() }
        return status
    }

    /// Runs a loop on this thread until it is stopped, and gives the thread's reference to it back.
    ///
    /// - Returns: The continuations that wait for the end.
    private static func run(_ loop: Unmanaged<EventLoop>) -> [CheckedContinuation<Void, Never>] {
        let waiters = unsafe loop.takeUnretainedValue().runUntilStopped()
        unsafe loop.release()
        return waiters
    }

    private func runUntilStopped() -> [CheckedContinuation<Void, Never>] {
        unsafe bluecap_thread_setup("bluecap-bus")
        owner.store(UInt(pthread_self()), ordering: .relaxed)
        var batch: [Work] = []
        var batches = 0
        while true {
            switch takeTurn(&batch, mayWork: batches < Self.batchesBetweenPolls) {
            case .work:
                for work in batch { perform(work) }
                batch.removeAll(keepingCapacity: true)
                batches += 1
            case .poll(let waits):
                let wasAwaiting = awaitedCount > 0
                isDrained = !poll(waits: waits)
                // An answer is often followed by the next call.
                if waits, !isDrained, moderation > 0, !wasAwaiting { pauseEnd = TimerHeap.now() + moderation }
                fireTimers()
                batches = 0
            case .pause(let time):
                if bluecap_pause(wake.rawValue, time) { pauseEnd = nil }
                isDrained = false
                fireTimers()
            case .end(let waiters):
                return waiters
            }
        }
    }

    /// Takes the queued work, or reports that there is none: from then on a call that adds work wakes the thread.
    private func takeTurn(_ batch: inout [Work], mayWork: Bool) -> Turn {
        // Their handlers are released after the lock, because the release may submit work.
        var dropped = (watches: [UInt64: Watch](), timers: TimerHeap())
        return shared.withLock { state in
            if !state.work.isEmpty {
                guard mayWork else { return .poll(waits: false) }
                swap(&batch, &state.work)
                return .work
            }
            guard state.isStopping else {
                if let pause = nextPause() { return isDrained ? .pause(nanoseconds: pause) : .poll(waits: false) }
                state.isSleeping = true
                return .poll(waits: true)
            }
            swap(&dropped.watches, &watches)
            swap(&dropped.timers, &timers)
            owner.store(0, ordering: .relaxed)
            state.hasThread = false
            let waiters = state.stopWaiters
            state.stopWaiters = []
            return .end(waiters)
        }
    }

    /// The time to the end of the pause, or to the next timer; nil without a pause.
    private func nextPause() -> Int64? {
        guard let pauseEnd else { return nil }
        let pause = min(pauseEnd, timers.nextDue ?? pauseEnd) - TimerHeap.now()
        if awaitedCount == 0, pause > 0 { return pause }
        self.pauseEnd = nil
        return nil
    }

    private func perform(_ work: Work) {
        counts.jobs += 1
        switch work {
        case .job(let job):
            unsafe job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        case .free(let job):
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        case .block(let body):
            body()
        }
    }

    /// Calls the handlers of descriptors that are ready.
    ///
    /// - Returns: Whether there was one, but for that by which other threads wake the loop.
    private func poll(waits: Bool) -> Bool {
        counts.polls += 1
        let milliseconds = waits ? timers.millisecondsToNext() : 0
        return unsafe withUnsafeTemporaryAllocation(of: bluecap_ready.self, capacity: 64) { ready in
            let count = unsafe bluecap_epoll_wait(poller.rawValue, ready.baseAddress, 64, milliseconds)
            // Awake before any handler is called: the loop finds entries added meanwhile, by handlers or by others,
            // without being woken.
            if waits { shared.withLock { $0.isSleeping = false } }
            guard count > 0 else { return false }
            var wasWoken = false
            for index in 0..<Int(count) {
                let event = unsafe ready[index]
                if event.token == 0 {
                    bluecap_eventfd_clear(wake.rawValue)
                    wasWoken = true
                } else {
                    // A watch removed by an earlier handler of this round is no longer found.
                    counts.handlers += 1
                    watches[event.token]?.handler(Readiness(rawValue: event.ready))
                }
            }
            return count > 1 || !wasWoken
        }
    }

    private func fireTimers() {
        guard !timers.isEmpty else { return }
        let now = TimerHeap.now()
        while let body = timers.popDue(at: now) {
            counts.handlers += 1
            body()
        }
    }
}
#endif
