// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A characteristic that is one number or one text, shown as it is under the characteristic's name.
public protocol PlainValue: RawDeserializable, CharacteristicConfigurable, StringDeserializable
where RawType: LosslessStringConvertible {}

extension PlainValue {
    /// The raw value as text, under the characteristic's name.
    public var stringValue: [String: String] { [Self.name: rawValue.description] }

    #if !hasFeature(Embedded)
    /// The number or the text.
    public var textParts: [TextPart] {
        guard RawType.self is any NumberInText.Type else { return [TextPart(Self.name, text: rawValue.description)] }
        return [TextPart(Self.name, number: rawValue.description, unit: Self.units[Self.name])]
    }
    #endif

    /// Creates the value from the text under the characteristic's name; nil when it is missing or means nothing.
    public init?(stringValue: [String: String]) {
        guard let raw = stringValue[Self.name].flatMap(RawType.init) else { return nil }
        self.init(rawValue: raw)
    }
}
