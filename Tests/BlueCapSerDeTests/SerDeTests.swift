// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Foundation
import Testing

/// Checks the bytes of a value, the way back from every source, and every length that is too short.
private func check<T: Deserializable & Equatable>(_ value: T, _ bytes: Bytes) throws {
    #expect(SerDe.serialize(value) == bytes)
    #expect(SerDe.serialize(value, as: [UInt8].self) == Array(bytes))
    #expect(SerDe.serialize(value, as: Data.self) == bytes.data)
    #expect(try SerDe.deserialize(bytes) == value)
    #expect(try SerDe.deserialize(Array(bytes)) == value)
    #expect(try SerDe.deserialize((Data([7, 7, 7]) + bytes.data)[3...]) == value)
    for count in 0..<bytes.count {
        let error = SerDeError.truncated(needed: T.size, available: count, offset: 0)
        #expect(throws: error) { try SerDe.deserialize(Bytes(bytes.prefix(count)), as: T.self) }
        #expect(throws: error) { try SerDe.deserialize(Array(bytes.prefix(count)), as: T.self) }
        #expect(throws: error) { try SerDe.deserialize(bytes.data.prefix(count), as: T.self) }
    }
    let longer = bytes + [0, 0]
    #expect(throws: SerDeError.trailingBytes(2)) { try SerDe.deserialize(longer, as: T.self) }
    #expect(try SerDe.deserialize(longer, as: T.self, surplus: .ignore) == value)
}

private func checkExtremes<T: Deserializable & FixedWidthInteger>(_ type: T.Type) throws {
    for value in [T.min, T.max, 0, 1, T.max / 3] {
        let bytes = Bytes((0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
        try check(value, bytes)
    }
}

@Suite("Scalars", .timeLimit(.minutes(60)))
struct ScalarTests {
    @Test
    func `integers of every width are little-endian, both ways, and refused at every shorter length`() throws {
        try checkExtremes(Int8.self)
        try checkExtremes(Int16.self)
        try checkExtremes(Int32.self)
        try checkExtremes(Int64.self)
        try checkExtremes(UInt8.self)
        try checkExtremes(UInt16.self)
        try checkExtremes(UInt32.self)
        try checkExtremes(UInt64.self)
        try check(0x0123 as UInt16, [0x23, 0x01])
        try check(-2 as Int32, [0xfe, 0xff, 0xff, 0xff])
    }

    @Test func `floating-point numbers are IEEE 754, little-endian`() throws {
        try check(1.0 as Float, [0, 0, 0x80, 0x3f])
        try check(-2.0 as Double, [0, 0, 0, 0, 0, 0, 0, 0xc0])
        try check(Float.infinity, [0, 0, 0x80, 0x7f])
        let nan: Double = try SerDe.deserialize(SerDe.serialize(Double.nan))
        #expect(nan.isNaN)
    }

    @Test func `a Bool is 0 or 1 and nothing else`() throws {
        try check(false, [0])
        try check(true, [1])
        #expect(throws: SerDeError.invalidValue(offset: 0)) { try SerDe.deserialize([2] as Bytes, as: Bool.self) }
    }

    @Test(arguments: ["", "Hello", "Grüße", "👋🏽", String(repeating: "é", count: 300)])
    func `text is UTF-8 through the end`(text: String) throws {
        #expect(Array(SerDe.serialize(text)) == Array(text.utf8))
        #expect(try SerDe.deserialize(Bytes(text.utf8)) == text)
        #expect(try SerDe.deserialize(Data(text.utf8)) == text)
    }

    @Test(arguments: [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80]] as [Bytes])
    func `bytes that are no UTF-8 are refused`(bytes: Bytes) {
        #expect(throws: SerDeError.invalidText(offset: 0)) { try SerDe.deserialize(bytes, as: String.self) }
    }

    @Test(arguments: bytesCounts)
    func `bytes stay what they are`(count: Int) throws {
        let bytes = Bytes(pattern(count))
        #expect(SerDe.serialize(bytes) == bytes)
        #expect(try SerDe.deserialize(bytes, as: Bytes.self) == bytes)
    }

    @Test func `the errors say what was needed, what was there, and where`() {
        #expect(
            "\(SerDeError.truncated(needed: 2, available: 1, offset: 5))"
                == "truncated: 2 bytes needed at offset 5, 1 available")
        #expect("\(SerDeError.invalidValue(offset: 3))".contains("offset 3"))
        #expect("\(SerDeError.invalidText(offset: 4))".contains("offset 4"))
        #expect("\(SerDeError.trailingBytes(1))" == "1 byte left over behind the value")
    }
}
