// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

/// Counts on both sides of the border between inline and heap storage.
let bytesCounts = [0, 1, 2, 20, 30, 31, 32, 33, 255, 512]

func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) } }

@Suite("Bytes", .timeLimit(.minutes(60)))
struct BytesTests {
    @Test(arguments: bytesCounts)
    func `an array comes back as it went in`(count: Int) {
        let bytes = Bytes(pattern(count))
        #expect(bytes.count == count)
        #expect(Array(bytes) == pattern(count))
        #expect(bytes.indices.map { bytes[$0] } == pattern(count))
    }

    @Test(arguments: bytesCounts)
    func `every way of making the same bytes gives equal values with equal hashes`(count: Int) {
        let source = pattern(count)
        let expected = Bytes(source)
        var appended = Bytes()
        for byte in source { appended.append(byte) }
        var shrunk = Bytes(pattern(600))
        shrunk.removeLast(600 - count)
        let made = [
            Bytes(AnySequence(source)), Bytes(source[...]), Bytes(source.lazy.map { $0 }), appended, shrunk,
            Bytes(capacity: 600) { output in for byte in source { output.write(byte) } },
            Bytes(source.prefix(count / 2)) + Bytes(source.dropFirst(count / 2)),
            expected.withBytes { Bytes($0) },
        ]
        for value in made {
            #expect(value == expected)
            #expect(value.hashValue == expected.hashValue)
        }
    }

    @Test(arguments: bytesCounts.dropFirst())
    func `values that differ in one byte or in length are not equal`(count: Int) {
        let bytes = Bytes(pattern(count))
        var changed = bytes
        changed[count - 1] ^= 1
        #expect(changed != bytes)
        #expect(Bytes(pattern(count - 1)) != bytes)
        #expect(bytes + [0] != bytes)
    }

    @Test(arguments: [0, 30, 31, 32])
    func `zeros at the end count`(count: Int) {
        #expect(Bytes(repeating: 0, count: count) != Bytes(repeating: 0, count: count + 1))
    }

    @Test(arguments: bytesCounts.dropFirst())
    func `a copy does not see what is done to the other`(count: Int) {
        let original = Bytes(pattern(count))
        var copy = original
        copy[0] = 0xee
        copy.append(0xff)
        #expect(Array(original) == pattern(count))
        #expect(Array(copy) == [0xee] + pattern(count).dropFirst() + [0xff])
    }

    @Test(arguments: [0, 1, 10, 30, 31, 32], bytesCounts)
    func `appending crosses the border to the heap and keeps every byte`(first: Int, second: Int) {
        var bytes = Bytes(pattern(first))
        bytes += Bytes(pattern(second))
        #expect(Array(bytes) == pattern(first) + pattern(second))
    }

    @Test(arguments: [1, 15, 16, 31, 40])
    func `appending itself doubles it`(count: Int) {
        var bytes = Bytes(pattern(count))
        bytes.append(contentsOf: bytes)
        #expect(Array(bytes) == pattern(count) + pattern(count))
    }

    @Test(arguments: [0, 31, 40])
    func `a range is replaced as in an array`(count: Int) {
        var bytes = Bytes(pattern(40))
        var array = pattern(40)
        bytes.replaceSubrange(3..<20, with: pattern(count))
        array.replaceSubrange(3..<20, with: pattern(count))
        #expect(Array(bytes) == array)
    }

    @Test(arguments: [31, 32])
    func `a prefix, a suffix and a slice are the same bytes`(count: Int) {
        let bytes = Bytes(pattern(count))
        #expect(Bytes(bytes.prefix(5)) == Bytes(pattern(count).prefix(5)))
        #expect(Bytes(bytes.suffix(5)) == Bytes(pattern(count).suffix(5)))
        #expect(Bytes(bytes[2..<30]) == Bytes(pattern(count)[2..<30]))
    }

    @Test(arguments: bytesCounts)
    func `the span shows every byte, and a typed error leaves the closure typed`(count: Int) {
        let bytes = Bytes(pattern(count))
        #expect(bytes.withBytes { $0.byteCount } == count)
        #expect(throws: SerDeError.trailingBytes(count)) {
            try bytes.withBytes { (span: RawSpan) throws(SerDeError) -> Void in throw .trailingBytes(span.byteCount) }
        }
    }

    /// A value that writes more than it means.
    private struct Wasteful: ByteEncodable {
        var encodedByteCount: Int

        func encode(into output: inout OutputRawSpan) {
            for byte in 1...3 as ClosedRange<UInt8> { output.write(byte) }
            output.removeLast(2)
        }
    }

    @Test(arguments: [4, 31, 40])
    func `bytes that were written and taken back leave nothing behind`(capacity: Int) {
        let value = Wasteful(encodedByteCount: capacity)
        for bytes in [Bytes(capacity: capacity, initializingWith: value.encode), SerDe.serialize(value)] {
            #expect(bytes == [1])
            #expect(Set([bytes, [1]]).count == 1)
        }
    }

    @Test(arguments: [4, 64])
    func `an error while filling comes out as it was thrown`(capacity: Int) {
        #expect(throws: SerDeError.trailingBytes(1)) {
            try Bytes(capacity: capacity) { (output: inout OutputRawSpan) throws(SerDeError) -> Void in
                output.write(1 as UInt8)
                throw .trailingBytes(1)
            }
        }
    }
}
