// SPDX-License-Identifier: MIT

/// A characteristic value that is two arrays of raw numbers, one behind the other, each of a type and size of its own.
public protocol RawArrayPairDeserializable: CharacteristicValue, FixedSizeCodable {
    /// The type of the numbers in the first array.
    associatedtype RawType1: Deserializable
    /// The type of the numbers in the second array.
    associatedtype RawType2: Deserializable

    /// The size of the first array in bytes, a multiple of its number's size: exactly this much is read.
    static var size1: Int { get }

    /// The size of the second array in bytes, a multiple of its number's size: exactly this much is read.
    static var size2: Int { get }

    /// The numbers of the first array.
    var rawValue1: [RawType1] { get }

    /// The numbers of the second array.
    var rawValue2: [RawType2] { get }

    /// Creates the value for two arrays, or returns nil when their counts or one of the numbers are not allowed.
    ///
    /// - Parameters:
    ///   - rawValue1: The numbers that are encoded first.
    ///   - rawValue2: The numbers that are encoded behind them.
    init?(rawValue1: [RawType1], rawValue2: [RawType2])
}

extension RawArrayPairDeserializable {
    /// The size of both arrays in bytes.
    @inlinable public static var size: Int { size1 + size2 }

    /// Reads ``size1`` and then ``size2`` bytes; throws ``SerDeError/invalidValue(offset:)`` when the type refuses the
    /// numbers.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let start = reader.offset
        let first = try RawType1.readArray(count: Self.size1 / RawType1.size, from: &reader)
        let second = try RawType2.readArray(count: Self.size2 / RawType2.size, from: &reader)
        guard let value = Self(rawValue1: first, rawValue2: second) else { throw .invalidValue(offset: start) }
        self = value
    }

    /// The size of all numbers.
    @inlinable public var encodedByteCount: Int { rawValue1.count * RawType1.size + rawValue2.count * RawType2.size }

    /// Appends the first array, then the second.
    @inlinable
    public func encode(into output: inout OutputRawSpan) {
        RawType1.write(rawValue1, into: &output)
        RawType2.write(rawValue2, into: &output)
    }
}
