// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapTesting

@Suite("The history of a register")
struct RegisterHistoryTests {
    /// A history of writes and reads with their beginnings and ends; a write without an end is never known to be done.
    private func history(writes: [(UInt64, Int, Int?)], reads: [(UInt64, Int, Int)]) -> [String] {
        var history = RegisterHistory()
        for (number, began, ended) in writes {
            history.writeBegan(number, at: began)
            if let ended { history.writeWasDone(number, at: ended) }
        }
        for (number, began, ended) in reads { history.read(number, began: began, ended: ended) }
        return history.check()
    }

    @Test func `is in order when every read gives the last write`() {
        #expect(history(writes: [(1, 1, 2), (2, 5, 6)], reads: [(1, 3, 4), (2, 7, 8)]).isEmpty)
    }

    @Test func `lets a read that overlaps a write give either value`() {
        #expect(history(writes: [(1, 1, 2), (2, 3, 8)], reads: [(1, 4, 5), (2, 6, 7)]).isEmpty)
    }

    @Test func `lets a write that is not known to be done happen late, or never`() {
        #expect(history(writes: [(1, 1, 2), (2, 3, nil)], reads: [(1, 4, 5), (2, 6, 7)]).isEmpty)
        #expect(history(writes: [(1, 1, 2), (2, 3, nil)], reads: [(1, 4, 5)]).isEmpty)
    }

    @Test func `is out of order when a read gives what was overwritten before it began`() {
        #expect(!history(writes: [(1, 1, 2), (2, 3, 4)], reads: [(1, 5, 6)]).isEmpty)
        #expect(!history(writes: [(1, 1, 2)], reads: [(0, 3, 4)]).isEmpty)
    }

    @Test func `is out of order when a value comes back`() {
        #expect(!history(writes: [(1, 1, 20), (2, 2, 21)], reads: [(1, 3, 4), (2, 5, 6), (1, 7, 8)]).isEmpty)
    }

    @Test func `is out of order when a read gives what nobody wrote`() {
        #expect(history(writes: [], reads: [(9, 1, 2)]) == ["9 was read, but never written"])
    }
}
