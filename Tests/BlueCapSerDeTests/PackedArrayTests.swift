// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@Suite("Packed arrays", .timeLimit(.minutes(60)))
struct PackedArrayTests {
    @Test(arguments: [0, 1, 9, 15, 16, 100])
    func `what was packed is found by index, by loop and in bytes`(count: Int) throws {
        let numbers = (0..<count).map { UInt16(truncatingIfNeeded: $0 &* 40_503) }
        let packed = PackedArray(numbers)
        #expect(packed.count == count)
        #expect(Array(packed) == numbers)
        #expect(packed.indices.map { packed[$0] } == numbers)
        #expect(Array(packed.reversed()) == numbers.reversed())
        #expect(packed.bytes == SerDe.serialize(numbers))
        #expect(SerDe.serialize(packed) == packed.bytes)
        let back: PackedArray<UInt16> = try SerDe.deserialize(packed.bytes)
        #expect(back == packed)
        #expect(back.hashValue == packed.hashValue)
    }

    @Test func `elements may be of three bytes, or decimal numbers`() throws {
        let narrow: PackedArray<Int24> = [-1, 2]
        #expect(narrow.bytes == [0xff, 0xff, 0xff, 2, 0, 0])
        #expect(Array(narrow) == [-1, 2])
        let floats: PackedArray<SFloat> = try SerDe.deserialize([0x72, 0, 0xf1, 0xff] as Bytes)
        #expect(floats.map(\.doubleValue) == [114, -1.5])
    }

    @Test func `a part of an element at the end is an error unless surplus bytes are ignored`() throws {
        let bytes: Bytes = [1, 0, 2, 0, 3]
        #expect(throws: SerDeError.trailingBytes(1)) { try SerDe.deserialize(bytes, as: PackedArray<UInt16>.self) }
        #expect(try SerDe.deserialize(bytes, as: PackedArray<UInt16>.self, surplus: .ignore) == [1, 2])
    }

    @Test func `a given count is read and no more; too few bytes are refused before one is read`() throws {
        try Bytes([9, 1, 0, 2, 0, 3]).withBytes { (span: RawSpan) throws(SerDeError) -> Void in
            var reader = ByteReader(span)
            try reader.skip(1)
            let packed = try PackedArray<UInt16>(from: &reader, count: 2)
            #expect(packed == [1, 2])
            #expect(reader.remaining == 1)
        }
        for count in [3, -1, Int.max] {
            #expect(throws: SerDeError.self) {
                try Bytes([1, 0, 2, 0]).withBytes { (span: RawSpan) throws(SerDeError) -> Void in
                    var reader = ByteReader(span)
                    _ = try PackedArray<UInt16>(from: &reader, count: count)
                }
            }
        }
    }

    @Test func `an element that its type refuses is refused where it stands`() {
        #expect(throws: SerDeError.invalidValue(offset: 2)) {
            try SerDe.deserialize([0, 1, 2, 1] as Bytes, as: PackedArray<Bool>.self)
        }
    }

    @Test func `appending grows past what is held inline`() {
        var packed = PackedArray<UInt16>()
        for number in 0..<40 as Range<UInt16> { packed.append(number) }
        #expect(Array(packed) == Array(0..<40))
        #expect(packed.description == Array(0..<40).description)
    }

    @Test func `an index outside stops the program`() async {
        await #expect(processExitsWith: .failure) { _ = ([1, 2] as PackedArray<UInt16>)[2] }
        await #expect(processExitsWith: .failure) { _ = ([1, 2] as PackedArray<UInt16>)[-1] }
    }
}
