// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// The D-Bus specification's rules for names, by which those of messages of our own are checked, and those that come.
package enum Names {
    /// `/`, or `/` and elements of `[A-Za-z0-9_]` without a trailing slash.
    package static func isObjectPath(_ text: String) -> Bool { isObjectPath(text.utf8Span.span) }

    static func isObjectPath(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 0, bytes[0] == UInt8(ascii: "/") else { return false }
        return bytes.count == 1
            || elements(between: UInt8(ascii: "/"), in: bytes, from: 1, mayStartWithDigits: true) != .malformed
    }

    /// Two or more elements with dots between; none starts with a digit. Error names follow the same rule.
    package static func isInterface(_ text: String) -> Bool { isInterface(text.utf8Span.span) }

    static func isInterface(_ bytes: Span<UInt8>) -> Bool {
        bytes.count <= 255 && elements(between: dot, in: bytes) == .several
    }

    /// One element that does not start with a digit.
    package static func isMember(_ text: String) -> Bool { isMember(text.utf8Span.span) }

    static func isMember(_ bytes: Span<UInt8>) -> Bool {
        bytes.count <= 255 && elements(between: dot, in: bytes) == .one
    }

    /// A unique name (`:1.42`) or a well-known one.
    package static func isBusName(_ text: String) -> Bool { isBusName(text.utf8Span.span) }

    static func isBusName(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 0, bytes.count <= 255 else { return false }
        let isUnique = bytes[0] == UInt8(ascii: ":")
        let elements = elements(
            between: dot, in: bytes, from: isUnique ? 1 : 0, also: UInt8(ascii: "-"), mayStartWithDigits: isUnique)
        return elements == .several
    }

    /// Whether a D-Bus string may hold the text: anything but NUL (Swift strings are valid UTF-8 already).
    package static func isString(_ text: String) -> Bool { !text.utf8.contains(0) }

    // MARK: Elements

    private static var dot: UInt8 { UInt8(ascii: ".") }

    private enum Elements {
        case malformed, one, several
    }

    /// The elements of a name; malformed unless each one is one or more of `[A-Za-z0-9_]` or `also`, and begins as it
    /// may.
    ///
    /// Every message has four or five names, so eight bytes are looked at together. In the computed words the highest
    /// bit of each byte says yes or no.
    @inline(__always)
    private static func elements(
        between separator: UInt8, in bytes: Span<UInt8>, from start: Int = 0, also: UInt8 = UInt8(ascii: "_"),
        mayStartWithDigits: Bool = false
    ) -> Elements {
        guard start < bytes.count, bytes[bytes.count - 1] != separator else { return .malformed }
        var all: UInt64 = 0
        // The first byte of an element: the byte at the start and each byte behind a separator.
        var firsts: UInt64 = 0x80
        var position = start
        while position < bytes.count {
            let word = eight(of: bytes, from: position)
            guard word & high == 0 else { return .malformed }
            let separators = equal(word, separator)
            let digits = inRange(word, from: UInt8(ascii: "0"), through: UInt8(ascii: "9"))
            // Capitals become small letters, and nothing else does.
            let letters = inRange(word | every(0x20), from: UInt8(ascii: "a"), through: UInt8(ascii: "z"))
            let others = equal(word, UInt8(ascii: "_")) | equal(word, also)
            guard letters | digits | others | separators == high else { return .malformed }
            firsts |= separators << 8
            guard firsts & separators == 0, mayStartWithDigits || firsts & digits == 0 else { return .malformed }
            firsts = separators >> 56
            all |= separators
            position &+= 8
        }
        return all == 0 ? .one : .several
    }

    /// Eight bytes, the first one lowest; a letter for each that is not there.
    @inline(__always)
    private static func eight(of bytes: Span<UInt8>, from position: Int) -> UInt64 {
        if bytes.count - position >= 8 {
            return UInt64(
                littleEndian: unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
        }
        var word = every(UInt8(ascii: "a"))
        for index in (position..<bytes.count).reversed() { word = word << 8 | UInt64(bytes[index]) }
        return word
    }

    private static var high: UInt64 { 0x8080_8080_8080_8080 }

    private static func every(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    // Of bytes below 0x80: no sum or difference reaches into the next byte.

    private static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 { (high &- (word ^ every(byte))) & high }

    private static func inRange(_ word: UInt64, from first: UInt8, through last: UInt8) -> UInt64 {
        (word &+ every(0x80 - first)) & ~(word &+ every(0x7F - last)) & high
    }
}
#endif
