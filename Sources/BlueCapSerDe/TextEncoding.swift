// SPDX-License-Identifier: MIT

/// An encoding of text. Characteristics of the Bluetooth SIG use UTF-8 throughout, a few allow UTF-16 (GATT
/// Specification Supplement, Data types, `utf8s` and `utf16s`).
///
/// All encodings are strict both ways: nothing is replaced. None knows a byte order mark, which is read as a character
/// like any other.
@frozen
public enum TextEncoding: Sendable, Hashable, CaseIterable {
    /// One to four bytes for each scalar.
    case utf8
    /// One byte for each scalar, 0 through 127.
    case ascii
    /// ISO 8859-1: one byte for each scalar, 0 through 255. All bytes are text.
    case latin1
    /// Two bytes for each unit, least significant first.
    case utf16LittleEndian
    /// Two bytes for each unit, most significant first.
    case utf16BigEndian

    /// The size of the smallest part of a text: one byte, or two in UTF-16.
    @inlinable public var unitByteCount: Int {
        switch self {
        case .utf8, .ascii, .latin1: 1
        case .utf16LittleEndian, .utf16BigEndian: 2
        }
    }

    /// Returns the size of a text in bytes, or nil when it has a scalar that the encoding cannot express.
    public func byteCount(of text: String) -> Int? {
        switch self {
        case .utf8:
            return text.utf8.count
        case .ascii:
            return text.utf8.allSatisfy { $0 < 128 } ? text.utf8.count : nil
        case .latin1:
            var count = 0
            for scalar in text.unicodeScalars {
                guard scalar.value < 256 else { return nil }
                count += 1
            }
            return count
        case .utf16LittleEndian, .utf16BigEndian:
            return text.utf16.count * 2
        }
    }

    /// The text that some bytes stand for, or nil when they are not text.
    @unsafe
    func text(of buffer: UnsafeRawBufferPointer) -> String? {
        switch self {
        case .utf8:
            return unsafe String(validating: buffer, as: UTF8.self)
        case .ascii:
            return unsafe String(validating: buffer, as: Unicode.ASCII.self)
        case .latin1:
            // The first 256 scalars are those of ISO 8859-1, in the same order.
            return unsafe String(decoding: buffer.lazy.map(UInt16.init), as: UTF16.self)
        case .utf16LittleEndian:
            return unsafe Self.utf16(buffer, .littleEndian)
        case .utf16BigEndian:
            return unsafe Self.utf16(buffer, .bigEndian)
        }
    }

    @unsafe
    private static func utf16(_ buffer: UnsafeRawBufferPointer, _ order: ByteOrder) -> String? {
        guard buffer.count % 2 == 0 else { return nil }
        return unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: buffer.count / 2) { units in
            unsafe UnsafeMutableRawBufferPointer(units).copyMemory(from: buffer)
            for index in units.indices {
                let raw = unsafe units[index]
                unsafe units[index] = order == .littleEndian ? UInt16(littleEndian: raw) : UInt16(bigEndian: raw)
            }
            return unsafe String(validating: units, as: UTF16.self)
        }
    }
}
