// SPDX-License-Identifier: MIT

extension OutputRawSpan {
    /// Appends a text; traps when the span has no room for it (see ``TextEncoding/byteCount(of:)``).
    ///
    /// - Parameters:
    ///   - text: The text to append.
    ///   - encoding: The encoding of the text.
    /// - Throws: ``SerDeError/invalidText(offset:)``, with the count of bytes before it, when the encoding cannot
    ///   express the text. Then nothing is appended.
    @_lifetime(self: copy self)
    public mutating func write(_ text: String, encoding: TextEncoding) throws(SerDeError) {
        guard encoding.byteCount(of: text) != nil else { throw .invalidText(offset: byteCount) }
        append(text, encoding)
    }

    /// Appends a text behind an unsigned number that holds its size in bytes; traps when the span has no room for both.
    ///
    /// - Parameters:
    ///   - text: The text to append.
    ///   - type: The type of the number.
    ///   - order: The byte order of the number.
    ///   - encoding: The encoding of the text.
    /// - Throws: ``SerDeError/invalidText(offset:)`` when the encoding cannot express the text;
    ///   ``SerDeError/invalidValue(offset:)`` when it is too long for the number. Then nothing is appended.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func write<Count: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ text: String, countedBy type: Count.Type, _ order: ByteOrder = .littleEndian, encoding: TextEncoding = .utf8
    ) throws(SerDeError) {
        guard let size = encoding.byteCount(of: text) else { throw .invalidText(offset: byteCount) }
        guard let count = Count(exactly: size) else { throw .invalidValue(offset: byteCount) }
        write(count, order)
        append(text, encoding)
    }

    /// Appends a text and the zero that ends it, which is two bytes in UTF-16; traps when the span has no room for
    /// both.
    ///
    /// - Parameters:
    ///   - text: The text to append.
    ///   - encoding: The encoding of the text and of the zero.
    /// - Throws: ``SerDeError/invalidText(offset:)`` when the encoding cannot express the text, or when the text itself
    ///   has a zero. Then nothing is appended.
    @_lifetime(self: copy self)
    public mutating func write(terminated text: String, encoding: TextEncoding = .utf8) throws(SerDeError) {
        guard encoding.byteCount(of: text) != nil, !text.unicodeScalars.contains("\0") else {
            throw .invalidText(offset: byteCount)
        }
        append(text, encoding)
        for _ in 0..<encoding.unitByteCount { write(0 as UInt8) }
    }

    /// Appends a text to a field of a fixed size and fills up the rest; traps when the span has no room for the field.
    ///
    /// - Parameters:
    ///   - text: The text to append.
    ///   - count: The number of bytes in the field.
    ///   - padding: The ASCII character that fills the field.
    ///   - encoding: How the text is encoded.
    /// - Throws: ``SerDeError/invalidText(offset:)`` when the encoding cannot express the text;
    ///   ``SerDeError/invalidValue(offset:)`` when the field has no room for it, or is no multiple of UTF-16's two
    ///   bytes. Then nothing is appended.
    @_lifetime(self: copy self)
    public mutating func write(
        _ text: String, paddedTo count: Int, with padding: UInt8 = 0, encoding: TextEncoding = .utf8
    ) throws(SerDeError) {
        guard let size = encoding.byteCount(of: text) else { throw .invalidText(offset: byteCount) }
        guard size <= count, count % encoding.unitByteCount == 0 else { throw .invalidValue(offset: byteCount) }
        append(text, encoding)
        for _ in 0..<(count - size) / encoding.unitByteCount { append(UInt16(padding), encoding) }
    }

    /// Appends a text that the encoding can express.
    @usableFromInline
    @_lifetime(self: copy self)
    mutating func append(_ text: String, _ encoding: TextEncoding) {
        switch encoding {
        case .utf8, .ascii:
            write(text)
        case .latin1:
            for scalar in text.unicodeScalars { write(UInt8(truncatingIfNeeded: scalar.value)) }
        case .utf16LittleEndian, .utf16BigEndian:
            for unit in text.utf16 { append(unit, encoding) }
        }
    }

    @_lifetime(self: copy self)
    private mutating func append(_ unit: UInt16, _ encoding: TextEncoding) {
        switch encoding {
        case .utf8, .ascii, .latin1: write(UInt8(truncatingIfNeeded: unit))
        case .utf16LittleEndian: write(unit, .littleEndian)
        case .utf16BigEndian: write(unit, .bigEndian)
        }
    }
}
