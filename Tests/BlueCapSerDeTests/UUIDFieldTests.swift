// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

private func read<T: Equatable>(
    _ bytes: Bytes, _ body: (inout ByteReader) throws(SerDeError) -> T
) throws(SerDeError) -> T {
    try bytes.withBytes { (span: RawSpan) throws(SerDeError) -> T in
        var reader = ByteReader(span)
        return try body(&reader)
    }
}

@Suite("UUIDs among other fields", .timeLimit(.minutes(60)))
struct UUIDFieldTests {
    private let long: BluetoothUUID = "F000AA10-0451-4000-B000-000000000000"

    @Test func `identifiers of 16, 32 and 128 bits are read least significant byte first`() throws {
        #expect(try read([0x0d, 0x18]) { reader throws(SerDeError) in try reader.readUUID16() } == "180D")
        #expect(
            try read([0xcd, 0xab, 0x34, 0x12]) { reader throws(SerDeError) in try reader.readUUID32() } == "1234ABCD")
        let bytes = long.littleEndianBytes
        #expect(try read(bytes) { reader throws(SerDeError) in try reader.readUUID128() } == long)
        #expect(
            try read(Bytes(bytes.reversed())) { reader throws(SerDeError) in try reader.readUUID128(.bigEndian) }
                == long)
    }

    @Test(arguments: 0..<16)
    func `a long identifier that is cut is refused as a whole`(count: Int) {
        let bytes = Bytes(repeating: 1, count: count)
        #expect(throws: SerDeError.truncated(needed: 16, available: count, offset: 0)) {
            try read(bytes) { reader throws(SerDeError) in try reader.readUUID128() }
        }
    }

    @Test func `as a value of its own, an identifier is written in its shortest form and read in any`() throws {
        for uuid in ["180D", "1234ABCD", long] as [BluetoothUUID] {
            #expect(SerDe.serialize(uuid) == uuid.littleEndianBytes)
            #expect(try SerDe.deserialize(uuid.littleEndianBytes) == uuid)
            #expect(try SerDe.deserialize(uuid.fullLittleEndianBytes) == uuid)
            #expect(Bytes(capacity: 16) { $0.write(full: uuid) } == uuid.fullLittleEndianBytes)
            let reversed = Bytes(uuid.fullLittleEndianBytes.reversed())
            #expect(Bytes(capacity: 16) { $0.write(full: uuid, .bigEndian) } == reversed)
        }
    }

    @Test(arguments: [(0, 2), (1, 2), (3, 4), (5, 16), (15, 16)])
    func `any other count of bytes is refused`(count: Int, needed: Int) {
        #expect(throws: SerDeError.truncated(needed: needed, available: count, offset: 0)) {
            try SerDe.deserialize(Bytes(repeating: 1, count: count), as: BluetoothUUID.self)
        }
        #expect(throws: SerDeError.trailingBytes(1)) {
            try SerDe.deserialize(Bytes(repeating: 1, count: 17), as: BluetoothUUID.self)
        }
    }
}
