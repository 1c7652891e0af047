// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A value that a profile can be made of: it has a form in bytes, a form in text, and a configuration.
public typealias ProfileValue = CharacteristicValue & CharacteristicConfigurable & StringDeserializable

/// The profile of a characteristic whose value has a type, which declares all of it.
///
/// The names below are this type for one kind of value each, as ``RawCharacteristicProfile`` for a `RawDeserializable`;
/// a value that declares its form in bytes itself (a `CharacteristicValue`) uses this name.
///
/// ```swift
/// let profile = RawCharacteristicProfile<Enabled>()
/// profile.stringValue([1])                                          // ["Accelerometer Enabled": "Yes"]
/// profile.bytes(fromString: ["Accelerometer Enabled": "No"])        // 00
/// ```
public struct ValueCharacteristicProfile<Value: ProfileValue>: CharacteristicProfileProtocol {
    /// The same without the type of the value.
    public let profile: CharacteristicProfile

    /// The profile as the type declares it.
    public init() {
        profile = CharacteristicProfile(
            Value.self, stringValues: Value.stringValues,
            coding: TextCoding(
                text: { (bytes: Bytes) throws(SerDeError) -> [String: String] in
                    try SerDe.deserialize(bytes, as: Value.self).stringValue
                },
                bytes: { Value(stringValue: $0).map { SerDe.serialize($0) } }))
    }

    /// The value that some bytes stand for.
    ///
    /// - Throws: `SerDeError`, as `SerDe.deserialize`.
    public func decode(_ bytes: Bytes) throws(SerDeError) -> Value { try SerDe.deserialize(bytes) }

    /// The bytes of a value.
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
