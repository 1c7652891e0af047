// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Foundation
import Testing

@Suite("Bytes in hexadecimal", .timeLimit(.minutes(60)))
struct BytesHexTests {
    @Test func `the text has two lower-case digits a byte`() {
        #expect(Bytes([0x00, 0x0f, 0xa5, 0xff]).hex == "000fa5ff")
        #expect("\(Bytes([0xAB]))" == "ab")
        #expect(Bytes().hex == "")
    }

    @Test(arguments: bytesCounts)
    func `what was written is read`(count: Int) throws {
        let bytes = Bytes(pattern(count))
        #expect(try Bytes(hex: bytes.hex) == bytes)
        #expect(try Bytes(hex: bytes.hex.uppercased()) == bytes)
    }

    @Test(arguments: ["01ff", "0x01ff", "0X01FF", "01 ff", "01:FF", "01-ff"])
    func `prefix and separators are understood`(text: String) throws {
        #expect(try Bytes(hex: text) == [0x01, 0xff])
    }

    @Test(
        arguments: [
            ("0", .missingDigit(position: 1)), ("012", .missingDigit(position: 3)),
            ("0 1", .missingDigit(position: 1)), ("01g0", .invalidCharacter("g", position: 2)),
            ("x1", .invalidCharacter("x", position: 0)), ("01x2", .invalidCharacter("x", position: 2)),
            ("1x22", .invalidCharacter("x", position: 1)), ("é0", .invalidCharacter("é", position: 0)),
            ("０１", .invalidCharacter("０", position: 0)),
        ] as [(String, Bytes.HexError)])
    func `a bad text is refused with the place of the fault`(text: String, error: Bytes.HexError) {
        #expect(throws: error) { try Bytes(hex: text) }
    }

    @Test func `the error says what is wrong and where`() {
        let character = Bytes.HexError.invalidCharacter("g", position: 2)
        #expect("\(character)" == "'g' at position 2 is not a hexadecimal digit")
        #expect("\(Bytes.HexError.missingDigit(position: 3))".contains("missing at position 3"))
    }

    @Test func `JSON carries the text`() throws {
        let data = try JSONEncoder().encode([Bytes([0x01, 0xff])])
        #expect(String(decoding: data, as: UTF8.self) == #"["01ff"]"#)
        #expect(try JSONDecoder().decode([Bytes].self, from: data) == [[0x01, 0xff]])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Bytes].self, from: Data(#"["0"]"#.utf8))
        }
    }

    @Test(arguments: bytesCounts)
    func `Data comes and goes, slices included`(count: Int) {
        let data = Data(pattern(count))
        #expect(Bytes(data).data == data)
        let slice = (Data([9, 9]) + data)[2...]
        #expect(Bytes(slice) == Bytes(data))
    }
}
