// SPDX-License-Identifier: MIT

/// Serialization and deserialization of values: from and to ``Bytes``, arrays, spans and Foundation's `Data`.
///
/// ```swift
/// let bytes = SerDe.serialize(Enabled.yes)
/// let value: Enabled = try SerDe.deserialize(bytes)
/// ```
public enum SerDe {
    /// Returns the value that a span's bytes stand for.
    ///
    /// - Parameters:
    ///   - span: The bytes to read.
    ///   - type: The type of the value.
    ///   - surplus: The treatment of bytes behind the value. The default is that of the type, which rejects them unless
    ///     the type declares another.
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

    /// Returns the value that some bytes stand for; see ``deserialize(_:as:surplus:)-(RawSpan,_,_)``.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the value.
    ///   - type: The type of the value.
    ///   - surplus: The treatment of bytes behind the value.
    /// - Throws: ``SerDeError``. No bytes, however malformed, cause a trap.
    @inlinable
    public static func deserialize<T: ByteDecodable>(
        _ bytes: Bytes, as type: T.Type = T.self, surplus: SurplusBytes = T.surplusBytes
    ) throws(SerDeError) -> T {
        try bytes.withBytes { (span: RawSpan) throws(SerDeError) -> T in
            try deserialize(span, as: type, surplus: surplus)
        }
    }

    /// Returns the value that an array's bytes stand for; see ``deserialize(_:as:surplus:)-(RawSpan,_,_)``.
    ///
    /// - Parameters:
    ///   - array: The bytes of the value.
    ///   - type: The type of the value.
    ///   - surplus: The treatment of bytes behind the value.
    /// - Throws: ``SerDeError``. No bytes, however malformed, cause a trap.
    @inlinable
    public static func deserialize<T: ByteDecodable>(
        _ array: [UInt8], as type: T.Type = T.self, surplus: SurplusBytes = T.surplusBytes
    ) throws(SerDeError) -> T {
        try unsafe array.withUnsafeBufferPointer { (bytes: UnsafeBufferPointer<UInt8>) throws(SerDeError) -> T in
            try unsafe deserialize(bytes.span.bytes, as: type, surplus: surplus)
        }
    }

    /// Returns a value's bytes.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func serialize(_ value: some ByteEncodable) -> Bytes {
        let capacity = value.encodedByteCount
        // The heap out of line, so that the encoding is called in one place only and can be inlined there.
        guard _fastPath(capacity <= Bytes.inlineCapacity) else { return serializeToHeap(value, capacity) }
        var bytes = Bytes()
        @inline(__always) func fill(_ all: UnsafeMutableRawBufferPointer) {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: all[0..<capacity])
            var output = unsafe OutputRawSpan(buffer: room, initializedCount: 0)
            value.encode(into: &output)
            let count = unsafe output.finalize(for: room)
            if count < capacity { unsafe Bytes.clear(all, from: count, to: capacity) }
            unsafe all[31] = UInt8(truncatingIfNeeded: count)
        }
        unsafe withUnsafeMutableBytes(of: &bytes.words, fill)
        return bytes
    }

    @inline(never) @inlinable
    static func serializeToHeap(_ value: some ByteEncodable, _ capacity: Int) -> Bytes {
        Bytes(holding: Bytes.array(capacity: capacity) { value.encode(into: &$0) })
    }

    /// Returns a value's bytes, with their type spelled out.
    ///
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - type: `Bytes.self`, to choose this overload.
    @inlinable @_disfavoredOverload
    public static func serialize(_ value: some ByteEncodable, as type: Bytes.Type) -> Bytes { serialize(value) }

    /// Returns a value's bytes in an array.
    ///
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - type: `[UInt8].self`, to choose this overload.
    @inlinable @_disfavoredOverload
    public static func serialize(_ value: some ByteEncodable, as type: [UInt8].Type) -> [UInt8] {
        Bytes.array(capacity: value.encodedByteCount) { value.encode(into: &$0) }
    }
}

// A literal takes the first type that fits, which for serialization would be `Double`: these overloads keep it from
// that. The compiler prefers any overload that is available, so that one for literals is deprecated; and as it prefers
// the usual type of a literal, too, the overloads for all values are disfavoured.
extension SerDe {
    /// Returns the bytes themselves: an array literal of numbers means bytes here.
    @inlinable
    public static func serialize(_ bytes: [UInt8]) -> Bytes { Bytes(bytes) }

    /// Not offered: `Int` has no size of its own on the air.
    @available(*, unavailable, message: "say how wide the integer is, such as UInt8(1) or Int16(-1)")
    public static func serialize(_ value: Int) -> Bytes { Bytes() }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public static func serialize(_ value: UntypedLiteral) -> Bytes { value.bytes }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public static func serialize(_ value: UntypedLiteral, as type: Bytes.Type) -> Bytes { value.bytes }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public static func serialize(_ value: UntypedLiteral, as type: [UInt8].Type) -> [UInt8] { [UInt8](value.bytes) }
}
