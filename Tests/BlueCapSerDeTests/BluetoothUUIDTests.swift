// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Foundation
import Testing

private let heartRate = "0000180d-0000-1000-8000-00805f9b34fb"
private let sensor = "f000aa10-0451-4000-b000-000000000000"

@Suite("BluetoothUUID", .timeLimit(.minutes(60)))
struct BluetoothUUIDTests {
    @Test(arguments: [
        "180D", "180d", "0x180D", "0X180d", "0000180D", "0x0000180d", heartRate, heartRate.uppercased(),
        "0000180d00001000800000805f9b34fb",
    ])
    func `every form of a 16-bit identifier is the same value with the same hash`(text: String) throws {
        let uuid = try BluetoothUUID(text: text)
        #expect(uuid == "180D")
        #expect(uuid.hashValue == BluetoothUUID(UInt16(0x180d)).hashValue)
        #expect(uuid.uint16 == 0x180d)
    }

    @Test func `numbers of 16 and 32 bits mean the same as their text`() {
        #expect(BluetoothUUID(UInt16(0x180d)) == BluetoothUUID(UInt32(0x180d)))
        #expect(BluetoothUUID(UInt32(0x1234_abcd)) == "1234ABCD")
        #expect(BluetoothUUID(UInt32(0x1234_abcd)) == "1234abcd-0000-1000-8000-00805f9b34fb")
        #expect(BluetoothUUID(UInt32(0x1234_abcd)).uint16 == nil)
        #expect(BluetoothUUID(UInt32(0x1234_abcd)).uint32 == 0x1234_abcd)
    }

    @Test(arguments: [
        sensor, "0000180d-0000-1000-8000-00805f9b34fa", "0000180d-0000-1001-8000-00805f9b34fb",
        "0000180d-0001-1000-8000-00805f9b34fb",
    ])
    func `an identifier off the base has no short form, however near`(text: String) throws {
        let uuid = try BluetoothUUID(text: text)
        #expect(uuid.uint16 == nil)
        #expect(uuid.uint32 == nil)
        #expect(uuid.description == text.uppercased())
        #expect(uuid.fullDescription == text)
    }

    @Test(arguments: [
        ("180D", heartRate), ("0000", "00000000-0000-1000-8000-00805f9b34fb"),
        ("FFFF", "0000ffff-0000-1000-8000-00805f9b34fb"), ("00010000", "00010000-0000-1000-8000-00805f9b34fb"),
        ("1234ABCD", "1234abcd-0000-1000-8000-00805f9b34fb"), (sensor.uppercased(), sensor),
    ])
    func `the description is the shortest text, and it is read back`(short: String, full: String) throws {
        let uuid = try BluetoothUUID(text: full)
        #expect(uuid.description == short)
        #expect(uuid.fullDescription == full)
        #expect(try BluetoothUUID(text: uuid.description) == uuid)
    }

    @Test(arguments: [
        "", "1", "180", "180DD", "0x180", "0x", "180D\r\n", heartRate + "0", "0x" + heartRate, "{\(heartRate)}",
        " 180D",
    ])
    func `a text of the wrong length is refused and told its length`(text: String) {
        #expect(throws: BluetoothUUIDError.invalidLength(text: text)) { try BluetoothUUID(text: text) }
    }

    @Test(
        arguments: [
            ("180G", "G", 3), ("0x18 D", " ", 4), ("18-D", "-", 2), ("x180D000", "x", 0),
            ("0000180d+0000-1000-8000-00805f9b34fb", "+", 8), ("0000180d-0000-1000-8000-00805f9b34f-", "-", 35),
            ("f000aa10-0451-4000-b00-0000000000000", "-", 22), ("18\r\n", "\r\n", 2), ("0x1\u{301}8", "1\u{301}", 2),
            ("0000180d00001000800000805f9b34-b", "-", 30), ("0x0x00", "x", 3), ("0x\u{301}180D", "x\u{301}", 1),
        ] as [(String, Character, Int)])
    func `a wrong character is refused with its place`(text: String, character: Character, position: Int) {
        #expect(throws: BluetoothUUIDError.invalidCharacter(character, position: position, text: text)) {
            try BluetoothUUID(text: text)
        }
    }

    @Test func `a part of a longer text is read as the text of its own would be`() throws {
        let text = "uuid=0x180D;"
        #expect(try BluetoothUUID(text: text.dropFirst(5).dropLast()) == "180D")
        #expect(throws: BluetoothUUIDError.invalidLength(text: "0x180D;")) {
            try BluetoothUUID(text: text.dropFirst(5))
        }
    }

    @Test(arguments: ["é80", "１8", "18\u{301}D", "👍"])
    func `a character of several bytes is refused, never misread`(text: String) {
        #expect(throws: BluetoothUUIDError.self) { try BluetoothUUID(text: text) }
    }

    @Test func `the errors say what is wrong`() {
        #expect("\(BluetoothUUIDError.invalidLength(text: "18"))".contains("it has 2 characters"))
        #expect(
            "\(BluetoothUUIDError.invalidCharacter("G", position: 3, text: "180G"))"
                == "'180G' is not a Bluetooth UUID: 'G' at position 3 should be a hexadecimal digit")
        #expect("\(BluetoothUUIDError.invalidByteCount(3))".contains("3 bytes"))
    }

    @Test func `bytes are least significant first, in the shortest form and in full`() throws {
        let full: Bytes = [
            0xfb, 0x34, 0x9b, 0x5f, 0x80, 0x00, 0x00, 0x80, 0x00, 0x10, 0x00, 0x00, 0x0d, 0x18, 0x00, 0x00,
        ]
        let uuid: BluetoothUUID = "180D"
        #expect(uuid.littleEndianBytes == [0x0d, 0x18])
        #expect(uuid.fullLittleEndianBytes == full)
        #expect(try BluetoothUUID(littleEndianBytes: full) == uuid)
        #expect(try BluetoothUUID(littleEndianBytes: [0x0d, 0x18]) == uuid)
        #expect(try BluetoothUUID(littleEndianBytes: [0x0d, 0x18, 0, 0]) == uuid)
        #expect(BluetoothUUID(UInt32(0x1234_abcd)).littleEndianBytes == [0xcd, 0xab, 0x34, 0x12])
        let long = try BluetoothUUID(text: sensor)
        #expect(try BluetoothUUID(littleEndianBytes: long.littleEndianBytes) == long)
        #expect(long.littleEndianBytes.count == 16)
    }

    @Test(arguments: (0...20).filter { ![2, 4, 16].contains($0) })
    func `bytes of any other count are refused`(count: Int) {
        #expect(throws: BluetoothUUIDError.invalidByteCount(count)) {
            try BluetoothUUID(littleEndianBytes: [UInt8](repeating: 0, count: count))
        }
    }

    @Test func `the order is that of the full texts`() throws {
        let texts = ["180D", "0000", "FFFF", "1234ABCD", sensor, "0000180d-0000-1000-8000-00805f9b34fa"]
        let uuids = try texts.map { try BluetoothUUID(text: $0) }
        #expect(uuids.sorted().map(\.fullDescription) == uuids.map(\.fullDescription).sorted())
    }

    @Test func `a dictionary with UUIDs as keys is an object in JSON`() throws {
        let names: [BluetoothUUID: String] = ["180D": "Heart Rate"]
        let data = try JSONEncoder().encode(names)
        #expect(String(decoding: data, as: UTF8.self) == #"{"180D":"Heart Rate"}"#)
        #expect(try JSONDecoder().decode([BluetoothUUID: String].self, from: data) == names)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([BluetoothUUID: Int].self, from: Data(#"{"18":1}"#.utf8))
        }
    }

    @Test func `JSON carries the shortest text and accepts any`() throws {
        let data = try JSONEncoder().encode(["180D", "1234ABCD"] as [BluetoothUUID])
        #expect(String(decoding: data, as: UTF8.self) == #"["180D","1234ABCD"]"#)
        #expect(try JSONDecoder().decode([BluetoothUUID].self, from: Data("[\"\(heartRate)\"]".utf8)) == ["180D"])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([BluetoothUUID].self, from: Data("[\"18\"]".utf8))
        }
    }

    @Test(arguments: [heartRate, sensor])
    func `Foundation's UUID comes and goes`(text: String) throws {
        let uuid = try BluetoothUUID(text: text)
        #expect(uuid.foundationUUID.uuidString.lowercased() == text)
        #expect(BluetoothUUID(uuid.foundationUUID) == uuid)
    }

    @Test func `a bad literal stops the program`() async {
        await #expect(processExitsWith: .failure) { _ = "18 D" as BluetoothUUID }
    }
}
