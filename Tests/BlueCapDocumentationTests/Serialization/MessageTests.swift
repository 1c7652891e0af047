// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Foundation
import Testing

/// The rest of the article "Serialization": messages of any other form, and other places for bytes.
@Suite("Serialization of other messages", .timeLimit(.minutes(60)))
struct MessageTests {
    struct Reading: CharacteristicValue, Hashable {
        static let uuid: BluetoothUUID = "F000AA71-0451-4000-B000-000000000000"

        let sequence: UInt8
        let humidity: UInt16?

        init(sequence: UInt8, humidity: UInt16? = nil) {
            self.sequence = sequence
            self.humidity = humidity
        }

        init(from reader: inout ByteReader) throws(SerDeError) {
            sequence = try reader.read()
            humidity = reader.isAtEnd ? nil : try reader.read(.bigEndian)
        }

        var encodedByteCount: Int { humidity == nil ? 1 : 3 }

        func encode(into output: inout OutputRawSpan) {
            output.write(sequence)
            if let humidity { output.write(humidity, .bigEndian) }
        }
    }

    @Test(arguments: [nil, 0x1234] as [UInt16?])
    func `a message with an optional field comes back`(humidity: UInt16?) throws {
        let value = Reading(sequence: 7, humidity: humidity)
        #expect(try SerDe.deserialize(SerDe.serialize(value)) == value)
    }

    @Test func `a big-endian field is written as it says`() {
        #expect(SerDe.serialize(Reading(sequence: 7, humidity: 0x1234)) == [7, 0x12, 0x34])
    }

    @Test func `values come from and go to arrays and Data without Bytes between`() throws {
        let array = SerDe.serialize(Int16(-2), as: [UInt8].self)
        let data = SerDe.serialize(Int16(-2), as: Data.self)
        let value: Int16 = try SerDe.deserialize(data)
        #expect(array == [0xfe, 0xff])
        #expect(data == Data([0xfe, 0xff]))
        #expect(value == -2)
    }

    @Test func `bytes are hexadecimal text and the other way round`() throws {
        let bytes = try Bytes(hex: "01 ff")
        let text = bytes.hex  // "01ff"
        #expect(bytes == [1, 0xff])
        #expect(text == "01ff")
    }

    @Test func `an error tells what was needed and where`() throws {
        func report(_ bytes: Bytes) -> String {
            do {
                let reading: Reading = try SerDe.deserialize(bytes)
                return "sequence \(reading.sequence)"
            } catch .truncated(let needed, let available, let offset) {
                return "\(needed - available) more bytes are needed for the field at \(offset)"
            } catch {
                return "\(error)"
            }
        }
        #expect(report([1]) == "sequence 1")
        #expect(report([1, 2]) == "1 more bytes are needed for the field at 1")
        #expect(report([1, 2, 3, 4]) == "1 byte left over behind the value")
    }
}
