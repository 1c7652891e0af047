// SPDX-License-Identifier: MIT

// Two values and more: the other overloads take one alone.

extension ByteReader {
    /// Reads values one behind the other; numbers are little-endian.
    ///
    /// ```swift
    /// let (flags, rate) = try reader.read(UInt8.self, UInt16.self)
    /// ```
    ///
    /// - Parameters:
    ///   - first: The type of the first value.
    ///   - second: The type of the second value.
    ///   - rest: The types of the values behind these.
    /// - Throws: ``SerDeError``, as the types' own decoding documents.
    @inlinable
    public mutating func read<First: ByteDecodable, Second: ByteDecodable, each Rest: ByteDecodable>(
        _ first: First.Type, _ second: Second.Type, _ rest: repeat (each Rest).Type
    ) throws(SerDeError) -> (First, Second, repeat each Rest) {
        (try First(from: &self), try Second(from: &self), repeat try (each Rest)(from: &self))
    }
}

extension SerDe {
    /// Returns the values that a span's bytes stand for, one behind the other.
    ///
    /// ```swift
    /// let (flags, rate) = try SerDe.deserialize(bytes, as: UInt8.self, UInt16.self)
    /// ```
    ///
    /// - Parameters:
    ///   - span: The bytes to read.
    ///   - first: The type of the first value.
    ///   - second: The type of the second value.
    ///   - rest: The types of the values after those, in their order.
    ///   - surplus: The treatment of bytes after the last value.
    /// - Throws: ``SerDeError``. No bytes, however malformed, cause a trap.
    @inlinable
    public static func deserialize<First: ByteDecodable, Second: ByteDecodable, each Rest: ByteDecodable>(
        _ span: RawSpan, as first: First.Type, _ second: Second.Type, _ rest: repeat (each Rest).Type,
        surplus: SurplusBytes = .reject
    ) throws(SerDeError) -> (First, Second, repeat each Rest) {
        var reader = ByteReader(span)
        let values = try reader.read(first, second, repeat each rest)
        try reader.finish(surplus)
        return values
    }

    /// Returns the values that some bytes stand for, one behind the other.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to read.
    ///   - first: The type of the first value.
    ///   - second: The type of the second value.
    ///   - rest: The types of the values after those, in their order.
    ///   - surplus: The treatment of bytes after the last value.
    /// - Throws: ``SerDeError``. No bytes, however malformed, cause a trap.
    @inlinable
    public static func deserialize<First: ByteDecodable, Second: ByteDecodable, each Rest: ByteDecodable>(
        _ bytes: Bytes, as first: First.Type, _ second: Second.Type, _ rest: repeat (each Rest).Type,
        surplus: SurplusBytes = .reject
    ) throws(SerDeError) -> (First, Second, repeat each Rest) {
        try bytes.withBytes { (span: RawSpan) throws(SerDeError) -> (First, Second, repeat each Rest) in
            try deserialize(span, as: first, second, repeat each rest, surplus: surplus)
        }
    }

    /// Returns the values that an array's bytes stand for, one behind the other.
    ///
    /// - Parameters:
    ///   - array: The bytes to read.
    ///   - first: The type of the first value.
    ///   - second: The type of the second value.
    ///   - rest: The types of the values after those, in their order.
    ///   - surplus: The treatment of bytes after the last value.
    /// - Throws: ``SerDeError``. No bytes, however malformed, cause a trap.
    @inlinable
    public static func deserialize<First: ByteDecodable, Second: ByteDecodable, each Rest: ByteDecodable>(
        _ array: [UInt8], as first: First.Type, _ second: Second.Type, _ rest: repeat (each Rest).Type,
        surplus: SurplusBytes = .reject
    ) throws(SerDeError) -> (First, Second, repeat each Rest) {
        try unsafe array.withUnsafeBufferPointer {
            (bytes: UnsafeBufferPointer<UInt8>) throws(SerDeError) -> (First, Second, repeat each Rest) in
            try unsafe deserialize(bytes.span.bytes, as: first, second, repeat each rest, surplus: surplus)
        }
    }

    /// Returns the bytes of values, one behind the other.
    ///
    /// ```swift
    /// let bytes = SerDe.serialize(flags, rate)
    /// ```
    ///
    /// - Parameters:
    ///   - first: The value that is encoded first.
    ///   - second: The value behind it.
    ///   - rest: The values behind these.
    @inlinable @_disfavoredOverload
    public static func serialize<First: ByteEncodable, Second: ByteEncodable, each Rest: ByteEncodable>(
        _ first: First, _ second: Second, _ rest: repeat each Rest
    ) -> Bytes {
        var count = first.encodedByteCount + second.encodedByteCount
        for value in repeat each rest { count += value.encodedByteCount }
        return Bytes(capacity: count) { output in
            first.encode(into: &output)
            second.encode(into: &output)
            for value in repeat each rest { value.encode(into: &output) }
        }
    }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public static func serialize(_ first: UntypedLiteral, _ second: UntypedLiteral) -> Bytes { first.bytes }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public static func serialize<each Rest: ByteEncodable>(
        _ first: UntypedLiteral, _ second: some ByteEncodable, _ rest: repeat each Rest
    ) -> Bytes { first.bytes }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public static func serialize<each Rest: ByteEncodable>(
        _ first: some ByteEncodable, _ second: UntypedLiteral, _ rest: repeat each Rest
    ) -> Bytes { second.bytes }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public static func serialize<each Rest: ByteEncodable>(
        _ first: some ByteEncodable, _ second: some ByteEncodable, _ third: UntypedLiteral, _ rest: repeat each Rest
    ) -> Bytes { third.bytes }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public static func serialize<each Rest: ByteEncodable>(
        _ first: some ByteEncodable, _ second: some ByteEncodable, _ third: some ByteEncodable,
        _ fourth: UntypedLiteral, _ rest: repeat each Rest
    ) -> Bytes { fourth.bytes }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public static func serialize<each Rest: ByteEncodable>(
        _ first: some ByteEncodable, _ second: some ByteEncodable, _ third: some ByteEncodable,
        _ fourth: some ByteEncodable, _ fifth: UntypedLiteral, _ rest: repeat each Rest
    ) -> Bytes { fifth.bytes }

    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public static func serialize<each Rest: ByteEncodable>(
        _ first: some ByteEncodable, _ second: some ByteEncodable, _ third: some ByteEncodable,
        _ fourth: some ByteEncodable, _ fifth: some ByteEncodable, _ sixth: UntypedLiteral, _ rest: repeat each Rest
    ) -> Bytes { sixth.bytes }
}
