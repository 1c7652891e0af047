// SPDX-License-Identifier: MIT

/// Decodes UTF-8 byte by byte (Unicode 15, table 3-7); invalid bytes become U+FFFD.
struct UTF8Decoder: Sendable {
    private var value: UInt32 = 0
    private var remaining = 0
    /// The valid range of the next byte.
    private var range: ClosedRange<UInt8> = 0x80...0xBF

    /// A Boolean value that is true in the middle of a character.
    var isPending: Bool { remaining > 0 }

    /// The characters that a byte completes: none or one, or two where it ends one that is broken off.
    mutating func decode(_ byte: UInt8) -> [Unicode.Scalar] {
        if remaining > 0 {
            guard range.contains(byte) else {
                remaining = 0
                return ["\u{FFFD}"] + decode(byte)
            }
            value = value << 6 | UInt32(byte & 0x3F)
            range = 0x80...0xBF
            remaining -= 1
            return remaining == 0 ? [Unicode.Scalar(value) ?? "\u{FFFD}"] : []
        }
        switch byte {
        case 0x00...0x7F: return [Unicode.Scalar(byte)]
        case 0xC2...0xDF: begin(byte & 0x1F, 1)
        case 0xE0: begin(0, 2, 0xA0...0xBF)
        case 0xED: begin(0x0D, 2, 0x80...0x9F)
        case 0xE1...0xEF: begin(byte & 0x0F, 2)
        case 0xF0: begin(0, 3, 0x90...0xBF)
        case 0xF4: begin(4, 3, 0x80...0x8F)
        case 0xF1...0xF3: begin(byte & 0x07, 3)
        default: return ["\u{FFFD}"]
        }
        return []
    }

    private mutating func begin(_ bits: UInt8, _ remaining: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) {
        value = UInt32(bits)
        self.remaining = remaining
        self.range = range
    }
}
