// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Testing

@Suite("Condition", .timeLimit(.minutes(60)))
struct ConditionTests {
    @Test func `a limit that the machine's clock could not add to its own is one all the same`() async {
        await #expect(processExitsWith: .success) {
            let (condition, hasLooked) = (Condition(false), Locked(false))
            let other = Task.detached {
                // From then on the lock is free only while the other side sleeps.
                while !hasLooked.withLock({ $0 }) { await Task.yield() }
                condition.withLock { $0 = true }
                condition.signal()
            }
            condition.wait(atMost: .seconds(Int64.max)) { isOver in
                hasLooked.withLock { $0 = true }
                return !isOver
            }
            await other.value
        }
    }

    @Test(arguments: [Duration.zero, .milliseconds(-1), .milliseconds(-1999)])
    func `a limit that is over when the wait begins ends it at once`(_ limit: Duration) {
        var looks = 0
        Condition(true).wait(atMost: limit) { isOn in
            looks += 1
            return isOn
        }
        // The closure ran once, with the time already over, and was not called again.
        #expect(looks == 1)
    }
}
