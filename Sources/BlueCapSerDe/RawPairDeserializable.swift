// SPDX-License-Identifier: MIT

/// A characteristic value that is two raw numbers, one behind the other, each of a type of its own.
///
/// ```swift
/// struct Sample: RawPairDeserializable {
///     static let uuid: BluetoothUUID = "F000AA41-0451-4000-B000-000000000000"
///     let rawValue1: Int16
///     let rawValue2: UInt16
///     init?(rawValue1: Int16, rawValue2: UInt16) {
///         (self.rawValue1, self.rawValue2) = (rawValue1, rawValue2)
///     }
/// }
/// ```
public protocol RawPairDeserializable: CharacteristicValue, FixedSizeCodable {
    /// The type of the first number.
    associatedtype RawType1: Deserializable
    /// The type of the second number.
    associatedtype RawType2: Deserializable

    /// The first number.
    var rawValue1: RawType1 { get }

    /// The second number.
    var rawValue2: RawType2 { get }

    /// Creates the value for two numbers, or returns nil when they are not allowed.
    ///
    /// - Parameters:
    ///   - rawValue1: The number that is encoded first.
    ///   - rawValue2: The number that is encoded behind it.
    init?(rawValue1: RawType1, rawValue2: RawType2)
}

extension RawPairDeserializable {
    /// The size of both numbers in bytes.
    @inlinable public static var size: Int { RawType1.size + RawType2.size }

    /// Reads both numbers; throws ``SerDeError/invalidValue(offset:)`` when the type refuses them.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let start = reader.offset
        let first = try RawType1(from: &reader)
        let second = try RawType2(from: &reader)
        guard let value = Self(rawValue1: first, rawValue2: second) else { throw .invalidValue(offset: start) }
        self = value
    }

    /// The size of both numbers.
    @inlinable public var encodedByteCount: Int { Self.size }

    /// Appends the first number, then the second.
    @inlinable
    public func encode(into output: inout OutputRawSpan) {
        rawValue1.encode(into: &output)
        rawValue2.encode(into: &output)
    }
}
