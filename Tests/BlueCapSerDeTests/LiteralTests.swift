// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@Suite("Literals", .timeLimit(.minutes(60)))
struct LiteralTests {
    @Test func `of arrays of numbers are bytes`() {
        let bytes = SerDe.serialize([1, 2, 255])
        #expect(bytes.count == 3)
        #expect(bytes == ([1, 2, 255] as Bytes))
    }

    @Test func `of arrays whose type is said are values of that type`() {
        #expect(SerDe.serialize([1, 2] as [Int16]) == ([1, 0, 2, 0] as Bytes))
        #expect(SerDe.serialize([1] as [Double]).count == 8)
    }
}
