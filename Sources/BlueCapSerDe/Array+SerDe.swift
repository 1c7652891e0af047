// SPDX-License-Identifier: MIT

extension Array: ByteDecodable where Element: FixedSizeCodable {
    /// Takes all whole elements that are left.
    ///
    /// A part of one at the end stays in the reader as surplus: ``SerDe`` then throws ``SerDeError/trailingBytes(_:)``,
    /// or drops it where the policy is ``SurplusBytes/ignore``. ``PackedArray`` does the same without an allocation.
    ///
    /// - Throws: The error of the element's own decoding for an invalid element.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        precondition(Element.size > 0, "an element of an array has at least one byte")
        self = try Element.readArray(count: reader.remaining / Element.size, from: &reader)
    }
}

extension Array: ByteEncodable where Element: FixedSizeCodable {
    /// The size of all elements.
    @inlinable public var encodedByteCount: Int { count * Element.size }

    /// Appends the elements, one behind the other.
    @inlinable
    public func encode(into output: inout OutputRawSpan) { Element.write(self, into: &output) }
}
