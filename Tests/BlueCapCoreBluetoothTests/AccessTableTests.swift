// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCoreBluetooth

struct AccessTableTests {
    @Test func `an access is answered once`() throws {
        var table = AccessTable<String>()
        let ids = table.add("read")
        let id = try #require(ids.first)
        let answer = table.answer(id, .success([1]))
        #expect(answer?.request == "read")
        #expect(answer?.result == .success([1]))
        let second = table.answer(id, .success([2]))
        #expect(second == nil)
        #expect(table.count == 0)
    }

    @Test func `an array of writes is answered with its last access`() {
        var table = AccessTable<String>()
        let ids = table.add("writes", count: 3)
        #expect(ids == ids.sorted { $0.rawValue < $1.rawValue })
        let answers = [ids[1], ids[0], ids[2]].map { table.answer($0, .success([]))?.result }
        #expect(answers == [nil, nil, .success([])])
    }

    @Test func `an array of writes is answered with the first error`() {
        var table = AccessTable<String>()
        let ids = table.add("writes", count: 3)
        let results: [Result<Bytes, ATTError>] = [.failure(.invalidOffset), .failure(.writeNotPermitted), .success([])]
        let answers = zip(ids, results).map { table.answer($0, $1)?.result }
        #expect(answers == [nil, nil, .failure(.invalidOffset)])
    }

    @Test func `the accesses of an attribute that is gone are taken out, and wait no longer`() {
        var table = AccessTable<String>()
        let gone = table.add("gone", count: 2)
        let kept = table.add("kept")
        let taken = table.take { $0 == "gone" }
        let answers = (gone + kept).map { table.answer($0, .success([]))?.request }
        #expect(taken == ["gone"])
        #expect(answers == [nil, nil, "kept"])
    }

    @Test func `names are not used again after all accesses have ended`() {
        var table = AccessTable<String>()
        let former = table.add("read")
        table.removeAll()
        let answers = former.map { table.answer($0, .success([]))?.request }
        let next = table.add("read")
        #expect(answers == [nil])
        #expect(next != former)
    }
}
