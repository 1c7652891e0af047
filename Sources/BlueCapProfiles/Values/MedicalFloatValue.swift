// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A characteristic value that is one decimal number of 16 bits, `medfloat16`.
public protocol MedicalFloatValue: RawDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable
where RawType == SFloat {
    /// The symbol of the unit.
    static var unit: String { get }

    /// Creates a value from the number as it is sent; every number can be, also those that say why there is none.
    init(rawValue: SFloat)
}

extension MedicalFloatValue {
    /// A central may read the value and be notified of it.
    public static var properties: CharacteristicProperties { [.read, .notify] }

    /// A central may read the value, and not write it.
    public static var permissions: AttributePermissions { .readable }

    /// The value that a peripheral offers first: not a number, that is not known.
    public static var initialValue: Bytes? { SerDe.serialize(SFloat.nan) }

    /// ``unit`` under the characteristic's name.
    public static var units: [String: String] { [name: unit] }

    /// The number in ``unit``; nil when none was sent, and `RawDeserializable.rawValue` says why.
    public var value: Double? { rawValue.isFinite ? rawValue.doubleValue : nil }

    /// The number, or the name of the special value, under the characteristic's name.
    public var stringValue: [String: String] { [Self.name: rawValue.description] }

    #if !hasFeature(Embedded)
    /// The number, which a special value does not have.
    public var textParts: [TextPart] { [TextPart(Self.name, number: rawValue.description, unit: Self.unit)] }
    #endif

    /// Creates a value from the number, or the name of a special value, that stands under the characteristic's name;
    /// nil when it is missing or neither.
    public init?(stringValue: [String: String]) {
        guard let raw = stringValue[Self.name].flatMap(SFloat.init) else { return nil }
        self.init(rawValue: raw)
    }
}
