// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// The radio's future events, in the order of time, and of request where times are equal.
///
/// One timer of the clock is armed, for the earliest entry. After each entry all events that were posted for the
/// backends' sinks meanwhile are handed over, so that no sink is ever called from inside a backend's method.
///
/// On the machine's own time the timer is the executor's alarm, for which no other thread is woken, and patient entries
/// are taken together: each in its turn and with its own time, but up to 20 ms late.
final class Timeline {
    typealias Entry = TimelineQueue.Entry
    typealias Body = () -> Void

    /// The next step of a turn of ``fire()``.
    private enum Step {
        /// The posted bodies were put into the turn's own list.
        case posted
        case entry(Body)
    }

    /// All mutable state, in one place: each of its functions is one access, for which the runtime looks whether
    /// another is under way.
    private struct State {
        var queue = TimelineQueue()
        var posted: [Body] = []
        /// An empty list with room, for bodies that are posted while a turn works on the other.
        var spare: [Body] = []
        var armed: (time: Duration, timer: ClockTimer?)?
        var isRunning = false
        /// The time of the entry that is being done.
        var running: Duration?

        /// Begins a turn, which takes the place of the timer.
        mutating func begin(_ handedOver: inout [Body]) -> ClockTimer? {
            isRunning = true
            swap(&spare, &handedOver)
            defer { armed = nil }
            return armed?.timer
        }

        mutating func next(upTo due: Duration, _ handedOver: inout [Body]) -> Step? {
            if !posted.isEmpty {
                swap(&posted, &handedOver)
                return .posted
            }
            guard let (time, body) = queue.popDue(at: due) else { return nil }
            running = max(time, running ?? time)
            return .entry(body)
        }

        mutating func end(_ handedOver: inout [Body]) {
            running = nil
            isRunning = false
            swap(&spare, &handedOver)
        }

        /// Adds a body to run at a time; returns whether a timer has to be armed for it.
        mutating func add(
            at time: Duration, isPatient: Bool, _ body: @escaping Body
        ) -> (entry: Entry, isToBeArmed: Bool) {
            (queue.add(at: time, isPatient: isPatient, body), !isRunning)
        }

        mutating func post(_ body: @escaping Body) -> Bool {
            posted.append(body)
            return !isRunning
        }

        /// The timer that is no longer of use, and the time for which a new one is to be armed; nil where the armed
        /// timer is right.
        mutating func arm(_ now: Duration) -> (old: ClockTimer?, time: Duration?)? {
            let time = posted.isEmpty ? queue.nextWake(Timeline.patience).map { max($0, now) } : now
            if let armed, armed.time == time { return nil }
            defer { armed = nil }
            return (armed?.timer, time)
        }
    }

    /// How long a patient entry may wait for others.
    private static let patience = Duration.milliseconds(20)

    private let clock: BlueCapClock
    private let executor: VirtualExecutor
    private var state = State()
    /// Calls back into ``fire()`` from a timer; the same closure each time.
    private var onDue: (@Sendable () -> Void)?
    /// Submits the call of ``fire()`` to the executor.
    private var submitDue: @Sendable () -> Void = {}

    init(clock: BlueCapClock, executor: VirtualExecutor) {
        self.clock = clock
        self.executor = executor
    }

    /// - Parameter onDue: Calls back into ``fire()``.
    func start(_ onDue: @escaping @Sendable () -> Void) {
        let executor = executor
        self.onDue = onDue
        submitDue = { executor.submit(onDue) }
    }

    /// The time; while an entry is being done, the entry's. On a real clock that may be long ago when the machine is
    /// busy: the consequences of an entry still come before a later event, such as a time-out.
    var now: Duration { state.running ?? clock.elapsed }

    /// Does `body` after `delay`.
    ///
    /// - Parameter isPatient: Whether it may come 20 ms late where the time is the machine's own.
    @discardableResult
    func schedule(after delay: Duration, isPatient: Bool = false, _ body: @escaping Body) -> Entry {
        schedule(at: now + delay, isPatient: isPatient, body)
    }

    /// Does `body` at `time`, or as soon as possible when that has passed.
    @discardableResult
    func schedule(at time: Duration, isPatient: Bool = false, _ body: @escaping Body) -> Entry {
        let (entry, isToBeArmed) = state.add(at: time, isPatient: isPatient && clock.isContinuous, body)
        if isToBeArmed { arm() }
        return entry
    }

    /// Cancels an entry; does nothing if it was done already.
    func cancel(_ entry: Entry?) {
        guard let entry, state.queue.cancel(entry) else { return }
        if !state.isRunning { arm() }
    }

    /// Does `body` after the entry that is being done, or soon.
    func post(_ body: @escaping Body) {
        if state.post(body) { arm() }
    }

    /// Does everything that is due by now; entries that become due meanwhile wait for their turn on the executor.
    func fire() {
        guard !state.isRunning else { return }
        var handedOver: [Body] = []
        state.begin(&handedOver)?.cancel()
        let due = clock.elapsed
        while let step = state.next(upTo: due, &handedOver) {
            switch step {
            case .entry(let body): body()
            case .posted:
                for body in handedOver { body() }
                handedOver.removeAll(keepingCapacity: true)
            }
        }
        state.end(&handedOver)
        arm()
    }

    /// Forgets everything, for good.
    func clear() {
        state.armed?.timer?.cancel()
        executor.clearAlarm()
        state.armed = nil
        state.queue = TimelineQueue()
        state.posted = []
        onDue = nil
        submitDue = {}
    }

    /// Has ``fire()`` called when the earliest entry is due.
    private func arm() {
        guard let onDue else { return }
        let current = now
        guard let (old, time) = state.arm(current) else { return }
        old?.cancel()
        guard let time else { return }
        if time <= current {
            state.armed = (time, nil)
            executor.submit(onDue)
        } else if clock.isContinuous {
            // One that is set already, and no longer of use, finds nothing due.
            state.armed = (time, nil)
            executor.setAlarm(at: time, onDue)
        } else {
            state.armed = (time, clock.schedule(after: time - current, submitDue))
        }
    }
}
