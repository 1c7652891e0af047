// SPDX-License-Identifier: MIT

/// A field that can stand behind the number of its elements.
public protocol CountedField: ByteCodable {
    /// The number of elements, as it is sent.
    var elementCount: Int { get }

    /// Reads a number of elements.
    ///
    /// - Throws: `SerDeError.truncated(needed:available:offset:)` when they are not all there, or the error of an
    ///   element's own decoding.
    init(from reader: inout ByteReader, elementCount: Int) throws(SerDeError)

    /// Returns the first elements, as many as there are up to a number.
    func cut(to elementCount: Int) -> Self
}

extension CountedField {
    /// Reads the number of elements, little-endian, and the elements.
    ///
    /// - Parameters:
    ///   - reader: The reader to take them from.
    ///   - type: The type of the number.
    /// - Throws: As ``init(from:elementCount:)`` does.
    @inlinable
    public init<Count: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        from reader: inout ByteReader, countedBy type: Count.Type
    ) throws(SerDeError) {
        let count = try reader.read(type, .littleEndian)
        try self.init(from: &reader, elementCount: Int(clamping: count))
    }

    /// Appends the number of elements, little-endian, and the elements. If there are more than the number can express,
    /// it appends the first of them only.
    ///
    /// - Parameters:
    ///   - type: The type of the number.
    ///   - output: The span to append them to.
    @inlinable
    public func encode<Count: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        countedBy type: Count.Type, into output: inout OutputRawSpan
    ) {
        let fitting = elementCount <= Int(clamping: Count.max) ? self : cut(to: Int(clamping: Count.max))
        output.write(Count(clamping: fitting.elementCount))
        fitting.encode(into: &output)
    }
}

extension Array: CountedField where Element: FixedSizeCodable {
    @inlinable
    public var elementCount: Int { count }

    /// Reads a number of elements.
    @inlinable
    public init(from reader: inout ByteReader, elementCount: Int) throws(SerDeError) {
        self = try Element.readArray(count: elementCount, from: &reader)
    }

    @inlinable
    public func cut(to elementCount: Int) -> Self { Self(prefix(elementCount)) }
}

extension PackedArray: CountedField {
    @inlinable
    public var elementCount: Int { count }

    /// Reads a number of elements.
    @inlinable
    public init(from reader: inout ByteReader, elementCount: Int) throws(SerDeError) {
        try self.init(from: &reader, count: elementCount)
    }

    @inlinable
    public func cut(to elementCount: Int) -> Self { Self(prefix(elementCount)) }
}

extension Bytes: CountedField {
    @inlinable
    public var elementCount: Int { count }

    /// Reads a number of bytes.
    @inlinable
    public init(from reader: inout ByteReader, elementCount: Int) throws(SerDeError) {
        self = try reader.readBytes(elementCount)
    }

    @inlinable
    public func cut(to elementCount: Int) -> Self { Self(prefix(elementCount)) }
}

extension String: CountedField {
    @inlinable
    public var elementCount: Int { utf8.count }

    /// Reads a number of bytes as UTF-8.
    ///
    /// - Throws: `SerDeError.invalidText(offset:)` when they are not; `SerDeError.truncated(needed:available:offset:)`.
    @inlinable
    public init(from reader: inout ByteReader, elementCount: Int) throws(SerDeError) {
        self = try reader.readString(byteCount: elementCount)
    }

    @inlinable
    public func cut(to elementCount: Int) -> Self {
        var text = ""
        var size = 0
        for character in self {
            size += character.utf8.count
            guard size <= elementCount else { break }
            text.append(character)
        }
        return text
    }
}
