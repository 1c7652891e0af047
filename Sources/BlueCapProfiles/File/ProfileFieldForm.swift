// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
import BlueCapSerDe

/// How one part of a value is sent, by the names that a profile file has for it.
enum ProfileFieldForm: String, Decodable, CaseIterable, Sendable {
    case uint8, int8, uint16, int16, uint24, int24, uint32, int32, uint40, uint48, int48, uint64, int64
    case float, double, sfloat, medfloat
    /// Bits of the flags, which take no bytes.
    case bits
    case utf8, bytes

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let form = Self(rawValue: name) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(name.prefix(64))\" is none of \(known)")
        }
        self = form
    }

    /// The bytes of a number; nil for a text and for bytes, which have as many as there are, and for bits.
    var size: Int? {
        switch self {
        case .uint8, .int8: 1
        case .uint16, .int16, .sfloat: 2
        case .uint24, .int24: 3
        case .uint32, .int32, .float, .medfloat: 4
        case .uint40: 5
        case .uint48, .int48: 6
        case .uint64, .int64, .double: 8
        case .bits, .utf8, .bytes: nil
        }
    }

    var isInteger: Bool { size != nil && ![.float, .double, .sfloat, .medfloat].contains(self) }

    var isUnsigned: Bool { isInteger && !isSigned }

    private var isSigned: Bool { [.int8, .int16, .int24, .int32, .int48, .int64].contains(self) }

    /// Whether a number can be sent in this form, as an integer or as the bits of another number.
    func fits(_ raw: Int128) -> Bool {
        guard let size else { return false }
        let bits = Int128(1) << (8 * Int128(size))
        return isSigned ? (-bits / 2..<bits / 2).contains(raw) : (0..<bits).contains(raw)
    }

    /// Reads a number: an integer, or the bits of another one.
    func read(from reader: inout ByteReader, _ order: ByteOrder) throws(SerDeError) -> Int128 {
        let size = size ?? 0
        let bytes = try reader.readBytes(size)
        var raw: Int128 = 0
        for index in 0..<size {
            raw = raw << 8 | Int128(bytes[order == .bigEndian ? index : size - 1 - index])
        }
        return isSigned && !fits(raw) ? raw - Int128(1) << (8 * Int128(size)) : raw
    }

    /// The bytes of a number that fits.
    func bytes(of raw: Int128, _ order: ByteOrder) -> Bytes {
        let bytes = (0..<(size ?? 0)).map { UInt8(truncatingIfNeeded: raw >> (8 * Int128($0))) }
        return Bytes(order == .bigEndian ? bytes.reversed() : bytes)
    }

    func text(of raw: Int128) -> String {
        switch self {
        case .float: Float(bitPattern: UInt32(truncatingIfNeeded: raw)).description
        case .double: Double(bitPattern: UInt64(truncatingIfNeeded: raw)).description
        case .sfloat: SFloat(bitPattern: UInt16(truncatingIfNeeded: raw)).description
        case .medfloat: MedFloat(bitPattern: UInt32(truncatingIfNeeded: raw)).description
        default: raw.description
        }
    }

    /// The number that a text stands for; nil when it stands for none.
    func raw(of text: String) -> Int128? {
        switch self {
        case .float: Float(text).map { Int128($0.bitPattern) }
        case .double: Double(text).map { Int128($0.bitPattern) }
        case .sfloat: SFloat(text).map { Int128($0.bitPattern) }
        case .medfloat: MedFloat(text).map { Int128($0.bitPattern) }
        default: Int128(text)
        }
    }
}
#endif
