// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Foundation
import Testing

@Suite("Several values at once", .timeLimit(.minutes(60)))
struct TupleTests {
    @Test func `values of different types go both ways, from every source`() throws {
        let bytes = SerDe.serialize(7 as UInt8, -2 as Int16, 0x010203 as UInt24, true as Bool)
        #expect(bytes == [7, 0xfe, 0xff, 3, 2, 1, 1])
        let expected: (UInt8, Int16, UInt24, Bool) = (7, -2, 0x010203, true)
        let fromBytes = try SerDe.deserialize(bytes, as: UInt8.self, Int16.self, UInt24.self, Bool.self)
        #expect(fromBytes == expected)
        let fromArray = try SerDe.deserialize(Array(bytes), as: UInt8.self, Int16.self, UInt24.self, Bool.self)
        #expect(fromArray == expected)
        let slice = (Data([1]) + bytes.data)[1...]
        let fromData = try SerDe.deserialize(slice, as: UInt8.self, Int16.self, UInt24.self, Bool.self)
        #expect(fromData == expected)
    }

    @Test func `the last value may take all that is left`() throws {
        let bytes = SerDe.serialize(1 as UInt8, [2, 3] as [UInt16], "Hi")
        #expect(bytes == [1, 2, 0, 3, 0, 0x48, 0x69])
        let (first, text) = try SerDe.deserialize([1, 0x48, 0x69] as Bytes, as: UInt8.self, String.self)
        #expect(first == 1)
        #expect(text == "Hi")
    }

    @Test
    func `a value that is cut is named by its place, and surplus bytes are treated as the policy says`() throws {
        let bytes: Bytes = [1, 2, 3, 4]
        #expect(throws: SerDeError.truncated(needed: 4, available: 3, offset: 1)) {
            try SerDe.deserialize(bytes, as: UInt8.self, UInt32.self)
        }
        #expect(throws: SerDeError.trailingBytes(1)) { try SerDe.deserialize(bytes, as: UInt8.self, UInt16.self) }
        let (first, second) = try SerDe.deserialize(bytes, as: UInt8.self, UInt16.self, surplus: .ignore)
        #expect(first == 1)
        #expect(second == 0x0302)
        #expect(throws: SerDeError.invalidValue(offset: 1)) { try SerDe.deserialize(bytes, as: UInt8.self, Bool.self) }
    }

    @Test func `a reader reads several values and stands behind them`() throws {
        try Bytes([1, 2, 3, 4]).withBytes { (span: RawSpan) throws(SerDeError) -> Void in
            var reader = ByteReader(span)
            let values = try reader.read(UInt8.self, UInt16.self)
            #expect(values == (1, 0x0302))
            #expect(reader.remaining == 1)
        }
    }
}
