// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

/// The examples of the article "Serialization", each with the value that it gives.
@Suite("Serialization", .timeLimit(.minutes(60)))
struct SerializationTests {
    @Suite("Strings")
    struct Strings {
        @Test func `a text is its UTF-8, and comes back`() throws {
            let bytes = SerDe.serialize("Test")  // 54657374
            let value: String = try SerDe.deserialize(bytes)  // "Test"
            #expect(bytes == [0x54, 0x65, 0x73, 0x74])
            #expect(value == "Test")
        }

        @Test func `a text in another encoding comes back, and has no bytes where the encoding has none`() throws {
            let latin = SerDe.serialize("Zürich", encoding: .latin1)  // 5afc72696368
            let name = try latin.map { try SerDe.deserialize($0, encoding: .latin1) }  // "Zürich"
            let none = SerDe.serialize("Zürich", encoding: .ascii)  // nil
            #expect(latin == [0x5a, 0xfc, 0x72, 0x69, 0x63, 0x68])
            #expect(name == "Zürich")
            #expect(none == nil)
        }

        @Test func `bytes that are not UTF-8 are refused with the place`() {
            #expect(throws: SerDeError.invalidText(offset: 0)) {
                try SerDe.deserialize([0xff] as Bytes, as: String.self)
            }
        }
    }

    @Suite("Deserializable protocol")
    struct DeserializableProtocol {
        @Test func `a byte comes back`() throws {
            let bytes = SerDe.serialize(UInt8(31))  // 1f
            let value: UInt8 = try SerDe.deserialize(bytes)  // 31
            #expect(bytes == [31])
            #expect(value == 31)
        }

        @Test func `longer numbers are little-endian`() throws {
            let bytes = SerDe.serialize(Int16(-2))  // feff
            let value: Int16 = try SerDe.deserialize(bytes)  // -2
            #expect(bytes == [0xfe, 0xff])
            #expect(value == -2)
        }

        @Test func `a message is taken as numbers of one type, all of it`() throws {
            let bytes: Bytes = [1, 0, 2, 0, 3, 0]
            let values: [UInt16] = try SerDe.deserialize(bytes)  // [1, 2, 3]
            #expect(values == [1, 2, 3])
        }

        @Test func `a number is made of a text`() {
            let value = Int8(stringValue: "-5")  // -5
            let none = Int8(stringValue: "128")  // nil
            #expect(value == -5)
            #expect(none == nil)
        }

        @Test func `a number within a message is read from its place`() throws {
            let bytes: Bytes = [0xff, 0xff, 0x39, 0x05]
            let value = try bytes.withBytes { span throws(SerDeError) -> UInt16 in
                var reader = ByteReader(span)
                try reader.skip(2)
                return try reader.read()
            }  // 1337
            #expect(value == 1337)
        }

        @Test func `a message of the wrong length is refused with the lengths`() {
            #expect(throws: SerDeError.truncated(needed: 2, available: 1, offset: 0)) {
                try SerDe.deserialize([1] as Bytes, as: UInt16.self)
            }
            #expect(throws: SerDeError.trailingBytes(1)) {
                try SerDe.deserialize([1, 2, 3] as Bytes, as: UInt16.self)
            }
        }

        @Test func `a program may choose to let bytes behind the value go`() throws {
            let bytes: Bytes = [0x39, 0x05, 0xff]
            let value = try SerDe.deserialize(bytes, as: UInt16.self, surplus: .ignore)  // 1337
            #expect(value == 1337)
        }
    }

    enum Step: UInt8, RawDeserializable, FixedSizeCodable {
        case rest = 0
        case walk = 1
        case run = 2

        static let uuid: BluetoothUUID = "F000AA14-0451-4000-B000-000000000000"
    }

    @Suite("RawDeserializable protocol")
    struct RawDeserializableProtocol {
        enum Enabled: UInt8, RawDeserializable {
            case no = 0
            case yes = 1

            static let uuid: BluetoothUUID = "F000AA12-0451-4000-B000-000000000000"
        }

        struct Value: RawDeserializable {
            static let uuid: BluetoothUUID = "F000AA13-0451-4000-B000-000000000000"

            let rawValue: UInt8

            init?(rawValue: UInt8) {
                self.rawValue = rawValue
            }
        }

        @Test func `a message is taken as values of a fixed size, all of it`() throws {
            let steps: [Step] = try SerDe.deserialize([1, 1, 2])  // [.walk, .walk, .run]
            #expect(steps == [.walk, .walk, .run])
        }

        @Test func `an enum comes back`() throws {
            let bytes = SerDe.serialize(Enabled.yes)  // 01
            let value: Enabled = try SerDe.deserialize(bytes)  // .yes
            #expect(bytes == [1])
            #expect(value == .yes)
        }

        @Test func `bytes without a case are refused`() {
            #expect(throws: SerDeError.invalidValue(offset: 0)) {
                try SerDe.deserialize([2] as Bytes, as: Enabled.self)
            }
        }

        @Test func `a struct comes back`() throws {
            let initial = try #require(Value(rawValue: 10))
            let bytes = SerDe.serialize(initial)  // 0a
            let value: Value = try SerDe.deserialize(bytes)
            #expect(bytes == [10])
            #expect(value.rawValue == 10)
        }
    }

    @Suite("RawArrayDeserializable protocol")
    struct RawArrayDeserializableProtocol {
        struct RawArrayValue: RawArrayDeserializable {
            static let uuid: BluetoothUUID = "F000AA13-0451-4000-B000-000000000000"
            static let size = 2

            let rawValue: [UInt8]

            init?(rawValue: [UInt8]) {
                guard rawValue.count == 2 else { return nil }
                self.rawValue = rawValue
            }
        }

        @Test func `an array comes back`() throws {
            let initial = try #require(RawArrayValue(rawValue: [4, 10]))
            let bytes = SerDe.serialize(initial)  // 040a
            let value: RawArrayValue = try SerDe.deserialize(bytes)
            #expect(bytes == [4, 10])
            #expect(value.rawValue == [4, 10])
        }
    }

    @Suite("RawPairDeserializable protocol")
    struct RawPairDeserializableProtocol {
        struct RawPairValue: RawPairDeserializable {
            static let uuid: BluetoothUUID = "F000AA13-0451-4000-B000-000000000000"

            let rawValue1: UInt8
            let rawValue2: Int8

            init?(rawValue1: UInt8, rawValue2: Int8) {
                self.rawValue1 = rawValue1
                self.rawValue2 = rawValue2
            }
        }

        @Test func `a pair comes back`() throws {
            let initial = try #require(RawPairValue(rawValue1: 10, rawValue2: -10))
            let bytes = SerDe.serialize(initial)  // 0af6
            let value: RawPairValue = try SerDe.deserialize(bytes)
            #expect(bytes == [10, 0xf6])
            #expect(value.rawValue1 == 10)
            #expect(value.rawValue2 == -10)
        }
    }

    @Suite("RawArrayPairDeserializable protocol")
    struct RawArrayPairDeserializableProtocol {
        struct RawArrayPairValue: RawArrayPairDeserializable {
            static let uuid: BluetoothUUID = "F000AA13-0451-4000-B000-000000000000"
            static let size1 = 2
            static let size2 = 2

            let rawValue1: [UInt8]
            let rawValue2: [Int8]

            init?(rawValue1: [UInt8], rawValue2: [Int8]) {
                guard rawValue1.count == 2 && rawValue2.count == 2 else { return nil }
                self.rawValue1 = rawValue1
                self.rawValue2 = rawValue2
            }
        }

        @Test func `a pair of arrays comes back`() throws {
            let initial = try #require(RawArrayPairValue(rawValue1: [10, 100], rawValue2: [-10, -100]))
            let bytes = SerDe.serialize(initial)  // 0a64f69c
            let value: RawArrayPairValue = try SerDe.deserialize(bytes)
            #expect(bytes == [10, 100, 0xf6, 0x9c])
            #expect(value.rawValue1 == [10, 100])
            #expect(value.rawValue2 == [-10, -100])
        }
    }
}
