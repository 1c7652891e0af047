// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@Suite("A value at an offset")
struct BytesOffsetTests {
    private static let bytes: Bytes = [1, 2, 3, 4, 5]

    @Test(arguments: [(0, UInt16(0x0201)), (2, 0x0403), (3, 0x0504)])
    func `is read where it begins`(_ place: (offset: Int, value: UInt16)) throws {
        #expect(try Self.bytes.read(UInt16.self, at: place.offset) == place.value)
        #expect(try Self.bytes.read(at: place.offset) == place.value)
    }

    @Test(arguments: [4, 5, 6, Int.max, -1, Int.min])
    func `is refused where the bytes do not reach`(_ offset: Int) {
        #expect(throws: SerDeError.self) { try Self.bytes.read(UInt16.self, at: offset) }
    }

    @Test func `is refused with the offset of the value`() {
        #expect(throws: SerDeError.truncated(needed: 2, available: 1, offset: 4)) {
            try Self.bytes.read(UInt16.self, at: 4)
        }
    }
}
