// SPDX-License-Identifier: MIT

extension SerDe {
    /// The text that a span's bytes stand for, all of them.
    ///
    /// - Throws: ``SerDeError/invalidText(offset:)`` when they are not text in the encoding.
    public static func deserialize(_ span: RawSpan, encoding: TextEncoding) throws(SerDeError) -> String {
        var reader = ByteReader(span)
        return try reader.readString(byteCount: reader.remaining, encoding: encoding)
    }

    /// The text that some bytes stand for; see ``deserialize(_:encoding:)-(RawSpan,_)``.
    public static func deserialize(_ bytes: Bytes, encoding: TextEncoding) throws(SerDeError) -> String {
        try bytes.withBytes { (span: RawSpan) throws(SerDeError) -> String in
            try deserialize(span, encoding: encoding)
        }
    }

    /// The text that an array's bytes stand for; see ``deserialize(_:encoding:)-(RawSpan,_)``.
    public static func deserialize(_ array: [UInt8], encoding: TextEncoding) throws(SerDeError) -> String {
        try unsafe deserialize(array.span.bytes, encoding: encoding)
    }

    /// The bytes of a text; nil when the encoding has none for one of its scalars.
    public static func serialize(_ text: String, encoding: TextEncoding) -> Bytes? {
        guard let count = encoding.byteCount(of: text) else { return nil }
        return try? Bytes(capacity: count) { (output: inout OutputRawSpan) throws(SerDeError) -> Void in
            try output.write(text, encoding: encoding)
        }
    }
}
