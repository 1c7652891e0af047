// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapPlatform

extension Span<UInt8> {
    package func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { bytes in
            unsafe other.withUnsafeBytes { others in
                guard let first = bytes.baseAddress, let second = others.baseAddress else { return true }
                return unsafe memcmp(first, second, bytes.count) == 0
            }
        }
    }

    /// Whether these are the UTF-8 bytes of a text of the source code.
    package func isEqual(to text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return unsafe withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return true }
            return unsafe memcmp(start, text.utf8Start, bytes.count) == 0
        }
    }

    /// The number of four bytes at an offset; traps when they are not there.
    func number(at offset: Int, isSwapped: Bool) -> UInt32 {
        let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return isSwapped ? value.byteSwapped : value
    }

    /// The length that four bytes at an offset say; traps when they are not there.
    func length(at offset: Int, isSwapped: Bool) -> Int { Int(length: number(at: offset, isSwapped: isSwapped)) }

    /// The number of two bytes at an offset; traps when they are not there.
    func shortNumber(at offset: Int, isSwapped: Bool) -> UInt16 {
        let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)
        return isSwapped ? value.byteSwapped : value
    }

    /// Whether the bytes are UTF-8 without NUL, as a text of D-Bus must be.
    var isText: Bool {
        if isPlain { return true }
        let hasNull = unsafe withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return unsafe memchr(start, 0, bytes.count) != nil
        }
        guard !hasNull else { return false }
        do {
            _ = try UTF8Span(validating: self)
            return true
        } catch {
            return false
        }
    }

    /// Whether all bytes are ASCII without NUL: then they are a text whatever they say.
    private var isPlain: Bool {
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        var offset = 0
        while count - offset >= 8 {
            let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            // A byte that is not ASCII has its high bit set, and the subtraction sets it for a zero.
            guard (word | (word &- ones)) & highs == 0 else { return false }
            offset += 8
        }
        while offset < count {
            guard Int8(bitPattern: self[offset]) > 0 else { return false }
            offset += 1
        }
        return true
    }
}

extension Int {
    /// A length from a message. A length beyond D-Bus's limits stays beyond them, and can be added to others on
    /// machines of 32 bits, too.
    @inline(__always)
    init(length: UInt32) { self.init(Swift.min(length, 1 << 28)) }
}
#endif
