// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Foundation
import Testing

private enum Choice: UInt8, RawDeserializable {
    static let uuid: BluetoothUUID = "FFE1"
    case no, yes
}

private struct Three: RawArrayDeserializable {
    static let uuid: BluetoothUUID = "FFE2"
    static let size = 9
    let rawValue: [UInt24]
    init?(rawValue: [UInt24]) { self.rawValue = rawValue }
}

private struct Pair: RawPairDeserializable {
    static let uuid: BluetoothUUID = "FFE3"
    let rawValue1: SFloat
    let rawValue2: Int48
    init?(rawValue1: SFloat, rawValue2: Int48) { (self.rawValue1, self.rawValue2) = (rawValue1, rawValue2) }
}

private struct ArrayPair: RawArrayPairDeserializable {
    static let uuid: BluetoothUUID = "FFE4"
    static let size1 = 4
    static let size2 = 3
    let rawValue1: [UInt16]
    let rawValue2: [Bool]
    init?(rawValue1: [UInt16], rawValue2: [Bool]) { (self.rawValue1, self.rawValue2) = (rawValue1, rawValue2) }
}

private struct Flags: FlagSet {
    let rawValue: UInt32
    static let size = 3
}

/// A value of every kind of field, optional by flags, as characteristics are.
private struct Everything: ByteDecodable {
    init(from reader: inout ByteReader) throws(SerDeError) {
        let flags: Flags = try reader.read()
        if flags.rawValue & 1 != 0 { _ = try reader.readString(countedBy: UInt16.self, .bigEndian) }
        if flags.rawValue & 2 != 0 { _ = try reader.readTerminatedString(encoding: .utf16BigEndian) }
        if flags.rawValue & 4 != 0 { _ = try reader.readPaddedString(byteCount: 11, padding: 0x20, encoding: .latin1) }
        if flags.rawValue & 8 != 0 { _ = try reader.read(UInt40.self, .bigEndian) }
        if flags.rawValue & 16 != 0 { _ = try reader.readUUID128(.bigEndian) }
        if flags.rawValue & 32 != 0 {
            let count: UInt32 = try reader.read()
            _ = try reader.readArray(of: Int64.self, count: Int(count), .bigEndian)
        }
        if flags.rawValue & 64 != 0 {
            _ = try PackedArray<Int24>(from: &reader, count: Int(try reader.read(Int8.self)))
        }
        if flags.rawValue & 128 != 0 { _ = try reader.read(DateTime.self, MedFloat.self, Bool.self) }
        if flags.rawValue & 256 != 0 { try reader.skip(Int(clamping: try reader.read(Int64.self))) }
        if flags.rawValue & 512 != 0 { _ = try reader.readBytes(Int(try reader.read(Int16.self))) }
        _ = try PackedArray<UInt16>(from: &reader)
    }
}

/// Decodes from every source and checks that they agree; that the process lives on is the point.
private func attempt<T: ByteDecodable>(_ type: T.Type, _ bytes: Bytes) throws {
    func outcome(_ body: () throws(SerDeError) -> T) -> SerDeError? {
        do throws(SerDeError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }
    let expected = outcome { () throws(SerDeError) in try SerDe.deserialize(bytes) }
    let array = outcome { () throws(SerDeError) in try SerDe.deserialize(Array(bytes)) }
    let data = outcome { () throws(SerDeError) in try SerDe.deserialize(bytes.data) }
    try hold(array == expected, bytes)
    try hold(data == expected, bytes)
    guard let expected else { return }
    switch expected {
    case .truncated(let needed, let available, let offset):
        try hold(available >= 0 && offset >= 0 && offset + available == bytes.count, bytes)
        try hold(needed > available || needed < 0, bytes)
    case .invalidValue(let offset?), .invalidText(let offset): try #require((0...bytes.count).contains(offset))
    case .invalidValue(nil): break
    case .trailingBytes(let count): try #require((1...bytes.count).contains(count))
    }
    let ignoring = outcome { () throws(SerDeError) in try SerDe.deserialize(bytes, surplus: .ignore) }
    if case .trailingBytes = expected {
        try hold(ignoring == nil, bytes)
    } else {
        try hold(ignoring == expected, bytes)
    }
}

@Suite("Hostile bytes", .timeLimit(.minutes(60)))
struct HostileBytesTests {
    private func attemptAll(_ bytes: Bytes) throws {
        try attempt(UInt8.self, bytes)
        try attempt(Int64.self, bytes)
        try attempt(UInt24.self, bytes)
        try attempt(Int48.self, bytes)
        try attempt(Bool.self, bytes)
        try attempt(Double.self, bytes)
        try attempt(SFloat.self, bytes)
        try attempt(MedFloat.self, bytes)
        try attempt(DateTime.self, bytes)
        try attempt(BluetoothUUID.self, bytes)
        try attempt(String.self, bytes)
        try attempt(Bytes.self, bytes)
        try attempt([Int16].self, bytes)
        try attempt([Bool].self, bytes)
        try attempt([UInt40].self, bytes)
        try attempt(PackedArray<UInt16>.self, bytes)
        try attempt(PackedArray<DateTime>.self, bytes)
        try attempt(Choice.self, bytes)
        try attempt(Three.self, bytes)
        try attempt(Pair.self, bytes)
        try attempt(ArrayPair.self, bytes)
        try attempt(Flags.self, bytes)
        try attempt(Everything.self, bytes)
        for encoding in TextEncoding.allCases { _ = try? SerDe.deserialize(bytes, encoding: encoding) }
        _ = try? SerDe.deserialize(bytes, as: UInt24.self, Everything.self, String.self)
        _ = try? BluetoothUUID(littleEndianBytes: bytes)
    }

    @Test
    func `random bytes of every length through 600 are decoded or refused alike from every source`() throws {
        var random = SplitMix64(seed: 600)
        for count in 0...600 { try attemptAll(random.bytes(count)) }
    }

    @Test(arguments: [0x00, 0x01, 0x7f, 0x80, 0xff])
    func `bytes all alike of lengths through 600 are decoded or refused`(byte: UInt8) throws {
        for count in 0...600 where count < 40 || count % 29 == 0 {
            try attemptAll(Bytes(repeating: byte, count: count))
        }
    }

    @Test
    func `a composite value is refused or decoded wherever a bit of it flips and wherever it is cut`() throws {
        // Text of 3 bytes, UTF-16 "é" and its zero, 11 padded bytes, 5 bytes, a UUID, no numbers, 2 × 3 bytes, ...
        var whole = SerDe.serialize(
            Flags(rawValue: 0x3ff), 0x0300 as UInt16, "abc", Bytes([0, 0xe9, 0, 0]), Bytes(repeating: 0x20, count: 11),
            0x01_0203_0405 as UInt40)
        whole += SerDe.serialize(
            Bytes(repeating: 7, count: 16), 0 as UInt32, 2 as Int8, Bytes(repeating: 1, count: 6),
            Bytes([0xe8, 7, 2, 29, 1, 2, 3]), MedFloat(36.4), true, 1 as Int64, UInt8(9), 2 as Int16,
            Bytes([1, 2, 3, 4]))
        _ = try SerDe.deserialize(whole, as: Everything.self)
        for count in 0..<whole.count { try attempt(Everything.self, Bytes(whole.prefix(count))) }
        for place in whole.indices {
            for bit in 0..<8 {
                var bytes = whole
                bytes[place] ^= 1 << UInt8(bit)
                try attempt(Everything.self, bytes)
            }
        }
    }
}
