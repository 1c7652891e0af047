// SPDX-License-Identifier: MIT

extension Bytes {
    /// Returns the value that begins at an offset; bytes before it and behind it do not count.
    ///
    /// ```swift
    /// let level = try frame.read(UInt16.self, at: 2)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - offset: Where the value begins; 0 is the first byte.
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)`` where too few bytes are left, or the offset is
    ///   behind the last byte or negative; the error of the type's own decoding.
    @inlinable
    public func read<T: ByteDecodable>(_ type: T.Type = T.self, at offset: Int) throws(SerDeError) -> T {
        try withBytes { (span: RawSpan) throws(SerDeError) -> T in
            var reader = ByteReader(span)
            try reader.skip(offset)
            return try T(from: &reader)
        }
    }
}
