// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A type of value that a profile can be made of: it has a form in bytes, a form in text, and a configuration.
public typealias ProfileValue = CharacteristicValue & CharacteristicConfigurable & StringDeserializable

/// The profile of a characteristic whose value has a type that declares the whole profile.
///
/// The type aliases below name this type for one kind of value each, such as ``RawCharacteristicProfile`` for a
/// `RawDeserializable`. A value that declares its own form in bytes (a `CharacteristicValue`) uses this name.
///
/// ```swift
/// let profile = RawCharacteristicProfile<Enabled>()
/// profile.stringValue([1])                                          // ["Accelerometer Enabled": "Yes"]
/// profile.bytes(fromString: ["Accelerometer Enabled": "No"])        // 00
/// ```
public struct ValueCharacteristicProfile<Value: ProfileValue>: CharacteristicProfileProtocol {
    /// The profile without the type of the value.
    public let profile: CharacteristicProfile

    /// Creates the profile as the type declares it.
    public init() {
        profile = CharacteristicProfile(
            Value.self, stringValues: Value.stringValues,
            coding: TextCoding(
                text: { (bytes: Bytes) throws(SerDeError) -> [String: String] in
                    try SerDe.deserialize(bytes, as: Value.self).stringValue
                },
                parts: { (bytes: Bytes) throws(SerDeError) -> [TextPart] in
                    try SerDe.deserialize(bytes, as: Value.self).textParts
                },
                bytes: { Value(stringValue: $0).map { SerDe.serialize($0) } }))
    }

    /// Returns the value of some bytes.
    ///
    /// - Throws: `SerDeError`, as `SerDe.deserialize`.
    public func decode(_ bytes: Bytes) throws(SerDeError) -> Value { try SerDe.deserialize(bytes) }

    /// Returns the bytes of a value.
    public func encode(_ value: Value) -> Bytes { SerDe.serialize(value) }
}

/// The profile of a characteristic whose value is a single raw value.
public typealias RawCharacteristicProfile<
    Value: RawDeserializable & CharacteristicConfigurable & StringDeserializable
> = ValueCharacteristicProfile<Value>

/// The profile of a characteristic whose value is an array of numbers of one type.
public typealias RawArrayCharacteristicProfile<
    Value: RawArrayDeserializable & CharacteristicConfigurable & StringDeserializable
> = ValueCharacteristicProfile<Value>

/// The profile of a characteristic whose value is two numbers, each of a type of its own.
public typealias RawPairCharacteristicProfile<
    Value: RawPairDeserializable & CharacteristicConfigurable & StringDeserializable
> = ValueCharacteristicProfile<Value>

/// The profile of a characteristic whose value is two arrays of numbers, each of a type of its own.
public typealias RawArrayPairCharacteristicProfile<
    Value: RawArrayPairDeserializable & CharacteristicConfigurable & StringDeserializable
> = ValueCharacteristicProfile<Value>
