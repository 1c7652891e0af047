// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

private struct Flags: FlagSet, Equatable {
    let rawValue: UInt16
    static let first = Flags(rawValue: 1)
    static let last = Flags(rawValue: 1 << 15)
}

private struct LongFlags: FlagSet, Equatable {
    let rawValue: UInt32
    static let size = 3
    static let last = LongFlags(rawValue: 1 << 23)
}

@Suite("Flag sets", .timeLimit(.minutes(60)))
struct FlagSetTests {
    @Test func `flags are their raw value, little-endian, unnamed ones included`() throws {
        #expect(SerDe.serialize([.first, .last] as Flags) == [1, 0x80])
        let flags: Flags = try SerDe.deserialize([0x02, 0x80] as Bytes)
        #expect(flags.contains(.last))
        #expect(!flags.contains(.first))
        #expect(flags.rawValue == 0x8002)
        #expect(throws: SerDeError.truncated(needed: 2, available: 1, offset: 0)) {
            try SerDe.deserialize([1] as Bytes, as: Flags.self)
        }
    }

    @Test func `flags of three bytes read and write three`() throws {
        #expect(SerDe.serialize(LongFlags.last) == [0, 0, 0x80])
        #expect(try SerDe.deserialize([1, 2, 0x80] as Bytes, as: LongFlags.self).rawValue == 0x80_0201)
        #expect(throws: SerDeError.truncated(needed: 3, available: 2, offset: 0)) {
            try SerDe.deserialize([1, 2] as Bytes, as: LongFlags.self)
        }
    }
}
