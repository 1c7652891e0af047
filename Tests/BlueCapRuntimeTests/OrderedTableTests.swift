// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Testing

@Suite("An ordered table")
struct OrderedTableTests {
    @Test func `is gone through in the order of its keys' coming, also after changes in place`() {
        var table = OrderedTable<String, Int>()
        for (index, key) in ["d", "a", "c", "b"].enumerated() { table[key] = index }
        table["a"]? += 10
        table["c"] = nil
        table["c"] = 5
        #expect(table.keys == ["d", "a", "b", "c"])
        #expect(table.values == [0, 11, 3, 5])
        #expect(table.filter { $0.value > 3 }.keys == ["a", "c"])
    }

    @Test func `agrees with a dictionary over thousands of insertions and removals`() {
        var table = OrderedTable<UInt64, UInt64>()
        var expected: [UInt64: UInt64] = [:]
        var random: UInt64 = 1
        for _ in 0..<20_000 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let key = (random >> 33) % 200
            switch (random >> 60) % 4 {
            case 0: #expect(table.removeValue(forKey: key) == expected.removeValue(forKey: key))
            case 1: (table[key], expected[key]) = (nil, nil)
            case 2: (table[key], expected[key]) = (random, random)
            default:
                table[key]? &+= 1
                expected[key]? &+= 1
            }
        }
        #expect(table.count == expected.count)
        #expect(table.isEmpty == expected.isEmpty)
        for (key, value) in table { #expect(expected[key] == value) }
    }
}
