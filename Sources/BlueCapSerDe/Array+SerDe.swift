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
    @inlinable public var encodedByteCount: Int { count * Element.size }

    @inlinable
    public func encode(into output: inout OutputRawSpan) { Element.write(self, into: &output) }
}

extension Array where Element == UInt8 {
    /// Appends an integer, for files and frames whose size is not known before they are written; where it is,
    /// `OutputRawSpan` needs no array that grows.
    package mutating func append<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, _ order: ByteOrder) {
        // SAFETY: an integer has no padding, so all of its bytes are initialised.
        unsafe Swift.withUnsafeBytes(of: order == .littleEndian ? value.littleEndian : value.bigEndian) {
            unsafe append(contentsOf: $0)
        }
    }
}
