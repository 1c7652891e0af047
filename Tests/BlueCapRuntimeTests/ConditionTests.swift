// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Testing

@Suite("Condition", .timeLimit(.minutes(5)))
struct ConditionTests {
    @Test func `a limit that the machine's clock could not add to its own is one all the same`() async {
        await #expect(processExitsWith: .success) {
            Condition(true).wait(atMost: .seconds(Int64.max)) { !$0 }
        }
    }

    @Test(arguments: [Duration.zero, .milliseconds(-1), .milliseconds(-1999)])
    func `a limit that is over when the wait begins ends it at once`(_ limit: Duration) {
        Condition(true).wait(atMost: limit) { $0 }
    }
}
