// SPDX-License-Identifier: MIT

/// An array of values of a fixed size, kept as the bytes that they came in.
///
/// Up to 31 bytes (15 numbers of 16 bits) live inside the value itself, so that a notification at the default ATT MTU
/// is read without an allocation. An element is decoded where it is looked at.
///
/// ```swift
/// let intervals: PackedArray<UInt16> = try reader.read()  // all that is left
/// ```
@frozen
public struct PackedArray<Element: Deserializable>: Sendable {
    // Invariant: whole elements, each of which the element's decoder has accepted or its encoder has made.
    @usableFromInline var storage: Bytes

    /// The elements' bytes, one behind the other.
    @inlinable public var bytes: Bytes { storage }

    /// Creates an empty array.
    @inlinable
    public init() { storage = Bytes() }

    /// Creates a copy of a sequence's elements.
    @inlinable
    public init(_ elements: some Sequence<Element>) {
        self.init()
        for element in elements { append(element) }
    }

    /// Reads a number of elements.
    ///
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)`` when they are not all there; the error of the
    ///   element's own decoding for an invalid element.
    @inlinable
    public init(from reader: inout ByteReader, count: Int) throws(SerDeError) {
        let start = reader.offset
        try Element.checkArray(count: count, in: &reader)
        let end = reader.offset
        reader.position = start
        storage = try reader.readBytes(end &- start)
    }

    /// Adds an element at the end.
    @inlinable
    public mutating func append(_ element: Element) {
        storage.append(contentsOf: SerDe.serialize(element))
    }
}

extension PackedArray: ByteDecodable, ByteEncodable {
    /// Takes all whole elements that are left.
    ///
    /// A part of one at the end stays in the reader as surplus: ``SerDe`` then throws ``SerDeError/trailingBytes(_:)``,
    /// or drops it where the policy is ``SurplusBytes/ignore``.
    ///
    /// - Throws: The error of the element's own decoding for an invalid element.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        try self.init(from: &reader, count: reader.remaining / Element.size)
    }

    @inlinable public var encodedByteCount: Int { bytes.count }

    @inlinable
    public func encode(into output: inout OutputRawSpan) { output.write(bytes) }
}

extension PackedArray: RandomAccessCollection {
    /// The index of the first element, 0.
    @inlinable public var startIndex: Int { 0 }

    /// The number of elements.
    @inlinable public var endIndex: Int { bytes.count / Element.size }

    /// The element at a position from 0; traps outside the array.
    @inlinable
    public subscript(position: Int) -> Element {
        precondition(position >= 0 && position < endIndex, "index out of range")
        return bytes.withBytes { span in
            var reader = ByteReader(span)
            reader.position = position &* Element.size
            do throws(SerDeError) {
                return try Element(from: &reader)
            } catch {
                preconditionFailure("an element that was accepted before is now refused: \(error)")
            }
        }
    }
}

extension PackedArray: ExpressibleByArrayLiteral {
    /// Elements from a literal, as in `let intervals: PackedArray<UInt16> = [1024, 1010]`.
    @inlinable
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension PackedArray: Hashable {}

#if !hasFeature(Embedded)
extension PackedArray: CustomStringConvertible {
    /// The elements as an array shows them.
    public var description: String { Array(self).description }
}
#endif

extension Deserializable {
    /// Passes over a number of values and checks that each is allowed.
    @inlinable
    static func checkArray(count: Int, in reader: inout ByteReader) throws(SerDeError) {
        let (needed, overflow) = count.multipliedReportingOverflow(by: size)
        guard count >= 0, !overflow, needed <= reader.remaining else {
            throw .truncated(needed: overflow ? .max : needed, available: reader.remaining, offset: reader.offset)
        }
        if acceptsEveryPattern { return try reader.skip(needed) }
        for _ in 0..<count { _ = try Self(from: &reader) }
    }
}
