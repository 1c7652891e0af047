// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// Ends a listener's sequence when its loop has waited too long for a value.
///
/// At most one timer of the clock runs at a time, for any number of values: when it fires, it checks how long the loop
/// has been waiting.
final class ValueDeadline: Sendable {
    private struct State {
        /// The start of the loop's wait; nil while the loop does not wait.
        var waitsSince: Duration?
        var timer: ClockTimer?
        var isArmed = false
        /// The number of timers so far; an earlier timer does not replace a later one.
        var lastTimer: UInt64 = 0
        var isOver = false

        mutating func makeTimer() -> UInt64 {
            isArmed = true
            lastTimer += 1
            return lastTimer
        }
    }

    private let limit: Duration
    private let clock: BlueCapClock
    private let box: SubscriptionRecord.Box
    private let state = Locked(State())

    init(_ limit: Duration, on clock: BlueCapClock, of box: SubscriptionRecord.Box) {
        (self.limit, self.clock, self.box) = (limit, clock, box)
    }

    deinit { cancel() }

    /// The loop begins to wait.
    func begin() {
        let now = clock.elapsed
        let number: UInt64? = state.withLock { state in
            state.waitsSince = now
            return state.isArmed || state.isOver ? nil : state.makeTimer()
        }
        if let number { arm(number, limit) }
    }

    /// The loop has received a value, or the end.
    func end() { state.withLock { $0.waitsSince = nil } }

    /// The sequence is over.
    func cancel() {
        let timer = state.withLock { state in
            state.isOver = true
            return state.timer.take()
        }
        timer?.cancel()
    }

    private func arm(_ number: UInt64, _ delay: Duration) {
        let timer = clock.schedule(after: delay) { [weak self] in self?.fire(number) }
        let isLate = state.withLock { state in
            if state.lastTimer == number, state.isArmed, !state.isOver { state.timer = timer }
            return state.isOver
        }
        if isLate { timer.cancel() }
    }

    private func fire(_ number: UInt64) {
        let now = clock.elapsed
        switch state.withLock({ turn(number, &$0, at: now) }) {
        case .over: break
        case .wait(let number, let delay): arm(number, delay)
        case .end(let wake): wake()
        }
    }

    private enum Turn {
        case over
        case wait(UInt64, Duration)
        case end(wake: () -> Void)
    }

    /// This runs within the lock: otherwise the loop could take a value, and wait again, between the check and the end.
    private func turn(_ number: UInt64, _ state: inout State, at now: Duration) -> Turn {
        guard state.lastTimer == number, !state.isOver else { return .over }
        state.timer = nil
        state.isArmed = false
        guard let since = state.waitsSince else { return .over }
        let remaining = since + limit - now
        if remaining > .zero { return .wait(state.makeTimer(), remaining) }
        // The result is nil if there is a value that the loop has not taken yet. Without a minimum, a limit of zero
        // would set one timer after another, and the clock would not advance.
        guard let wake = box.finishWaiting(.valueTimeout) else {
            return .wait(state.makeTimer(), max(limit, .milliseconds(1)))
        }
        state.isOver = true
        return .end(wake: wake)
    }
}
