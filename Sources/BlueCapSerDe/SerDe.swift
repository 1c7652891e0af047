/// Serialization and deserialization of values: from and to ``Bytes``, arrays, spans and Foundation's `Data`.
///
/// ```swift
/// let bytes = SerDe.serialize(Enabled.yes)
/// let value: Enabled = try SerDe.deserialize(bytes)
/// ```
public enum SerDe {
    /// The value that a span's bytes stand for.
    ///
    /// - Parameter surplus: what is done with bytes behind the value; by default what the type says, which is to reject
    ///   them unless it says otherwise.
    /// - Throws: ``SerDeError``. No bytes, however malformed, cause a trap.
    @inlinable
    public static func deserialize<T: ByteDecodable>(
        _ span: RawSpan, as type: T.Type = T.self, surplus: SurplusBytes = T.surplusBytes
    ) throws(SerDeError) -> T {
        var reader = ByteReader(span)
        let value = try T(from: &reader)
        try reader.finish(surplus)
        return value
    }

    /// The value that some bytes stand for; see ``deserialize(_:as:surplus:)-(RawSpan,_,_)``.
    @inlinable
    public static func deserialize<T: ByteDecodable>(
        _ bytes: Bytes, as type: T.Type = T.self, surplus: SurplusBytes = T.surplusBytes
    ) throws(SerDeError) -> T {
        try bytes.withBytes { (span: RawSpan) throws(SerDeError) -> T in
            try deserialize(span, as: type, surplus: surplus)
        }
    }

    /// The value that an array's bytes stand for; see ``deserialize(_:as:surplus:)-(RawSpan,_,_)``.
    @inlinable
    public static func deserialize<T: ByteDecodable>(
        _ array: [UInt8], as type: T.Type = T.self, surplus: SurplusBytes = T.surplusBytes
    ) throws(SerDeError) -> T {
        try unsafe deserialize(array.span.bytes, as: type, surplus: surplus)
    }

    /// A value's bytes.
    @inlinable
    public static func serialize(_ value: some ByteEncodable) -> Bytes {
        Bytes(capacity: value.encodedByteCount) { value.encode(into: &$0) }
    }

    /// A value's bytes, the type spelled out.
    @inlinable
    public static func serialize(_ value: some ByteEncodable, as type: Bytes.Type) -> Bytes { serialize(value) }

    /// A value's bytes in an array.
    @inlinable
    public static func serialize(_ value: some ByteEncodable, as type: [UInt8].Type) -> [UInt8] {
        Bytes.array(capacity: value.encodedByteCount) { value.encode(into: &$0) }
    }
}
