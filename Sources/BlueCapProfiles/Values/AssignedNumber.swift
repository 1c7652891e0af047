// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A number to which a specification gives names, and may give more.
///
/// Numbers without a name yet are kept as they are, so a newer peer's value stays readable.
///
/// ```swift
/// struct Meal: AssignedNumber {
///     let rawValue: UInt8
///     init(rawValue: UInt8) { self.rawValue = rawValue }
///     static let preprandial = Self(rawValue: 1)
///     static let assigned: [(Self, String)] = [(.preprandial, "Preprandial")]
/// }
/// ```
public protocol AssignedNumber: RawRepresentable, Hashable, Sendable, LosslessStringConvertible
where RawValue: FixedWidthInteger & Deserializable {
    /// The number as it is sent.
    var rawValue: RawValue { get }

    /// Creates the value for a number; every number has one.
    init(rawValue: RawValue)

    /// The values that have names, in the order in which a list should show them.
    static var assigned: [(Self, String)] { get }
}

extension AssignedNumber {
    /// The name; the number when it has none.
    public var description: String { Self.assigned.first { $0.0 == self }?.1 ?? "\(rawValue)" }

    /// Creates the value with a name, spelled as ``AssignedNumber/assigned`` has it, or with a number; nil for other
    /// text.
    public init?(_ description: String) {
        if let named = Self.assigned.first(where: { $0.1 == description }) {
            self = named.0
        } else if let number = RawValue(description) {
            self.init(rawValue: number)
        } else {
            return nil
        }
    }
}

extension StringDeserializable where Self: AssignedNumber & CharacteristicConfigurable {
    /// The names of all values that have one.
    public static var stringValues: [String] { assigned.map { $0.1 } }

    /// The name, or the number that has none, under the characteristic's name.
    public var stringValue: [String: String] { [Self.name: description] }

    #if !hasFeature(Embedded)
    /// The name: a text, also where it is the number that has none.
    public var textParts: [TextPart] { [TextPart(Self.name, text: description)] }
    #endif

    /// Creates the value whose name or number stands under the characteristic's name; nil when it is missing or
    /// neither.
    public init?(stringValue: [String: String]) {
        guard let text = stringValue[Self.name] else { return nil }
        self.init(text)
    }
}
