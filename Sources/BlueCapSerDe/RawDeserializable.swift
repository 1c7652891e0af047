/// A characteristic value that is a single raw value, such as an enum with a raw type.
///
/// ```swift
/// enum Enabled: UInt8, RawDeserializable {
///     static let uuid: BluetoothUUID = "F000AA12-0451-4000-B000-000000000000"
///     case no = 0, yes = 1
/// }
/// ```
public protocol RawDeserializable: CharacteristicValue {
    /// The type of the raw value: a number, `String`, ``Bytes`` or any other that has a form in bytes.
    associatedtype RawType: ByteCodable

    /// The raw value.
    var rawValue: RawType { get }

    /// The value for a raw value, or nil when there is none.
    init?(rawValue: RawType)
}

extension RawDeserializable {
    /// Reads the raw value; throws ``SerDeError/invalidValue(offset:)`` when the type has no value for it.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let start = reader.offset
        guard let value = Self(rawValue: try RawType(from: &reader)) else { throw .invalidValue(offset: start) }
        self = value
    }

    /// The size of the raw value.
    @inlinable public var encodedByteCount: Int { rawValue.encodedByteCount }

    /// Appends the raw value.
    @inlinable
    public func encode(into output: inout OutputRawSpan) { rawValue.encode(into: &output) }
}

/// A characteristic value that is an array of raw numbers of one type.
public protocol RawArrayDeserializable: CharacteristicValue {
    /// The type of the numbers.
    associatedtype RawType: Deserializable

    /// The size of the value in bytes, a multiple of the number's size: exactly this much is read.
    static var size: Int { get }

    /// The numbers.
    var rawValue: [RawType] { get }

    /// The value for an array of numbers, or nil when their count or one of them is not allowed.
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
