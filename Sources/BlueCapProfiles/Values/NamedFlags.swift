// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A set of flags to which a specification gives names, and may give more, with a form in text.
public protocol NamedFlags: FlagSet, Hashable, LosslessStringConvertible where Element == Self {
    /// The bits of the flags as they are sent.
    var rawValue: RawValue { get }

    /// The flags that have names, each of one bit, and the values of `fields` with theirs.
    static var flagNames: [(Self, String)] { get }

    /// The bits that are a number together, such as two bits of which 1 says "too high", 2 "too low" and 3 is reserved;
    /// none in most sets.
    static var fields: [Self] { get }
}

extension NamedFlags {
    /// None: each bit is a flag of its own.
    public static var fields: [Self] { [] }

    /// Whether the set has all flags of another, and in each of ``fields`` that the other has, the same value.
    public func contains(_ member: Self) -> Bool {
        guard rawValue & member.rawValue == member.rawValue else { return false }
        for field in Self.fields where member.rawValue & field.rawValue != 0 {
            if rawValue & field.rawValue != member.rawValue & field.rawValue { return false }
        }
        return true
    }

    /// The names of the flags in the set, and of what its fields say, separated by ", "; "bit 7" for a flag without
    /// one; "none" for the empty set.
    public var description: String {
        guard rawValue != 0 else { return "none" }
        var names: [String] = []
        for bit in 0..<Self.size * 8 where rawValue & (1 << bit) != 0 {
            let field = Self.fields.first { $0.rawValue & (1 << bit) != 0 }
            let value = field.map { rawValue & $0.rawValue } ?? 1 << bit
            if let name = Self.flagNames.first(where: { $0.0.rawValue == value })?.1 {
                // A field is named once, at its first bit.
                if value & ((1 << bit) &- 1) == 0 { names.append(name) }
            } else {
                names.append("bit \(bit)")
            }
        }
        return names.joined(separator: ", ")
    }

    /// Creates the set for a text as ``description`` has it, the flags in any order; nil for other text, and for two
    /// values of one field.
    public init?(_ description: String) {
        self.init()
        if description == "none" { return }
        for part in description.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.drop { $0 == " " }
            if let named = Self.flagNames.first(where: { $0.1 == name }) {
                // A field has one value.
                let field = Self.fields.first { $0.rawValue & named.0.rawValue != 0 }
                if let field, rawValue & field.rawValue != 0 { return nil }
                insert(named.0)
            } else if name.hasPrefix("bit "), let bit = Int(name.dropFirst(4)), (0..<Self.size * 8).contains(bit) {
                insert(Self(rawValue: 1 << bit))
            } else {
                return nil
            }
        }
    }
}

extension StringDeserializable where Self: NamedFlags & CharacteristicConfigurable {
    /// The names of the flags, under the characteristic's name.
    public var stringValue: [String: String] { [Self.name: description] }

    #if !hasFeature(Embedded)
    /// The names of the flags.
    public var textParts: [TextPart] { [TextPart(Self.name, text: description)] }
    #endif

    /// Creates the set whose flags' names stand under the characteristic's name; nil when they are missing or one is
    /// unknown.
    public init?(stringValue: [String: String]) {
        guard let text = stringValue[Self.name] else { return nil }
        self.init(text)
    }
}
