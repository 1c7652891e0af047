// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct ByteInputTests {
    @Test func `nothing is read before it is asked for, and no more than that`() async {
        let asked = Locked<[Int]>([])
        let input = ByteInput { maximum in
            asked.withLock { asked in
                asked.append(maximum)
                return asked.count > 2 ? nil : Bytes([UInt8](repeating: 1, count: maximum))
            }
        }
        #expect(await input.next(atMost: 3)?.count == 3)
        #expect(asked.withLock { $0 } == [3])
        #expect(await input.next(atMost: 5)?.count == 5)
        #expect(await input.next(atMost: 7) == nil)
        #expect(await input.next(atMost: 7) == nil)
        #expect(asked.withLock { $0 } == [3, 5, 7])
    }

    @Test func `what comes after a cancellation waits for the next caller, cut as it wants`() async {
        let (begun, gate) = (Mailbox<Void, Never>(capacity: .unbounded), Locked(false))
        let input = ByteInput { maximum in
            begun.push(())
            while !gate.withLock({ $0 }) {}
            return maximum == 4 ? [1, 2, 3, 4] : nil
        }
        let first = Task { await input.next(atMost: 4) }
        await begun.next()
        first.cancel()
        #expect(await first.value == nil)
        gate.withLock { $0 = true }
        #expect(await input.next(atMost: 3) == [1, 2, 3])
        #expect(await input.next(atMost: 3) == [4])
        #expect(await input.next(atMost: 3) == nil)
    }
}
