// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The decoders of BlueCapSerDe, chosen by the first byte.
struct ValueFuzzer {
    func run(_ input: inout FuzzInput) {
        let decoders = Self.decoders
        let index = Int(input.byte())
        switch index % (decoders.count + 3) {
        case decoders.count: Self.text(&input)
        case decoders.count + 1: Self.conversions(&input)
        case decoders.count + 2: Self.tuple(input.rest())
        case let index: decoders[index](input.rest())
        }
    }

    private static func of<Value: ByteCodable>(_ type: Value.Type) -> @Sendable ([UInt8]) -> Void {
        { roundTrip(type, $0) }
    }

    private static func number<Value: Deserializable & Hashable & Sendable>(_ type: Value.Type)
        -> @Sendable ([UInt8]) -> Void
    {
        { bytes in
            roundTrip(type, bytes)
            roundTrip([Value].self, bytes)
            guard let packed = roundTrip(PackedArray<Value>.self, bytes) else { return }
            expect(packed.count == bytes.count / Value.size, "\(packed.count) elements in \(bytes.count) bytes")
            for (index, element) in packed.enumerated() {
                expect(isEqual(packed[index], element) || !isEqual(element, element), "\(Value.self) at \(index)")
            }
        }
    }

    private static let decoders: [@Sendable ([UInt8]) -> Void] = [
        number(Int8.self), number(Int16.self), number(Int32.self), number(Int64.self), number(UInt8.self),
        number(UInt16.self), number(UInt32.self), number(UInt64.self), number(Float.self), number(Double.self),
        number(Bool.self), number(UInt24.self), number(Int24.self), number(UInt40.self), number(UInt48.self),
        number(Int48.self), number(SFloat.self), number(MedFloat.self), number(DateTime.self), number(Wide.self),
        of(String.self), of(Bytes.self), of(BluetoothUUID.self), of(Choice.self), of(Name.self), of(Triple.self),
        of(Pair.self), of(Arrays.self), described(SFloat.self), described(MedFloat.self), described(DateTime.self),
        described(Int48.self), described(UInt24.self),
    ]

    /// A value that is read from its own text is the same value.
    private static func described<Value: ByteCodable & LosslessStringConvertible & Equatable>(
        _ type: Value.Type
    ) -> @Sendable ([UInt8]) -> Void {
        { bytes in
            if let value = roundTrip(type, bytes) {
                expect(Value(value.description) == value, "\(Value.self): \(value) is lost in its own text")
            }
            if let value = Value(String(decoding: bytes, as: UTF8.self)) {
                expectEncoding(of: value)
                expect(Value(value.description) == value, "\(Value.self): \(value) is lost in its own text")
            }
        }
    }

    /// Texts in all encodings and with all ways to mark their end.
    private static func text(_ input: inout FuzzInput) {
        let encoding = input.pick(TextEncoding.allCases)
        let way = input.byte() % 5
        let size = Int(input.byte())
        let bytes = Bytes(input.rest())
        let read = try? bytes.withBytes { (span: RawSpan) throws(SerDeError) -> String in
            var reader = ByteReader(span)
            switch way {
            case 0: return try reader.readString(byteCount: size, encoding: encoding)
            case 1: return try reader.readString(countedBy: UInt32.self, encoding: encoding)
            case 2: return try reader.readTerminatedString(encoding: encoding)
            case 3: return try reader.readPaddedString(byteCount: size, padding: 0x20, encoding: encoding)
            default: return try reader.readString(byteCount: reader.remaining, encoding: encoding)
            }
        }
        guard let read else { return }
        guard let written = SerDe.serialize(read, encoding: encoding) else {
            fail("\(read) came from \(encoding) and has no bytes in it")
        }
        if way == 4 { expect(written == bytes, "\(bytes) became \(written)") }
        expect((try? SerDe.deserialize(written, encoding: encoding)) == read, "\(read) in \(encoding) is lost")
    }

    /// Numbers of a wider type that are brought into a narrower one.
    private static func conversions(_ input: inout FuzzInput) {
        guard let number = try? SerDe.deserialize(input.rest(), as: Double.self, surplus: .ignore) else { return }
        if let value = Int16(rounding: number) {
            expect(abs(Double(value) - number) <= 0.5, "\(number) is not \(value)")
        }
        if let value = UInt64(rounding: number) {
            expect(abs(Double(value) - number) <= 0.5, "\(number) is not \(value)")
        }
        _ = Int8(rounding: number)
        _ = Float(rounding: number)
        for exponent in [-8, -3, 0, 7, 200] {
            expectEncoding(of: SFloat(rounding: number, exponent: exponent) ?? .nan)
            expectEncoding(of: MedFloat(rounding: number, exponent: exponent) ?? .nan)
        }
        let short = SFloat(number)
        let long = MedFloat(number)
        if number.isFinite, short.isFinite { expect(short.doubleValue.isFinite, "\(number) in \(short)") }
        if number.isFinite, long.isFinite { expect(long.doubleValue.isFinite, "\(number) in \(long)") }
    }

    private static func tuple(_ bytes: [UInt8]) {
        guard let (first, second, third) = try? SerDe.deserialize(bytes, as: UInt8.self, SFloat.self, String.self)
        else {
            return
        }
        // A text ends with its first zero, and the bytes after the zero are not kept.
        let kept = bytes.prefix(3) + bytes.dropFirst(3).prefix { $0 != 0 }
        expect(SerDe.serialize(first, second, third) == Bytes(kept), "a tuple of \(Bytes(bytes))")
    }
}

private struct Wide: FlagSet, Hashable {
    static var size: Int { 3 }
    let rawValue: UInt32
}

private enum Choice: UInt8, RawDeserializable {
    static let uuid: BluetoothUUID = "FFF0"
    case no, yes
}

private struct Name: RawDeserializable, Equatable {
    static let uuid: BluetoothUUID = "FFF1"
    let rawValue: String
    init?(rawValue: String) {
        guard rawValue != "-" else { return nil }
        self.rawValue = rawValue
    }
}

private struct Triple: RawArrayDeserializable, Equatable {
    static let uuid: BluetoothUUID = "FFF2"
    static let size = 6
    let rawValue: [Int16]
    init?(rawValue: [Int16]) {
        guard rawValue.count == 3 else { return nil }
        self.rawValue = rawValue
    }
}

private struct Pair: RawPairDeserializable, Equatable {
    static let uuid: BluetoothUUID = "FFF3"
    let rawValue1: Int16
    let rawValue2: UInt24
    init?(rawValue1: Int16, rawValue2: UInt24) { (self.rawValue1, self.rawValue2) = (rawValue1, rawValue2) }
}

private struct Arrays: RawArrayPairDeserializable, Equatable {
    static let uuid: BluetoothUUID = "FFF4"
    static let size1 = 8
    static let size2 = 6
    let rawValue1: [UInt16]
    let rawValue2: [UInt24]
    init?(rawValue1: [UInt16], rawValue2: [UInt24]) {
        guard rawValue1.count == 4, rawValue2.count == 2 else { return nil }
        (self.rawValue1, self.rawValue2) = (rawValue1, rawValue2)
    }
}
