/// How a text is put into bytes. Characteristics of the Bluetooth SIG use UTF-8 throughout.
public enum TextEncoding: Sendable, Hashable, CaseIterable {
    /// One to four bytes for each scalar.
    case utf8
    /// One byte for each scalar, 0 through 127.
    case ascii
    /// ISO 8859-1: one byte for each scalar, 0 through 255.
    case latin1
    /// Two bytes for each unit, least significant first, without a byte order mark.
    case utf16LittleEndian
    /// Two bytes for each unit, most significant first, without a byte order mark.
    case utf16BigEndian
}

extension SerDe {
    /// The text that some bytes stand for, all of them.
    ///
    /// - Throws: ``SerDeError/invalidText(offset:)`` when they are not UTF-8; ``SerDeError/invalidValue(offset:)`` when they
    ///   are not text in another encoding, with the offset of the first that is not; ``SerDeError/trailingBytes(_:)`` for
    ///   half a unit of UTF-16.
    public static func deserialize(_ bytes: Bytes, encoding: TextEncoding) throws(SerDeError) -> String {
        switch encoding {
        case .utf8:
            return try deserialize(bytes)
        case .ascii:
            if let offset = bytes.firstIndex(where: { $0 > 127 }) { throw .invalidValue(offset: offset) }
            return String(decoding: bytes, as: UTF8.self)
        case .latin1:
            return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        case .utf16LittleEndian:
            return try utf16(bytes) { UInt16($1) << 8 | UInt16($0) }
        case .utf16BigEndian:
            return try utf16(bytes) { UInt16($0) << 8 | UInt16($1) }
        }
    }

    /// The bytes of a text; nil when the encoding has none for one of its scalars.
    public static func serialize(_ text: String, encoding: TextEncoding) -> Bytes? {
        switch encoding {
        case .utf8:
            return serialize(text)
        case .ascii:
            return text.utf8.allSatisfy { $0 < 128 } ? serialize(text) : nil
        case .latin1:
            var bytes: [UInt8] = []
            for scalar in text.unicodeScalars {
                guard let byte = UInt8(exactly: scalar.value) else { return nil }
                bytes.append(byte)
            }
            return Bytes(bytes)
        case .utf16LittleEndian:
            return Bytes(text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
        case .utf16BigEndian:
            return Bytes(text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] })
        }
    }

    private static func utf16(_ bytes: Bytes, unit: (UInt8, UInt8) -> UInt16) throws(SerDeError) -> String {
        if bytes.count % 2 != 0 { throw .trailingBytes(1) }
        let units = stride(from: 0, to: bytes.count, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
        var text = ""
        var decoder = UTF16()
        var input = units.makeIterator()
        var offset = 0
        while true {
            switch decoder.decode(&input) {
            case .scalarValue(let scalar):
                text.unicodeScalars.append(scalar)
                offset += scalar.value > 0xffff ? 4 : 2
            case .emptyInput: return text
            case .error: throw .invalidValue(offset: offset)
            }
        }
    }
}
