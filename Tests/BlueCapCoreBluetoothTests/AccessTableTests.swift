// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCoreBluetooth

struct AccessTableTests {
    @Test func `an access is answered once`() throws {
        var table = AccessTable<String>()
        let id = try #require(table.add("read").first)
        let answer = try #require(table.answer(id, .success([1])))
        #expect(answer.request == "read")
        #expect(answer.result == .success([1]))
        #expect(table.answer(id, .success([2])) == nil)
        #expect(table.count == 0)
    }

    @Test func `an array of writes is answered with its last access`() throws {
        var table = AccessTable<String>()
        let ids = table.add("writes", count: 3)
        #expect(ids == ids.sorted { $0.rawValue < $1.rawValue })
        #expect(table.answer(ids[1], .success([])) == nil)
        #expect(table.answer(ids[0], .success([])) == nil)
        #expect(try #require(table.answer(ids[2], .success([]))).result == .success([]))
    }

    @Test func `an array of writes is answered with the first error`() throws {
        var table = AccessTable<String>()
        let ids = table.add("writes", count: 3)
        #expect(table.answer(ids[0], .failure(.invalidOffset)) == nil)
        #expect(table.answer(ids[1], .failure(.writeNotPermitted)) == nil)
        #expect(try #require(table.answer(ids[2], .success([]))).result == .failure(.invalidOffset))
    }

    @Test func `names are not used again after all accesses have ended`() throws {
        var table = AccessTable<String>()
        let former = try #require(table.add("read").first)
        table.removeAll()
        #expect(table.answer(former, .success([])) == nil)
        #expect(table.add("read") != [former])
    }
}
