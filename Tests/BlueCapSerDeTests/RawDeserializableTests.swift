// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

private enum Mode: Int16, RawDeserializable, CaseIterable {
    static let uuid: BluetoothUUID = "FFE1"
    case off = 0
    case on = -2
}

private enum Command: String, RawDeserializable, CaseIterable {
    static let uuid: BluetoothUUID = "FFE2"
    case start, stop
}

private struct Triple<Number: Deserializable & Equatable>: RawArrayDeserializable, Equatable {
    static var uuid: BluetoothUUID { "FFE3" }
    static var size: Int { 3 * Number.size }
    let rawValue: [Number]

    init?(rawValue: [Number]) {
        guard rawValue.count == 3, rawValue[0] == rawValue[0] else { return nil }
        self.rawValue = rawValue
    }
}

private struct Odd: RawArrayDeserializable {
    static var uuid: BluetoothUUID { "FFE4" }
    static var size: Int { 2 }
    let rawValue: [UInt8]
    init?(rawValue: [UInt8]) {
        guard rawValue.allSatisfy({ $0 % 2 == 1 }) else { return nil }
        self.rawValue = rawValue
    }
}

@Suite("Raw protocols", .timeLimit(.minutes(60)))
struct RawDeserializableTests {
    @Test(arguments: zip(Mode.allCases, [[0, 0], [0xfe, 0xff]] as [Bytes]))
    private func `an enum over a number goes both ways`(mode: Mode, bytes: Bytes) throws {
        #expect(SerDe.serialize(mode) == bytes)
        #expect(try SerDe.deserialize(bytes) == mode)
    }

    @Test(arguments: Command.allCases)
    private func `an enum over text goes both ways`(command: Command) throws {
        #expect(SerDe.serialize(command) == Bytes(command.rawValue.utf8))
        #expect(try SerDe.deserialize(SerDe.serialize(command)) == command)
    }

    @Test(arguments: [[1, 0], [0xff, 0xff], [0, 1]] as [Bytes])
    func `a raw value without a case is refused`(bytes: Bytes) {
        #expect(throws: SerDeError.invalidValue(offset: 0)) { try SerDe.deserialize(bytes, as: Mode.self) }
    }

    private func checkTriple<Number: Deserializable & Equatable>(_ numbers: [Number]) throws {
        let triple = try #require(Triple(rawValue: numbers))
        let bytes = SerDe.serialize(triple)
        #expect(bytes.count == Triple<Number>.size)
        #expect(try SerDe.deserialize(bytes) == triple)
        for count in 0..<bytes.count {
            #expect(throws: SerDeError.truncated(needed: Triple<Number>.size, available: count, offset: 0)) {
                try SerDe.deserialize(Bytes(bytes.prefix(count)), as: Triple<Number>.self)
            }
        }
        #expect(throws: SerDeError.trailingBytes(1)) {
            try SerDe.deserialize(bytes + [0], as: Triple<Number>.self)
        }
    }

    @Test func `an array of numbers goes both ways and is refused at every other length`() throws {
        try checkTriple([1, -2, 3] as [Int8])
        try checkTriple([1, 0x0203, 0xffff] as [UInt16])
        try checkTriple([Int64.min, 0, Int64.max])
        try checkTriple([1.5, -0.25, .infinity] as [Float])
        try checkTriple([true, false, true])
    }

    @Test func `an array whose numbers the type refuses is an invalid value`() {
        #expect(throws: SerDeError.invalidValue(offset: 0)) { try SerDe.deserialize([1, 2] as Bytes, as: Odd.self) }
    }
}
