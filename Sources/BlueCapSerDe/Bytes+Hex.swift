// SPDX-License-Identifier: MIT

extension Bytes {
    /// The reason for which a text is not bytes in hexadecimal.
    public enum HexError: Error, Equatable, Sendable, CustomStringConvertible {
        /// A character at this position (from 0) is neither a hexadecimal digit nor a separator between two bytes.
        case invalidCharacter(Character, position: Int)
        /// A byte has one digit only: the text ends, or a separator stands, at this position.
        case missingDigit(position: Int)

        /// A sentence with the fault of the text and its place.
        public var description: String {
            switch self {
            case .invalidCharacter(let character, let position):
                "'\(character)' at position \(position) is not a hexadecimal digit"
            case .missingDigit(let position):
                "each byte needs two hexadecimal digits, but one is missing at position \(position)"
            }
        }
    }

    /// Creates bytes from hexadecimal text of either case: "01ff", "0x01ff", "01 ff", "01:ff" or "01-ff". `try?
    /// Bytes(hex: text)` is the form that gives nil.
    ///
    /// - Throws: ``HexError``, with the place of the first character that does not fit.
    public init(hex text: some StringProtocol) throws(HexError) {
        self.init()
        var high: UInt8?
        for (position, character) in text.enumerated() {
            if let digit = character.asciiValue.flatMap(hexadecimalDigit) {
                if let upper = high {
                    append(upper << 4 | digit)
                    high = nil
                } else {
                    high = digit
                }
            } else if character == " " || character == ":" || character == "-" {
                if high != nil { throw .missingDigit(position: position) }
            } else if position == 1, high == 0, character == "x" || character == "X" {
                high = nil
            } else {
                throw .invalidCharacter(character, position: position)
            }
        }
        if high != nil { throw .missingDigit(position: text.count) }
    }

    /// The bytes as lower-case hexadecimal text, two digits each, nothing between them.
    public var hex: String {
        var text: [UInt8] = []
        text.reserveCapacity(count * 2)
        for byte in self { appendHexadecimal(byte, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Bytes: CustomStringConvertible {
    /// The same as ``hex``.
    public var description: String { hex }
}

#if !hasFeature(Embedded)
extension Bytes: Codable {
    /// Reads the hexadecimal text that `encode(to:)` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(HexError) {
            self = try Bytes(hex: text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes the bytes as one text in hexadecimal.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}
#endif

/// The value of one ASCII hexadecimal digit of either case.
func hexadecimalDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// Adds a byte's two lower-case digits.
func appendHexadecimal(_ byte: UInt8, to text: inout [UInt8]) {
    for digit in [byte >> 4, byte & 15] {
        text.append(digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a"))
    }
}
