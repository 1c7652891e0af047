// SPDX-License-Identifier: MIT

// An array is decoded by the size of its element. Without these the compiler says only that the array does not conform
// to a protocol; the overloads below are less wanted than those for arrays that do.
extension SerDe {
    /// Not offered: where one element ends is known only of elements of a fixed size.
    @available(*, unavailable, message: "the elements of an array must conform to FixedSizeCodable")
    public static func deserialize<Element>(
        _ span: RawSpan, as type: [Element].Type = [Element].self, surplus: SurplusBytes = .reject
    ) throws(SerDeError) -> [Element] { [] }

    /// Not offered: where one element ends is known only of elements of a fixed size.
    @available(*, unavailable, message: "the elements of an array must conform to FixedSizeCodable")
    public static func deserialize<Element>(
        _ bytes: Bytes, as type: [Element].Type = [Element].self, surplus: SurplusBytes = .reject
    ) throws(SerDeError) -> [Element] { [] }

    /// Not offered: where one element ends is known only of elements of a fixed size.
    @available(*, unavailable, message: "the elements of an array must conform to FixedSizeCodable")
    public static func deserialize<Element>(
        _ array: [UInt8], as type: [Element].Type = [Element].self, surplus: SurplusBytes = .reject
    ) throws(SerDeError) -> [Element] { [] }

    /// Not offered: a reader could not find where an element of another size ends.
    @available(*, unavailable, message: "the elements of an array must conform to FixedSizeCodable")
    public static func serialize<Element>(_ values: [Element]) -> Bytes { Bytes() }
}

extension ByteReader {
    /// Not offered: where one element ends is known only of elements of a fixed size.
    @available(*, unavailable, message: "the elements of an array must conform to FixedSizeCodable")
    public mutating func read<Element>(_ type: [Element].Type = [Element].self) throws(SerDeError) -> [Element] { [] }
}
