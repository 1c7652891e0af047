// SPDX-License-Identifier: MIT

/// A value with a form in text: a dictionary from the names of its parts to their values, for people to read and to
/// type.
///
/// Both ways are exact opposites where the text holds all of the value: `T(stringValue: value.stringValue) == value`.
/// A value whose text also has derived parts (a temperature beside the raw number) reads only the parts that it needs.
public protocol StringDeserializable: Sendable {
    /// The texts that the value can have, when they are few (an enumeration's cases); empty otherwise.
    static var stringValues: [String] { get }

    /// The units of the value's parts by the names of their texts, such as "kJ"; without those that have none, or one
    /// that is part of the value. The macro `@Layout` makes it of the units of its fields.
    static var units: [String: String] { get }

    /// The names and texts of the value's parts.
    var stringValue: [String: String] { get }

    #if !hasFeature(Embedded)
    /// The parts of the value, in their order: all that a value can have, also those that this one lacks.
    var textParts: [TextPart] { get }
    #endif

    /// Creates the value for names and texts; nil when one is missing or means nothing.
    init?(stringValue: [String: String])
}

extension StringDeserializable {
    /// An empty array: any text in the value's range.
    @inlinable public static var stringValues: [String] { [] }

    /// An empty dictionary: no part has a unit.
    @inlinable public static var units: [String: String] { [:] }

    #if !hasFeature(Embedded)
    /// The parts of ``stringValue``, in the order of their names. A part with a unit is a number, and any other whose
    /// text is one.
    public var textParts: [TextPart] {
        stringValue.sorted { $0.key < $1.key }.map { name, text in
            TextPart(undeclared: name, text: text, unit: Self.units[name])
        }
    }
    #endif
}

/// An enumeration whose form in text is one field, under the characteristic's own name, with a text for each case.
///
/// ```swift
/// enum Enabled: UInt8, RawDeserializable, TextChoice {
///     static let uuid: BluetoothUUID = "F000AA12-0451-4000-B000-000000000000"
///     static let name = "Accelerometer Enabled"
///     case no = 0, yes = 1
///     var choice: String { self == .yes ? "Yes" : "No" }
/// }
/// ```
public protocol TextChoice: StringDeserializable, CaseIterable {
    /// The name under which the text stands.
    static var name: String { get }

    /// The case as text.
    var choice: String { get }
}

extension TextChoice {
    /// The texts of all cases, in their order.
    public static var stringValues: [String] { allCases.map { $0.choice } }

    /// The text of the case, under ``name``.
    public var stringValue: [String: String] { [Self.name: choice] }

    #if !hasFeature(Embedded)
    /// The text of the case.
    public var textParts: [TextPart] { [TextPart(Self.name, text: choice)] }
    #endif

    /// Creates the case with the text that stands under ``name``, spelled as ``stringValues`` has it.
    public init?(stringValue: [String: String]) {
        guard let text = stringValue[Self.name], let value = Self.allCases.first(where: { $0.choice == text }) else {
            return nil
        }
        self = value
    }
}
