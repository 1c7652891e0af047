// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Three signed bytes, as an accelerometer sends them.
struct Triple: ByteCodable {
    let x, y, z: Int8

    init(from reader: inout ByteReader) throws(SerDeError) {
        x = try reader.read()
        y = try reader.read()
        z = try reader.read()
    }

    var encodedByteCount: Int { 3 }

    func encode(into output: inout OutputRawSpan) {
        output.write(x)
        output.write(y)
        output.write(z)
    }
}

/// A byte and a number of two bytes.
struct Pair: ByteCodable {
    let first: UInt8
    let second: Int16

    init(from reader: inout ByteReader) throws(SerDeError) {
        first = try reader.read()
        second = try reader.read()
    }

    var encodedByteCount: Int { 3 }

    func encode(into output: inout OutputRawSpan) {
        output.write(first)
        output.write(second)
    }
}

/// Two bytes and two numbers of two bytes, without an array.
struct ArrayPair: ByteCodable {
    let first, second: UInt8
    let third, fourth: Int16

    init(from reader: inout ByteReader) throws(SerDeError) {
        first = try reader.read()
        second = try reader.read()
        third = try reader.read()
        fourth = try reader.read()
    }

    var encodedByteCount: Int { 6 }

    func encode(into output: inout OutputRawSpan) {
        output.write(first)
        output.write(second)
        output.write(third)
        output.write(fourth)
    }
}

/// All bytes as numbers of two bytes.
struct Samples: ByteCodable {
    let values: [Int16]

    init(from reader: inout ByteReader) throws(SerDeError) {
        values = try reader.readArray(count: reader.remaining / 2)
    }

    var encodedByteCount: Int { 2 * values.count }

    func encode(into output: inout OutputRawSpan) { output.write(contentsOf: values) }
}

/// A Heart Rate Measurement with the RR intervals in the value itself: nine fit into a notification of 20 bytes.
struct HeartRate: ByteCodable {
    let flags: UInt8
    private(set) var intervalCount: UInt8 = 0
    let beats: UInt16
    let energy: UInt16?
    private(set) var intervals = InlineArray<9, UInt16>(repeating: 0)

    init(from reader: inout ByteReader) throws(SerDeError) {
        flags = try reader.read()
        beats = flags & 0x01 != 0 ? try reader.read() : UInt16(try reader.read(UInt8.self))
        energy = flags & 0x08 != 0 ? try reader.read() : nil
        if flags & 0x10 != 0 {
            var count = 0
            while count < 9, reader.remaining >= 2 {
                intervals[count] = try reader.read()
                count &+= 1
            }
            intervalCount = UInt8(truncatingIfNeeded: count)
        }
    }

    var encodedByteCount: Int {
        1 + (flags & 0x01 != 0 ? 2 : 1) + (energy != nil ? 2 : 0) + Int(intervalCount) * 2
    }

    @inline(__always)
    func encode(into output: inout OutputRawSpan) {
        output.write(flags)
        if flags & 0x01 != 0 { output.write(beats) } else { output.write(UInt8(truncatingIfNeeded: beats)) }
        if let energy { output.write(energy) }
        for index in 0..<Int(intervalCount) { output.write(intervals[index]) }
    }
}

/// Three signed bytes by way of the array that the protocol asks for.
struct RawTriple: RawArrayDeserializable {
    static let uuid: BluetoothUUID = "AA11"
    static let size = 3
    let x, y, z: Int8

    var rawValue: [Int8] { [x, y, z] }

    init?(rawValue: [Int8]) {
        guard rawValue.count == 3 else { return nil }
        (x, y, z) = (rawValue[0], rawValue[1], rawValue[2])
    }
}

/// A byte and a number of two bytes, by the protocol for pairs.
struct RawPair: RawPairDeserializable {
    static let uuid: BluetoothUUID = "AA12"
    let rawValue1: UInt8
    let rawValue2: Int16

    init?(rawValue1: UInt8, rawValue2: Int16) { (self.rawValue1, self.rawValue2) = (rawValue1, rawValue2) }
}

/// Two bytes and two numbers of two bytes, by way of the two arrays that the protocol asks for.
struct RawArrayPair: RawArrayPairDeserializable {
    static let uuid: BluetoothUUID = "AA13"
    static let size1 = 2
    static let size2 = 4
    let rawValue1: [UInt8]
    let rawValue2: [Int16]

    init?(rawValue1: [UInt8], rawValue2: [Int16]) { (self.rawValue1, self.rawValue2) = (rawValue1, rawValue2) }
}
