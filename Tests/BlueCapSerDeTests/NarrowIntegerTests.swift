// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

/// Checks the properties of every narrow integer, at its bounds and at random numbers.
private func check<T: NarrowInteger>(_ type: T.Type, bytes count: Int, _ bounds: ClosedRange<T.Value>) throws {
    #expect(T.size == count)
    #expect(T.min.value == bounds.lowerBound)
    #expect(T.max.value == bounds.upperBound)
    #expect(T(exactly: bounds.lowerBound) == T.min)
    #expect(T(exactly: bounds.upperBound) == T.max)
    #expect(T(exactly: Int128(bounds.lowerBound) - 1) == nil)
    #expect(T(exactly: Int128(bounds.upperBound) + 1) == nil)
    #expect(T(clamping: Int128.min) == T.min)
    #expect(T(clamping: Int128.max) == T.max)
    #expect(T("\(Int128(bounds.lowerBound) - 1)") == nil)
    #expect(T("\(Int128(bounds.upperBound) + 1)") == nil)
    #expect(T("") == nil)
    #expect(T("1.0") == nil)
    #expect(T.min < T.max)

    var random = SplitMix64(seed: UInt64(count))
    let numbers =
        [bounds.lowerBound, bounds.upperBound, 0, 1]
        + (0..<1000).map { _ in T.Value.random(in: bounds, using: &random) }
    for number in numbers {
        let value = try #require(T(exactly: number))
        try hold(value.value == number, number)
        try hold(T(clamping: number) == value, number)
        try hold(T(truncatingIfNeeded: number) == value, number)
        try hold(T(value.description) == value, number)
        let little = (0..<count).map { UInt8(truncatingIfNeeded: number >> T.Value(8 * $0)) }
        try hold(SerDe.serialize(value) == Bytes(little), number)
        try hold(SerDe.deserialize(Bytes(little)) == value, number)
        try hold(Bytes(capacity: count) { $0.write(value, .bigEndian) } == Bytes(little.reversed()), number)
        let big = try Bytes(little.reversed()).withBytes { (span: RawSpan) throws(SerDeError) -> T in
            var reader = ByteReader(span)
            return try reader.read(.bigEndian)
        }
        try hold(big == value, number)
    }
    for length in 0..<count {
        #expect(throws: SerDeError.truncated(needed: count, available: length, offset: 0)) {
            try SerDe.deserialize(Bytes(repeating: 0xff, count: length), as: T.self)
        }
    }
}

@Suite("Narrow integers", .timeLimit(.minutes(60)))
struct NarrowIntegerTests {
    @Test
    func `numbers of 24, 40 and 48 bits go both ways in both byte orders over their whole range, and no further`()
        throws
    {
        try check(UInt24.self, bytes: 3, 0...16_777_215)
        try check(Int24.self, bytes: 3, -8_388_608...8_388_607)
        try check(UInt40.self, bytes: 5, 0...1_099_511_627_775)
        try check(UInt48.self, bytes: 6, 0...281_474_976_710_655)
        try check(Int48.self, bytes: 6, -140_737_488_355_328...140_737_488_355_327)
    }

    @Test func `the lowest byte stands first, and a set sign bit is a minus`() throws {
        // 0x030201 = 3 × 65536 + 2 × 256 + 1 = 197121; −2 is 2^24 − 2 = 0xFFFFFE.
        #expect(try SerDe.deserialize([1, 2, 3] as Bytes, as: UInt24.self) == 197_121)
        #expect(try SerDe.deserialize([0xfe, 0xff, 0xff] as Bytes, as: Int24.self) == -2)
        #expect(try SerDe.deserialize([0xfe, 0xff, 0xff] as Bytes, as: UInt24.self) == 16_777_214)
        #expect(SerDe.serialize(-2 as Int48) == [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff])
        #expect(SerDe.serialize(0x05_0403_0201 as UInt40) == [1, 2, 3, 4, 5])
    }

    @Test func `arrays take three bytes for each element, not four`() throws {
        let numbers: [UInt24] = [1, 0x010203, .max]
        let bytes = SerDe.serialize(numbers)
        #expect(bytes == [1, 0, 0, 3, 2, 1, 0xff, 0xff, 0xff])
        #expect(try SerDe.deserialize(bytes) == numbers)
    }

    @Test func `a literal out of range stops the program`() async {
        await #expect(processExitsWith: .failure) { _ = 16_777_216 as UInt24 }
    }
}
