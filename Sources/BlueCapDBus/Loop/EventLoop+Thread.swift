// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapPlatform
import BlueCapRuntime
import CBlueCapLinux
import Synchronization

// The work of the loop's thread, from its start to its end.
extension EventLoop {
    func startThread() -> Int32 {
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
                poll(waits: waits)
                fireTimers()
                batches = 0
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

    private func poll(waits: Bool) {
        counts.polls += 1
        let milliseconds = waits ? timers.millisecondsToNext() : 0
        unsafe withUnsafeTemporaryAllocation(of: bluecap_ready.self, capacity: 64) { ready in
            let count = unsafe bluecap_epoll_wait(poller.rawValue, ready.baseAddress, 64, milliseconds)
            // Awake before any handler is called: the loop finds entries added meanwhile, by handlers or by others,
            // without being woken.
            if waits { shared.withLock { $0.isSleeping = false } }
            guard count > 0 else { return }
            for index in 0..<Int(count) {
                let event = unsafe ready[index]
                if event.token == 0 {
                    bluecap_eventfd_clear(wake.rawValue)
                } else {
                    // A watch removed by an earlier handler of this round is no longer found.
                    counts.handlers += 1
                    watches[event.token]?.handler(Readiness(rawValue: event.ready))
                }
            }
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
