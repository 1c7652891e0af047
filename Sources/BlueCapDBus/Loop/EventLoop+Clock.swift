// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapRuntime

extension EventLoop {
    /// The machine's continuous clock, with timers of the loop: a task on the loop that sleeps by it wakes no other
    /// thread.
    package var clock: BlueCapClock {
        BlueCapClock(
            elapsed: { .nanoseconds(TimerHeap.now()) },
            schedule: { [self] delay, body in
                let armed = Locked(TimerID?.none)
                submit { [self] in
                    let timer = after(delay, body)
                    armed.withLock { $0 = timer }
                }
                return ClockTimer { [self] in
                    // In its turn, behind the above.
                    submit { [self] in if let timer = armed.withLock({ $0 }) { cancel(timer) } }
                }
            })
    }
}
#endif
