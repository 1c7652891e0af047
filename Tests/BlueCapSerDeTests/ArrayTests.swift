// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Foundation
import Testing

@Suite("Arrays of values", .timeLimit(.minutes(60)))
struct ArrayTests {
    private func check<T: FixedSizeCodable & Equatable>(_ values: [T]) throws {
        let bytes = SerDe.serialize(values)
        #expect(bytes.count == values.count * T.size)
        #expect(SerDe.serialize(values, as: [UInt8].self) == Array(bytes))
        #expect(SerDe.serialize(values, as: Data.self) == bytes.data)
        #expect(try SerDe.deserialize(bytes, as: [T].self) == values)
        #expect(try SerDe.deserialize(Array(bytes), as: [T].self) == values)
        #expect(try SerDe.deserialize((Data([7]) + bytes.data)[1...], as: [T].self) == values)
        #expect(try bytes.withBytes { span in try SerDe.deserialize(span, as: [T].self) } == values)
        for surplus in 1..<T.size {
            let longer = bytes + [UInt8](repeating: 0, count: surplus)
            #expect(throws: SerDeError.trailingBytes(surplus)) { try SerDe.deserialize(longer, as: [T].self) }
            #expect(try SerDe.deserialize(longer, as: [T].self, surplus: .ignore) == values)
        }
    }

    @Test
    func `arrays go both ways from every source; a part of an element at the end is refused unless it is ignored`()
        throws
    {
        for count in [0, 1, 2, 10, 31, 122] {
            var random = SplitMix64(seed: UInt64(count))
            let numbers = (0..<count).map { _ in random.next() }
            try check(numbers)
            try check(numbers.map { UInt8(truncatingIfNeeded: $0) })
            try check(numbers.map { Int8(truncatingIfNeeded: $0) })
            try check(numbers.map { UInt16(truncatingIfNeeded: $0) })
            try check(numbers.map { Int16(truncatingIfNeeded: $0) })
            try check(numbers.map { UInt24(truncatingIfNeeded: $0) })
            try check(numbers.map { Int32(truncatingIfNeeded: $0) })
            try check(numbers.map { UInt48(truncatingIfNeeded: $0) })
            try check(numbers.map { SFloat(bitPattern: UInt16(truncatingIfNeeded: $0)) })
            try check(numbers.map { Float(Int32(truncatingIfNeeded: $0)) })
            try check(numbers.map { $0 % 2 == 0 })
        }
    }

    @Test func `an element that its type refuses is refused where it stands`() {
        #expect(throws: SerDeError.invalidValue(offset: 2)) {
            try SerDe.deserialize([0, 1, 2, 1] as Bytes, as: [Bool].self)
        }
    }

    @Test func `an array has elements of every kind of value of a fixed size`() throws {
        try check([Step.walk, .run])
        try check([Samples(rawValue: [1, -1]), Samples(rawValue: [2, 3])].compactMap(\.self))
        try check([Pair(rawValue1: 1, rawValue2: -2), Pair(rawValue1: 3, rawValue2: 4)])
        let tables = [Table(rawValue1: [1, 2], rawValue2: [-1]), Table(rawValue1: [3, 4], rawValue2: [5])]
        try check(tables.compactMap(\.self))
        try check([Own(number: 1), Own(number: 0x0203)])
        #expect(Step.size == 2)
        #expect(Table.size == 5)
    }

    @Test func `an element of any kind that its type refuses is refused where it stands`() {
        #expect(throws: SerDeError.invalidValue(offset: 2)) {
            try SerDe.deserialize([1, 0, 3, 0] as Bytes, as: [Step].self)
        }
        #expect(throws: SerDeError.trailingBytes(2)) {
            try SerDe.deserialize([1, 0, 2, 0, 5, 6, 7] as Bytes, as: [Table].self)
        }
    }

    // MARK: Numbers from text

    @Test func `a number is made of a text as Swift's own are, within its range`() {
        #expect(UInt8(stringValue: "255") == 255)
        #expect(UInt8(stringValue: "256") == nil)
        #expect(Int16(stringValue: "-32768") == -32768)
        #expect(UInt24(stringValue: "16777215") == 16_777_215)
        #expect(UInt24(stringValue: "16777216") == nil)
        #expect(Double(stringValue: "0.5") == 0.5)
        #expect(SFloat(stringValue: "36.5") == SFloat("36.5"))
        #expect(Bool(stringValue: "true") == true)
        for text in ["", " 1", "1.5", "0x10", "one"] { #expect(Int32(stringValue: text) == nil) }
    }
}

private enum Step: UInt16, RawDeserializable, FixedSizeCodable {
    case walk = 1
    case run = 2

    static let uuid: BluetoothUUID = "FFE1"
}

private struct Samples: RawArrayDeserializable, Equatable {
    static let uuid: BluetoothUUID = "FFE2"
    static let size = 4
    let rawValue: [Int16]

    init?(rawValue: [Int16]) {
        if rawValue.count != 2 { return nil }
        self.rawValue = rawValue
    }
}

private struct Pair: RawPairDeserializable, Equatable {
    static let uuid: BluetoothUUID = "FFE3"
    let rawValue1: UInt8
    let rawValue2: Int16

    init(rawValue1: UInt8, rawValue2: Int16) { (self.rawValue1, self.rawValue2) = (rawValue1, rawValue2) }
}

private struct Table: RawArrayPairDeserializable, Equatable {
    static let uuid: BluetoothUUID = "FFE4"
    static let size1 = 4
    static let size2 = 1
    let rawValue1: [UInt16]
    let rawValue2: [Int8]

    init?(rawValue1: [UInt16], rawValue2: [Int8]) {
        if rawValue1.count != 2 || rawValue2.count != 1 { return nil }
        (self.rawValue1, self.rawValue2) = (rawValue1, rawValue2)
    }
}

/// A value with a coding of its own, which says its size.
private struct Own: FixedSizeCodable, Equatable {
    static let size = 2
    let number: UInt16

    init(number: UInt16) { self.number = number }
    init(from reader: inout ByteReader) throws(SerDeError) { number = try reader.read(.bigEndian) }

    func encode(into output: inout OutputRawSpan) { output.write(number, .bigEndian) }
}
