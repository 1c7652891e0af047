// SPDX-License-Identifier: MIT

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

    /// The value as it is sent; a number is in the unit of the characteristic.
    var rawValue: RawType { get }

    /// Creates the value for a raw value, or nil when there is none.
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

extension RawRepresentable where Self: RawDeserializable {
    /// The raw type of an enumeration, by its own name: left to itself, the compiler does not find it in an enumeration
    /// whose static properties use a case's raw value.
    public typealias RawType = RawValue
}
