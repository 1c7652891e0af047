// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@Suite("What the errors say", .timeLimit(.minutes(60)))
struct SerDeErrorTests {
    @Test(
        arguments: [
            (.truncated(needed: 2, available: 1, offset: 5), "truncated: 2 bytes needed at offset 5, 1 available"),
            (.truncated(needed: 1, available: 0, offset: 0), "truncated: 1 byte needed at offset 0, 0 available"),
            (.invalidValue(offset: 3), "invalid value: the bytes at offset 3 are outside what the type allows"),
            (.invalidValue(offset: nil), "invalid value: it is outside what the type allows"),
            (
                .invalidText(offset: 4),
                "invalid text: what starts at offset 4 is not text in the encoding asked for (UTF-8 by default)"
            ),
            (.trailingBytes(1), "1 byte left over behind the value"),
            (.trailingBytes(12), "12 bytes left over behind the value"),
        ] as [(SerDeError, String)])
    func `each error says what was needed, what was there, and where`(error: SerDeError, text: String) {
        #expect("\(error)" == text)
    }

    @Test func `each kind is thrown with its exact payload from behind other fields`() {
        let bytes: Bytes = [1, 2, 0xff, 0xfe]
        #expect(throws: SerDeError.truncated(needed: 8, available: 3, offset: 1)) {
            try SerDe.deserialize(bytes, as: UInt8.self, Int64.self)
        }
        #expect(throws: SerDeError.truncated(needed: 6, available: 2, offset: 2)) {
            try SerDe.deserialize(bytes, as: UInt16.self, UInt48.self)
        }
        #expect(throws: SerDeError.truncated(needed: 7, available: 3, offset: 1)) {
            try SerDe.deserialize(bytes, as: UInt8.self, DateTime.self)
        }
        #expect(throws: SerDeError.invalidValue(offset: 1)) { try SerDe.deserialize(bytes, as: UInt8.self, Bool.self) }
        #expect(throws: SerDeError.invalidText(offset: 2)) {
            try SerDe.deserialize(bytes, as: UInt16.self, String.self)
        }
        #expect(throws: SerDeError.trailingBytes(2)) { try SerDe.deserialize(bytes, as: UInt8.self, UInt8.self) }
    }

    @Test
    func `values that were read before the error leave a reader behind them, and the error leaves it there`() {
        Bytes([1, 2, 3]).withBytes { span in
            var reader = ByteReader(span)
            let first = try? reader.read(UInt8.self)
            let second = try? reader.read(UInt24.self)
            #expect(first == 1)
            #expect(second == nil)
            #expect(reader.offset == 1)
        }
    }
}
