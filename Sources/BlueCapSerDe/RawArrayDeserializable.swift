// SPDX-License-Identifier: MIT

/// A characteristic value that is an array of raw numbers of one type.
public protocol RawArrayDeserializable: CharacteristicValue, FixedSizeCodable {
    /// The type of the numbers.
    associatedtype RawType: Deserializable

    /// The size of the value in bytes, a multiple of the number's size: exactly this much is read.
    static var size: Int { get }

    /// The numbers that stand for the value, in the order of their encoding.
    var rawValue: [RawType] { get }

    /// Creates the value for an array of numbers, or nil when their count or one of them is not allowed.
    init?(rawValue: [RawType])
}

extension RawArrayDeserializable {
    /// Reads ``size`` bytes; throws ``SerDeError/invalidValue(offset:)`` when the type refuses the numbers.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let start = reader.offset
        let numbers = try RawType.readArray(count: Self.size / RawType.size, from: &reader)
        guard let value = Self(rawValue: numbers) else { throw .invalidValue(offset: start) }
        self = value
    }

    /// The size of all numbers.
    @inlinable public var encodedByteCount: Int { rawValue.count * RawType.size }

    /// Appends the numbers.
    @inlinable
    public func encode(into output: inout OutputRawSpan) { RawType.write(rawValue, into: &output) }
}
