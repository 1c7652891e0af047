// SPDX-License-Identifier: MIT

extension ByteReader {
    /// Reads a number of bytes as text.
    ///
    /// - Parameters:
    ///   - count: The number of bytes to read.
    ///   - encoding: The encoding of the text.
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)`` when fewer bytes are left;
    ///   ``SerDeError/invalidText(offset:)``, with the place where the text starts, when they are not text in the
    ///   encoding. Then nothing is read.
    public mutating func readString(byteCount count: Int, encoding: TextEncoding) throws(SerDeError) -> String {
        let start = try claim(count)
        do throws(SerDeError) {
            return try text(from: start, count: count, encoding)
        } catch {
            position = start
            throw error
        }
    }

    /// Reads a text behind an unsigned number that holds its size in bytes.
    ///
    /// ```swift
    /// let name = try reader.readString(countedBy: UInt8.self)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the number.
    ///   - order: The byte order of the number.
    ///   - encoding: The encoding of the text.
    /// - Throws: As ``readString(byteCount:encoding:)`` does; then nothing is read.
    @inlinable
    public mutating func readString<Count: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        countedBy type: Count.Type, _ order: ByteOrder = .littleEndian, encoding: TextEncoding = .utf8
    ) throws(SerDeError) -> String {
        let start = position
        do throws(SerDeError) {
            let count = Int(clamping: try read(Count.self, order))
            return try readString(byteCount: count, encoding: encoding)
        } catch {
            position = start
            throw error
        }
    }

    /// Reads a text through the zero that ends it, which is two bytes in UTF-16.
    ///
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)`` if the text has no terminating zero; `needed` is
    ///   then the number of remaining bytes plus those of the zero. ``SerDeError/invalidText(offset:)``. Then nothing
    ///   is read.
    public mutating func readTerminatedString(encoding: TextEncoding = .utf8) throws(SerDeError) -> String {
        let start = position
        let unit = encoding.unitByteCount
        var end = start
        while bytes.byteCount &- end >= unit {
            if isZero(at: end, count: unit) {
                let result = try text(from: start, count: end &- start, encoding)
                position = end &+ unit
                return result
            }
            end &+= unit
        }
        throw .truncated(needed: end &- start &+ unit, available: remaining, offset: start)
    }

    /// Reads a text from a field of a fixed size whose rest is filled up, with zeros or with spaces.
    ///
    /// - Parameters:
    ///   - count: The number of bytes in the field.
    ///   - padding: The ASCII character that fills the field; all of them are taken off the end.
    ///   - encoding: How the text is encoded.
    /// - Throws: As ``readString(byteCount:encoding:)`` does; then nothing is read.
    public mutating func readPaddedString(
        byteCount count: Int, padding: UInt8 = 0, encoding: TextEncoding = .utf8
    ) throws(SerDeError) -> String {
        let text = try readString(byteCount: count, encoding: encoding)
        let scalars = text.unicodeScalars
        guard let last = scalars.lastIndex(where: { $0.value != UInt32(padding) }) else { return "" }
        return String(scalars[...last])
    }

    /// The number of bytes that are left before the first zero among them; of all that are left where there is none.
    var countBeforeZero: Int {
        for index in 0..<remaining where isZero(at: position &+ index, count: 1) { return index }
        return remaining
    }

    private func isZero(at offset: Int, count: Int) -> Bool {
        for index in 0..<count {
            // SAFETY: in bounds, as the caller has compared with the remaining count.
            if unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset &+ index, as: UInt8.self) != 0 { return false }
        }
        return true
    }

    /// The text of bytes that were claimed before.
    private func text(from start: Int, count: Int, _ encoding: TextEncoding) throws(SerDeError) -> String {
        let text = unsafe bytes.withUnsafeBytes { source in
            unsafe encoding.text(of: UnsafeRawBufferPointer(rebasing: source[start..<start &+ count]))
        }
        guard let text else { throw .invalidText(offset: start) }
        return text
    }
}
