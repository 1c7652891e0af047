// SPDX-License-Identifier: MIT

#if os(Linux)
package import BlueCapRuntime

extension EventLoop {
    package var timerClock: BlueCapClock? {
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
