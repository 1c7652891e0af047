// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct StandardInputTests {
    @Test func `lines that come faster than they are taken are all taken, in order`() async {
        let rest = Locked((1...3000).map(String.init)[...])
        let lines = StandardInput.lines { rest.withLock { $0.popFirst() } }
        // Waits until the buffer of waiting lines is full.
        while rest.withLock({ $0.count }) > 3000 - 1025, !Task.isCancelled { await Task.yield() }
        var taken: [String] = []
        for await line in lines { taken.append(line) }
        #expect(taken == (1...3000).map(String.init))
    }
}
