// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Foundation
import Testing

private func read<T>(
    _ bytes: Bytes, _ body: (inout ByteReader) throws(SerDeError) -> T
) throws(SerDeError) -> T {
    try bytes.withBytes { (span: RawSpan) throws(SerDeError) -> T in
        var reader = ByteReader(span)
        return try body(&reader)
    }
}

private func write(
    capacity: Int = 600, _ body: (inout OutputRawSpan) throws(SerDeError) -> Void
) throws(SerDeError) -> Bytes {
    try Bytes(capacity: capacity) { (output: inout OutputRawSpan) throws(SerDeError) -> Void in try body(&output) }
}

/// Texts that every encoding can express, so that a round trip is always due.
private let plain = ["", "A", "Hello", String(repeating: "0123456789", count: 30), "\u{7f}\r\n\0"]

@Suite("Text in other encodings", .timeLimit(.minutes(60)))
struct TextEncodingTests {
    @Test(
        arguments: [
            (.utf8, "é€😀", [0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80]),
            (.ascii, "Az~", [0x41, 0x7a, 0x7e]),
            (.latin1, "é÷ÿ\u{80}", [0xe9, 0xf7, 0xff, 0x80]),
            // U+1F600 − 0x10000 = 0xF600 = 0000111101 1000000000 in ten bits each: D800 + 03D, DC00 + 200.
            (.utf16LittleEndian, "é€😀", [0xe9, 0x00, 0xac, 0x20, 0x3d, 0xd8, 0x00, 0xde]),
            (.utf16BigEndian, "é€😀", [0x00, 0xe9, 0x20, 0xac, 0xd8, 0x3d, 0xde, 0x00]),
        ] as [(TextEncoding, String, [UInt8])])
    func `known text has its known bytes`(encoding: TextEncoding, text: String, bytes: [UInt8]) throws {
        #expect(SerDe.serialize(text, encoding: encoding) == Bytes(bytes))
        #expect(encoding.byteCount(of: text) == bytes.count)
        #expect(try SerDe.deserialize(Bytes(bytes), encoding: encoding) == text)
        #expect(try SerDe.deserialize(bytes, encoding: encoding) == text)
        #expect(try SerDe.deserialize((Data([7]) + Data(bytes))[1...], encoding: encoding) == text)
    }

    @Test
    func `every scalar goes both ways in the encodings that have it, and is refused by the others`() throws {
        for number in stride(from: 0 as UInt32, through: 0x10_ffff, by: 1) where number < 0x500 || number % 911 == 0 {
            guard let scalar = Unicode.Scalar(number) else { continue }
            let text = String(scalar)
            for encoding in TextEncoding.allCases {
                let has = encoding == .ascii ? number < 128 : encoding == .latin1 ? number < 256 : true
                let bytes = SerDe.serialize(text, encoding: encoding)
                try hold((bytes != nil) == has, (scalar, encoding))
                if let bytes {
                    // By scalars: a text is equal to one with other scalars of the same look.
                    let back = try SerDe.deserialize(bytes, encoding: encoding)
                    try hold(Array(back.unicodeScalars) == [scalar], (scalar, encoding))
                }
            }
        }
    }

    @Test(
        arguments: [
            (.utf8, [0x41, 0xff]), (.utf8, [0xed, 0xa0, 0x80]), (.ascii, [0x41, 0x80]),
            (.utf16LittleEndian, [0x41]), (.utf16LittleEndian, [0x3d, 0xd8]),
            (.utf16LittleEndian, [0x00, 0xde, 0x41, 0x00]),
            (.utf16BigEndian, [0xd8, 0x3d, 0x00, 0x41]), (.utf16BigEndian, [0x00, 0x41, 0x00]),
        ] as [(TextEncoding, Bytes)])
    func `bytes that are no text are refused where the text starts`(encoding: TextEncoding, bytes: Bytes) {
        #expect(throws: SerDeError.invalidText(offset: 0)) { try SerDe.deserialize(bytes, encoding: encoding) }
        #expect(throws: SerDeError.invalidText(offset: 2)) {
            try read([0x20, 0x20] + bytes) { reader throws(SerDeError) in
                try reader.skip(2)
                return try reader.readString(byteCount: bytes.count, encoding: encoding)
            }
        }
    }

    @Test(arguments: TextEncoding.allCases)
    func `text behind its count goes both ways`(encoding: TextEncoding) throws {
        for text in plain {
            let bytes = try write(capacity: 700) { output throws(SerDeError) in
                try output.write(text, countedBy: UInt16.self, .bigEndian, encoding: encoding)
            }
            let count = try #require(encoding.byteCount(of: text))
            #expect(Array(bytes.prefix(2)) == [UInt8(count >> 8), UInt8(count & 0xff)])
            let (back, isAtEnd) = try read(bytes) { reader throws(SerDeError) in
                (try reader.readString(countedBy: UInt16.self, .bigEndian, encoding: encoding), reader.isAtEnd)
            }
            #expect(back == text)
            #expect(isAtEnd)
        }
    }

    @Test
    func `a count that promises more than there is names the text's place, and leaves the reader before the count`()
        throws
    {
        #expect(throws: SerDeError.truncated(needed: 3, available: 2, offset: 1)) {
            try read([3, 0x41, 0x42]) { reader throws(SerDeError) in try reader.readString(countedBy: UInt8.self) }
        }
        #expect(throws: SerDeError.truncated(needed: .max, available: 0, offset: 8)) {
            try read(Bytes(repeating: 0xff, count: 8)) { reader throws(SerDeError) in
                try reader.readString(countedBy: UInt64.self)
            }
        }
        Bytes([1, 0xff]).withBytes { span in
            var reader = ByteReader(span)
            let text = try? reader.readString(countedBy: UInt8.self)
            #expect(text == nil)
            #expect(reader.offset == 0)
        }
    }

    @Test func `a text too long for its count is refused, and nothing is written`() throws {
        let text = String(repeating: "a", count: 256)
        let bytes = try write { output throws(SerDeError) in
            output.write(7 as UInt8)
            var refused: SerDeError?
            do throws(SerDeError) {
                try output.write(text, countedBy: UInt8.self)
            } catch { refused = error }
            #expect(refused == .invalidValue(offset: 1))
        }
        #expect(bytes == [7])
    }

    @Test(arguments: TextEncoding.allCases)
    func `text through a zero goes both ways`(encoding: TextEncoding) throws {
        for text in plain.dropLast() {
            let bytes = try write(capacity: 700) { output throws(SerDeError) in
                try output.write(terminated: text, encoding: encoding)
                output.write(9 as UInt8)
            }
            let (back, left) = try read(bytes) { reader throws(SerDeError) in
                (try reader.readTerminatedString(encoding: encoding), reader.remaining)
            }
            #expect(back == text)
            #expect(left == 1)
        }
        #expect(throws: SerDeError.invalidText(offset: 0)) {
            try write { output throws(SerDeError) in try output.write(terminated: "a\0b", encoding: encoding) }
        }
    }

    @Test func `text without the zero that should end it is truncated by that zero`() {
        #expect(throws: SerDeError.truncated(needed: 3, available: 2, offset: 0)) {
            try read([0x41, 0x42]) { reader throws(SerDeError) in try reader.readTerminatedString() }
        }
        // The zeros of 0x0100 and 0x0041 meet, but a unit of zero is not there.
        #expect(throws: SerDeError.truncated(needed: 6, available: 4, offset: 0)) {
            try read([0x01, 0x00, 0x00, 0x41]) { reader throws(SerDeError) in
                try reader.readTerminatedString(encoding: .utf16LittleEndian)
            }
        }
        #expect(throws: SerDeError.truncated(needed: 4, available: 3, offset: 0)) {
            try read([0x41, 0x00, 0x00]) { reader throws(SerDeError) in
                try reader.readTerminatedString(encoding: .utf16LittleEndian)
            }
        }
    }

    @Test(arguments: TextEncoding.allCases)
    func `text in a field of fixed size goes both ways`(encoding: TextEncoding) throws {
        for (text, padding) in [("", 0), ("Hello", 0), ("Hello", 0x20), ("12345678", 0)] as [(String, UInt8)] {
            let bytes = try write { output throws(SerDeError) in
                try output.write(text, paddedTo: 16, with: padding, encoding: encoding)
            }
            #expect(bytes.count == 16)
            let back = try read(bytes) { reader throws(SerDeError) in
                try reader.readPaddedString(byteCount: 16, padding: padding, encoding: encoding)
            }
            #expect(back == text)
        }
        #expect(throws: SerDeError.invalidValue(offset: 0)) {
            try write { output throws(SerDeError) in
                try output.write("12345678901234567", paddedTo: 16, encoding: encoding)
            }
        }
    }

    @Test
    func `text that the encoding cannot express is refused in every form, and nothing is written`() {
        #expect(SerDe.serialize("€", encoding: .latin1) == nil)
        #expect(SerDe.serialize("é", encoding: .ascii) == nil)
        #expect(SerDe.serialize("e\u{301}", encoding: .latin1) == nil)
        #expect(TextEncoding.latin1.byteCount(of: "€") == nil)
        for form in 0..<4 {
            #expect(throws: SerDeError.invalidText(offset: 1)) {
                try write { output throws(SerDeError) in
                    output.write(7 as UInt8)
                    switch form {
                    case 0: try output.write("€", encoding: .latin1)
                    case 1: try output.write("€", countedBy: UInt8.self, encoding: .latin1)
                    case 2: try output.write(terminated: "€", encoding: .latin1)
                    default: try output.write("€", paddedTo: 4, encoding: .latin1)
                    }
                }
            }
        }
    }
}
