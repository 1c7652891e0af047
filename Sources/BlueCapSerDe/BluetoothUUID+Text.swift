// SPDX-License-Identifier: MIT

extension BluetoothUUID {
    /// Where the hyphens of a full UUID stand in its text, counted from 0.
    static let hyphenPositions = [8, 13, 18, 23]

    /// Creates a UUID from text of either case: `180D`, `0x180D`, `0000180D`, 32 digits, or the full 36 characters.
    ///
    /// Use this initializer for text that the program did not write itself. A literal, as in `let uuid: BluetoothUUID =
    /// "180D"` and in `BluetoothUUID("180D")`, goes through ``init(stringLiteral:)``, which traps on a bad text.
    ///
    /// - Parameter text: The text.
    /// - Throws: ``BluetoothUUIDError``, which names the character that is wrong.
    public init(text: some StringProtocol) throws(BluetoothUUIDError) {
        guard let uuid = Self(ascii: String(text).utf8) else { throw Self.error(in: text) }
        self = uuid
    }

    /// Not offered: text that is no literal may be anything.
    @available(*, unavailable, message: "call init(text:), which throws where a text is no UUID")
    public init(_ text: some StringProtocol) { self.init(high: 0, low: 0) }

    /// Reads text byte by byte: whatever is right is ASCII.
    private init?(ascii text: String.UTF8View) {
        var digits = text[...]
        let hasPrefix = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
        if hasPrefix { digits = digits.dropFirst(2) }
        let length = digits.count
        guard length == 4 || length == 8 || !hasPrefix && (length == 32 || length == 36) else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        var position = 0
        for byte in digits {
            if length == 36, position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = hexadecimalDigit(byte) else { return nil }
                high = high << 4 | low >> 60
                low = low << 4 | UInt64(digit)
            }
            position += 1
        }
        if length <= 8 {
            self.init(UInt32(truncatingIfNeeded: low))
        } else {
            self.init(high: high, low: low)
        }
    }

    /// The fault of a text that could not be read, in the characters that its reader sees.
    private static func error(in text: some StringProtocol) -> BluetoothUUIDError {
        let hasPrefix = text.hasPrefix("0x") || text.hasPrefix("0X")
        let start = hasPrefix ? 2 : 0
        let length = text.utf8.count - start
        guard length == 4 || length == 8 || !hasPrefix && (length == 32 || length == 36) else {
            return .invalidLength(text: String(text))
        }
        for (position, character) in text.enumerated() where position >= start {
            let isRight =
                length == 36 && Self.hyphenPositions.contains(position)
                ? character == "-" : character.asciiValue.flatMap(hexadecimalDigit) != nil
            if !isRight { return .invalidCharacter(character, position: position, text: String(text)) }
        }
        return .invalidLength(text: String(text))
    }

    /// All 128 bits as 36 lower-case characters with hyphens, as BlueZ writes them.
    public var fullDescription: String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, byte) in fullLittleEndianBytes.reversed().enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
            appendHexadecimal(byte, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension BluetoothUUID: CustomStringConvertible {
    /// The shortest form in upper case: `180D`, `1234ABCD` or the 36 characters, as CoreBluetooth writes them.
    public var description: String {
        let full = fullDescription.uppercased()
        if uint16 != nil { return String(full.dropFirst(4).prefix(4)) }
        if uint32 != nil { return String(full.prefix(8)) }
        return full
    }
}

extension BluetoothUUID: ExpressibleByStringLiteral {
    /// Creates an identifier written in the source, as in `static let uuid: BluetoothUUID = "180D"`.
    ///
    /// Traps with an explanation when the literal is not a UUID: that is an error of the program. Text that comes from
    /// outside goes through the throwing initializer.
    public init(stringLiteral value: String) {
        do throws(BluetoothUUIDError) {
            self = try BluetoothUUID(text: value)
        } catch {
            preconditionFailure(error.description)
        }
    }
}

#if !hasFeature(Embedded)
extension BluetoothUUID: CodingKeyRepresentable {
    /// The same text as ``description``, so that dictionaries with UUIDs as keys are coded as objects.
    public var codingKey: any CodingKey { TextKey(stringValue: description) }

    /// Reads any of the text forms; nil for any other text.
    public init?<Key: CodingKey>(codingKey: Key) {
        guard let uuid = try? BluetoothUUID(text: codingKey.stringValue) else { return nil }
        self = uuid
    }
}

extension BluetoothUUID: Codable {
    /// Reads any of the text forms.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(BluetoothUUIDError) {
            self = try BluetoothUUID(text: text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes the same text as ``description``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
#endif
