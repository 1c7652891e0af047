// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCoreBluetooth

struct RecentTableTests {
    @Test func `the entry that was used least recently goes first`() {
        var table = RecentTable<Int, String>(limit: 2)
        table.set("one", for: 1)
        table.set("two", for: 2)
        #expect(table.use(1) == "one")
        table.set("three", for: 3)
        #expect(table.use(2) == nil)
        #expect(table.use(1) == "one")
        #expect(table.use(3) == "three")
    }

    @Test func `ten thousand entries that are used once leave those of the limit`() {
        var table = RecentTable<Int, Int>(limit: 1_024)
        for key in 0..<10_000 { table.set(key, for: key) }
        #expect(table.count == 1_024)
        #expect(Set(table.values) == Set(8_976..<10_000))
    }

    @Test func `an entry that is used again and again stays, and keeps its newest value`() {
        var table = RecentTable<Int, Int>(limit: 4)
        for turn in 0..<1_000 {
            table.set(turn, for: 0)
            table.set(turn, for: turn % 7 + 1)
        }
        #expect(table.use(0) == 999)
        #expect(table.count == 4)
    }

    @Test func `nothing is left of a table that was emptied`() {
        var table = RecentTable<Int, Int>(limit: 4)
        table.set(1, for: 1)
        table.removeAll()
        #expect(table.use(1) == nil)
        #expect(table.count == 0)
    }
}
