// SPDX-License-Identifier: MIT

extension SerDe {
    /// Returns the text that all the bytes of a span stand for.
    ///
    /// - Parameters:
    ///   - span: The bytes of the text.
    ///   - encoding: The encoding of the text.
    /// - Throws: ``SerDeError/invalidText(offset:)`` when they are not text in the encoding.
    public static func deserialize(_ span: RawSpan, encoding: TextEncoding) throws(SerDeError) -> String {
        var reader = ByteReader(span)
        return try reader.readString(byteCount: reader.remaining, encoding: encoding)
    }

    /// Returns the text that some bytes stand for; see ``deserialize(_:encoding:)-(RawSpan,_)``.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the text.
    ///   - encoding: The encoding of the text.
    /// - Throws: ``SerDeError/invalidText(offset:)`` when they are not text in the encoding.
    public static func deserialize(_ bytes: Bytes, encoding: TextEncoding) throws(SerDeError) -> String {
        try bytes.withBytes { (span: RawSpan) throws(SerDeError) -> String in
            try deserialize(span, encoding: encoding)
        }
    }

    /// Returns the text that an array's bytes stand for; see ``deserialize(_:encoding:)-(RawSpan,_)``.
    ///
    /// - Parameters:
    ///   - array: The bytes of the text.
    ///   - encoding: The encoding of the text.
    /// - Throws: ``SerDeError/invalidText(offset:)`` when they are not text in the encoding.
    public static func deserialize(_ array: [UInt8], encoding: TextEncoding) throws(SerDeError) -> String {
        try unsafe array.withUnsafeBufferPointer { (bytes: UnsafeBufferPointer<UInt8>) throws(SerDeError) -> String in
            try unsafe deserialize(bytes.span.bytes, encoding: encoding)
        }
    }

    /// Returns the bytes of a text, or nil when the encoding has none for one of its scalars.
    ///
    /// - Parameters:
    ///   - text: The text to encode.
    ///   - encoding: The encoding of the text.
    public static func serialize(_ text: String, encoding: TextEncoding) -> Bytes? {
        guard let count = encoding.byteCount(of: text) else { return nil }
        return try? Bytes(capacity: count) { (output: inout OutputRawSpan) throws(SerDeError) -> Void in
            try output.write(text, encoding: encoding)
        }
    }
}
