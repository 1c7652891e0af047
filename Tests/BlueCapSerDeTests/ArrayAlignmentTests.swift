// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Foundation
import Testing

@Suite("Arrays of integers", .timeLimit(.minutes(60)))
struct ArrayAlignmentTests {
    private static let numbers: [Int32] = [1, -2, 0x0102_0304, .min]

    /// The numbers after some bytes, read by a reader that has skipped those bytes.
    private func read(
        behind count: Int, _ order: ByteOrder, from bytes: RawSpan
    ) throws(SerDeError) -> [Int32] {
        var reader = ByteReader(bytes)
        try reader.skip(count)
        let numbers = try reader.readArray(of: Int32.self, count: Self.numbers.count, order)
        try reader.finish(.reject)
        return numbers
    }

    @Test(arguments: 0..<9, [ByteOrder.littleEndian, .bigEndian])
    func `are the same wherever they stand`(offset: Int, order: ByteOrder) throws {
        let bytes = Bytes(capacity: 64) { output in
            for _ in 0..<offset { output.write(UInt8(0xee)) }
            output.write(contentsOf: Self.numbers, order)
        }
        let found = try bytes.withBytes { (span: RawSpan) throws(SerDeError) -> [Int32] in
            try read(behind: offset, order, from: span)
        }
        #expect(found == Self.numbers)
    }

    @Test(arguments: 0..<9)
    func `are the same in a slice of Data that starts anywhere`(offset: Int) throws {
        var data = Data(repeating: 0xee, count: offset)
        for number in Self.numbers { data.append(SerDe.serialize(number, as: Data.self)) }
        #expect(try SerDe.deserialize(data[offset...], as: Four.self).numbers == Self.numbers)
    }

    @Test func `can be none at the end of the bytes`() throws {
        for bytes in [[], [1]] as [Bytes] {
            let found = try bytes.withBytes { (span: RawSpan) throws(SerDeError) -> [UInt64] in
                var reader = ByteReader(span)
                try reader.skip(bytes.count)
                return try reader.readArray(of: UInt64.self, count: 0)
            }
            #expect(found == [])
        }
    }

    private struct Four: ByteDecodable {
        let numbers: [Int32]
        init(from reader: inout ByteReader) throws(SerDeError) { numbers = try reader.readArray(count: 4) }
    }
}
