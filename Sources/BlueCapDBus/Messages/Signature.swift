// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Type signatures: at most 255 bytes, 32 nested arrays and 32 nested structures.
package enum Signature {
    /// Whether the text is zero or more complete types.
    package static func isValid(_ text: String) -> Bool { isValid(text.utf8Span.span) }

    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count <= 255 else { return false }
        var position = 0
        while position < bytes.count {
            guard let next = end(of: position, in: bytes, arrays: 0, structures: 0) else { return false }
            position = next
        }
        return true
    }

    /// Whether the text is exactly one complete type.
    package static func isSingle(_ text: String) -> Bool { isSingle(text.utf8Span.span) }

    static func isSingle(_ bytes: Span<UInt8>) -> Bool {
        bytes.count <= 255 && end(of: 0, in: bytes, arrays: 0, structures: 0) == bytes.count
    }

    /// Whether the text is one basic type, as a dictionary key requires.
    package static func isBasic(_ text: String) -> Bool { text.utf8.count == 1 && text.utf8.allSatisfy(isBasic) }

    /// Whether a code is a type by itself.
    static func isSimple(_ code: UInt8) -> Bool { isBasic(code) || code == UInt8(ascii: "v") }

    /// Whether the bytes are one simple type or an array of one, as most are.
    @inline(__always)
    static func isUsual(_ bytes: Span<UInt8>) -> Bool {
        switch bytes.count {
        case 1: isSimple(bytes[0])
        case 2: bytes[0] == UInt8(ascii: "a") && isSimple(bytes[1])
        default: false
        }
    }

    static func isBasic(_ code: UInt8) -> Bool {
        // A bit for each letter.
        code >= UInt8(ascii: "a") && code <= UInt8(ascii: "z") && basic >> (code - UInt8(ascii: "a")) & 1 == 1
    }

    /// b, d, g, h, i, n, o, q, s, t, u, x and y.
    private static var basic: UInt32 { 0b1_1001_1101_0110_0001_1100_1010 }

    /// The alignment of a type by its first code; nil for a code that starts no type.
    static func alignment(of code: UInt8) -> Int? {
        switch code {
        case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "b"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "s"), UInt8(ascii: "o"),
            UInt8(ascii: "a"), UInt8(ascii: "h"):
            4
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("), UInt8(ascii: "{"): 8
        default: nil
        }
    }

    /// How many bytes a number or descriptor takes, any of which form a value; 0 for the other types.
    static func size(of code: UInt8) -> Int {
        switch code {
        case UInt8(ascii: "y"): 1
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "h"): 4
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"): 8
        default: 0
        }
    }

    /// The position after the complete type that starts at `position`, or nil when there is none. Positions count from
    /// 0.
    static func end(of position: Int, in bytes: Span<UInt8>, arrays: Int, structures: Int) -> Int? {
        guard position < bytes.count else { return nil }
        let code = bytes[position]
        if isSimple(code) { return position + 1 }
        if code == UInt8(ascii: "(") {
            guard structures < 32 else { return nil }
            var next = position + 1
            while next < bytes.count, bytes[next] != UInt8(ascii: ")") {
                guard let after = end(of: next, in: bytes, arrays: arrays, structures: structures + 1) else {
                    return nil
                }
                next = after
            }
            return next < bytes.count && next > position + 1 ? next + 1 : nil
        }
        guard code == UInt8(ascii: "a"), arrays < 32, position + 1 < bytes.count else { return nil }
        guard bytes[position + 1] == UInt8(ascii: "{") else {
            return end(of: position + 1, in: bytes, arrays: arrays + 1, structures: structures)
        }
        guard structures < 32, position + 2 < bytes.count, isBasic(bytes[position + 2]),
            let after = end(of: position + 3, in: bytes, arrays: arrays + 1, structures: structures + 1),
            after < bytes.count, bytes[after] == UInt8(ascii: "}")
        else { return nil }
        return after + 1
    }

    /// The position after an array's element, which may be a dictionary entry, in a signature known to be valid.
    static func elementEnd(at position: Int, in bytes: Span<UInt8>) -> Int? {
        guard position > 0, bytes[position] == UInt8(ascii: "{") else {
            return end(of: position, in: bytes, arrays: 0, structures: 0)
        }
        return end(of: position - 1, in: bytes, arrays: 0, structures: 0)
    }
}
#endif
