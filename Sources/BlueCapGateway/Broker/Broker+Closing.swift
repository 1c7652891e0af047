// SPDX-License-Identifier: MIT

#if Gateway && BlueZ && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapRuntime

/// The end of a connection for good, also while the thread of the broker does not answer.
extension Broker {
    /// Publishes the messages that wait, ends the connection with a farewell, and then the thread. To be called once,
    /// from outside of the thread.
    ///
    /// A thread that waits for the address of a host may do so for half a minute. It is given up after a second, and
    /// ends with the program.
    ///
    /// - Parameter limit: How long the messages may take; the rest is lost then.
    /// - Returns: How many messages the broker did not acknowledge. A message that gave way to a newer one of its topic
    ///   is not among them, and is counted as replaced.
    @discardableResult
    package nonisolated func close(within limit: Duration = .seconds(2)) async -> Int {
        guard await endAttempts(within: .seconds(1)) else {
            shown.withLock { $0.isGivenUp = true }
            events.finish()
            return endCount()
        }
        let lost = await farewell(within: limit)
        await loop.stop()
        return lost
    }

    /// Returns when the thread begins no further attempt to connect; false if it does not answer in time.
    private nonisolated func endAttempts(within limit: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            let waiting = Locked(Optional(continuation))
            let resume: @Sendable (Bool) -> Void = { isInTime in
                waiting.withLock { $0.take() }?.resume(returning: isInTime)
            }
            let timer = BlueCapClock.continuous.schedule(after: limit) { resume(false) }
            later {
                $0.mayConnect = false
                timer.cancel()
                resume(true)
            }
        }
    }
}
#endif
