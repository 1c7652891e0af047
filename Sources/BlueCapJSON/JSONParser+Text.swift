// SPDX-License-Identifier: MIT

extension JSONParser {
    /// A text, whose first quote is next.
    mutating func text() throws(JSONFault) -> String {
        let begun = place
        index += 1
        /// The text up to the last escape; most texts have none.
        var escaped = ""
        var start = index
        while let byte = next {
            if byte == UInt8(ascii: "\"") {
                escaped += String(decoding: bytes[start..<index], as: UTF8.self)
                index += 1
                return escaped
            }
            if byte < 0x20 {
                let isBreak = byte == 0x0A || byte == 0x0D
                throw JSONFault(
                    isBreak ? begun : place,
                    isBreak ? "this text is not closed in its line" : "a control character stands in a text")
            }
            if byte == UInt8(ascii: "\\") {
                escaped += String(decoding: bytes[start..<index], as: UTF8.self)
                escaped.unicodeScalars.append(try escape())
                start = index
            } else if byte < 0x80 {
                index += 1
            } else {
                try takeCharacter()
            }
        }
        throw JSONFault(begun, "this text is not closed")
    }

    /// The character of an escape, whose backslash is next.
    private mutating func escape() throws(JSONFault) -> Unicode.Scalar {
        let begun = place
        index += 1
        if take("u") { return try unicode(begun) }
        for (letter, character) in Self.letters where take(letter) { return character }
        throw unexpected("a character that can follow '\\'")
    }

    private static let letters: [(Unicode.Scalar, Unicode.Scalar)] = [
        ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{C}"), ("n", "\n"), ("r", "\r"), ("t", "\t"),
    ]

    /// The character of one escape with four digits, or of two.
    private mutating func unicode(_ begun: JSONPlace) throws(JSONFault) -> Unicode.Scalar {
        let unit = try hexadecimal()
        if let character = Unicode.Scalar(unit) { return character }
        // One half of a character, which the other half follows.
        guard unit < 0xDC00, take("\\"), take("u") else { throw half(begun) }
        let other = try hexadecimal()
        guard other & 0xFC00 == 0xDC00,
            let character = Unicode.Scalar(0x1_0000 + (UInt32(unit & 0x3FF) << 10 | UInt32(other & 0x3FF)))
        else { throw half(begun) }
        return character
    }

    private func half(_ begun: JSONPlace) -> JSONFault {
        JSONFault(begun, "this is one half of a character without the other")
    }

    /// The four digits of an escape.
    private mutating func hexadecimal() throws(JSONFault) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw unexpected("a hexadecimal digit")
            }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }
}
