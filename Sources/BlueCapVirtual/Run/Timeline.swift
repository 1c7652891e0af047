// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// What the radio is going to do, in the order of time, and of request where times are equal.
///
/// One timer of the clock is armed, for the earliest entry. After each entry everything that was posted for the
/// backends' sinks meanwhile is handed over, so that no sink is ever called from inside a backend's method.
final class Timeline {
    typealias Entry = TimelineQueue.Entry

    private let clock: BlueCapClock
    private let executor: VirtualExecutor
    private var queue = TimelineQueue()
    private var posted: [() -> Void] = []
    private var handedOver: [() -> Void] = []
    private var armed: (time: Duration, timer: ClockTimer?)?
    private var isRunning = false
    /// The time of the entry that is being done.
    private var running: Duration?
    /// Calls back into ``fire()`` from a timer.
    var onDue: (@Sendable () -> Void)?

    init(clock: BlueCapClock, executor: VirtualExecutor) {
        self.clock = clock
        self.executor = executor
    }

    /// The time; while an entry is being done, the entry's. On a real clock that may be long ago when the machine is busy: what
    /// follows from an entry still comes before what was to happen later, as a time-out.
    var now: Duration { running ?? clock.elapsed }

    /// Does `body` after `delay`.
    @discardableResult
    func schedule(after delay: Duration, _ body: @escaping () -> Void) -> Entry { schedule(at: now + delay, body) }

    /// Does `body` at `time`, or as soon as possible when that has passed.
    @discardableResult
    func schedule(at time: Duration, _ body: @escaping () -> Void) -> Entry {
        let entry = queue.add(at: time, body)
        if !isRunning { arm() }
        return entry
    }

    /// Takes an entry back; nothing happens when it was done already.
    func cancel(_ entry: Entry?) {
        guard let entry, queue.cancel(entry) else { return }
        if !isRunning { arm() }
    }

    /// Does `body` after the entry that is being done, or soon.
    func post(_ body: @escaping () -> Void) {
        posted.append(body)
        if !isRunning { arm() }
    }

    /// Does everything that is due by now; what becomes due meanwhile waits for its turn on the executor.
    func fire() {
        guard !isRunning else { return }
        let due = clock.elapsed
        armed?.timer?.cancel()
        armed = nil
        isRunning = true
        handOver()
        while let (time, body) = queue.popDue(at: due) {
            running = max(time, running ?? time)
            body()
            handOver()
        }
        running = nil
        isRunning = false
        arm()
    }

    /// Forgets everything, for good.
    func clear() {
        armed?.timer?.cancel()
        armed = nil
        queue = TimelineQueue()
        posted = []
        onDue = nil
    }

    private func handOver() {
        while !posted.isEmpty {
            swap(&posted, &handedOver)
            for body in handedOver { body() }
            handedOver.removeAll(keepingCapacity: true)
        }
    }

    /// Has ``fire()`` called when the earliest entry is due.
    private func arm() {
        guard let onDue else { return }
        let current = now
        let time = posted.isEmpty ? queue.nextTime.map { max($0, current) } : current
        if let armed {
            if armed.time == time { return }
            armed.timer?.cancel()
        }
        armed = nil
        guard let time else { return }
        if time <= current {
            armed = (time, nil)
            executor.submit(onDue)
        } else {
            let executor = executor
            armed = (time, clock.schedule(after: time - current) { executor.submit(onDue) })
        }
    }
}
