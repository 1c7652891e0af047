// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

private struct Frame: ByteDecodable, ByteEncodable, Equatable {
    var kind: UInt8
    var major: UInt16
    var readings: [Int16]

    init(kind: UInt8, major: UInt16, readings: [Int16]) {
        (self.kind, self.major, self.readings) = (kind, major, readings)
    }

    init(from reader: inout ByteReader) throws(SerDeError) {
        kind = try reader.read()
        major = try reader.read(.bigEndian)
        let count: UInt8 = try reader.read()
        readings = try reader.readArray(count: Int(count))
    }

    var encodedByteCount: Int { 4 + 2 * readings.count }

    func encode(into output: inout OutputRawSpan) {
        output.write(kind)
        output.write(major, .bigEndian)
        output.write(UInt8(readings.count))
        output.write(contentsOf: readings)
    }
}

private struct Extensible: RawDeserializable {
    static let uuid: BluetoothUUID = "FFE0"
    static let surplusBytes = SurplusBytes.ignore
    let rawValue: UInt8
    init(rawValue: UInt8) { self.rawValue = rawValue }
}

@Suite("Readers and writers", .timeLimit(.minutes(60)))
struct ByteReaderTests {
    @Test(arguments: [0, 1, 13, 14, 15, 120])
    func `a composite value goes both ways, big-endian where it says so`(count: Int) throws {
        let frame = Frame(kind: 9, major: 0x0102, readings: (0..<count).map { Int16($0 * -7) })
        let bytes = SerDe.serialize(frame)
        #expect(Array(bytes.prefix(4)) == [9, 1, 2, UInt8(count)])
        #expect(try SerDe.deserialize(bytes) == frame)
    }

    @Test(arguments: 0..<8)
    func `a composite value cut anywhere names the field that is missing`(count: Int) {
        let bytes: Bytes = [9, 1, 2, 2, 5, 0, 6, 0]
        let expected: SerDeError =
            switch count {
            case 0: .truncated(needed: 1, available: 0, offset: 0)
            case 1, 2: .truncated(needed: 2, available: count - 1, offset: 1)
            case 3: .truncated(needed: 1, available: 0, offset: 3)
            default: .truncated(needed: 4, available: count - 4, offset: 4)
            }
        #expect(throws: expected) { try SerDe.deserialize(Bytes(bytes.prefix(count)), as: Frame.self) }
    }

    @Test(arguments: [Int.max, -1, Int.min])
    func `a count that no memory could hold is refused before anything is allocated`(count: Int) {
        #expect(throws: SerDeError.self) {
            try Bytes(pattern(8)).withBytes { (span: RawSpan) throws(SerDeError) -> Void in
                var reader = ByteReader(span)
                _ = try reader.readArray(of: UInt64.self, count: count)
            }
        }
        #expect(throws: SerDeError.self) {
            try Bytes(pattern(8)).withBytes { (span: RawSpan) throws(SerDeError) -> Void in
                var reader = ByteReader(span)
                _ = try Double.readArray(count: count, from: &reader)
            }
        }
        #expect(throws: SerDeError.self) {
            try Bytes(pattern(8)).withBytes { (span: RawSpan) throws(SerDeError) -> Void in
                var reader = ByteReader(span)
                _ = try reader.readBytes(count)
            }
        }
    }

    @Test func `arrays are read and written in both byte orders`() throws {
        let numbers: [UInt16] = [0x0102, 0x0304]
        let big = Bytes(capacity: 4) { $0.write(contentsOf: numbers, .bigEndian) }
        #expect(big == [1, 2, 3, 4])
        let back = try big.withBytes { (span: RawSpan) throws(SerDeError) -> [UInt16] in
            var reader = ByteReader(span)
            return try reader.readArray(count: 2, .bigEndian)
        }
        #expect(back == numbers)
    }

    @Test func `the reader counts what it read, skipped and has left`() throws {
        try Bytes(pattern(10)).withBytes { (span: RawSpan) throws(SerDeError) -> Void in
            var reader = ByteReader(span)
            try reader.skip(3)
            #expect(reader.offset == 3)
            #expect(try reader.readBytes(2) == Bytes(pattern(10)[3..<5]))
            #expect(reader.remaining == 5)
            #expect(throws: SerDeError.truncated(needed: 6, available: 5, offset: 5)) { try skip(6, of: span, from: 5) }
            try reader.skip(5)
            let isAtEnd = reader.isAtEnd
            #expect(isAtEnd)
        }
    }

    private func skip(_ count: Int, of span: RawSpan, from start: Int) throws(SerDeError) {
        var reader = ByteReader(span)
        try reader.skip(start)
        try reader.skip(count)
    }

    @Test func `text that is refused is not passed over`() {
        Bytes([0x41, 0xff]).withBytes { span in
            var reader = ByteReader(span)
            let text = try? reader.readString(byteCount: 2)
            #expect(text == nil)
            #expect(reader.offset == 0)
        }
    }

    @Test func `a type may say that its surplus bytes are ignored`() throws {
        let bytes: Bytes = [1, 2]
        #expect(try SerDe.deserialize(bytes, as: Extensible.self).rawValue == 1)
        #expect(throws: SerDeError.trailingBytes(1)) {
            try SerDe.deserialize(bytes, as: Extensible.self, surplus: .reject)
        }
    }

    @Test func `a value that writes more than it announced stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = Bytes(capacity: 1) { $0.write(1 as UInt16) }
        }
    }
}
