// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@Suite("A text that ends with zeros", .timeLimit(.minutes(60)))
struct TerminatedTextTests {
    @Test(
        arguments: [
            ([], ""), ([0], ""), ([0, 0, 0], ""), (Array("Lamp 7".utf8), "Lamp 7"), (Array("Lamp 7\0".utf8), "Lamp 7"),
            (Array("Lamp 7\0\0\0".utf8), "Lamp 7"), (Array("é\0".utf8), "é"), (Array("a\0b".utf8), "a"),
            (Array("a\0".utf8) + [0xFF, 0xFE], "a"),
            (Array(repeating: 0x41, count: 40) + [0], String(repeating: "A", count: 40)),
        ] as [([UInt8], String)])
    func `is read up to the first zero`(bytes: [UInt8], text: String) throws {
        let read = try SerDe.deserialize(bytes, as: String.self)
        #expect(Array(read.utf8) == Array(text.utf8))
    }

    @Test func `is read up to its end behind other fields`() throws {
        let (number, text) = try SerDe.deserialize([7, 0x48, 0x69, 0, 0] as Bytes, as: UInt8.self, String.self)
        #expect(number == 7)
        #expect(text.utf8.elementsEqual("Hi".utf8))
    }

    @Test(arguments: [[0xFF, 0], [0x41, 0xC3, 0]] as [[UInt8]])
    func `is refused when it is not UTF-8 before the zero`(bytes: [UInt8]) {
        #expect(throws: SerDeError.invalidText(offset: 0)) { try SerDe.deserialize(bytes, as: String.self) }
    }

    @Test func `keeps its zeros where its size is given`() throws {
        let text = try ([0x41, 0, 0x42] as Bytes).withBytes { (span: RawSpan) throws(SerDeError) -> String in
            var reader = ByteReader(span)
            return try reader.readString(byteCount: 3)
        }
        #expect(text.utf8.elementsEqual("A\0B".utf8))
    }
}
