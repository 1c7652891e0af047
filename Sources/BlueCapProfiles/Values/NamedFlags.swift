// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A set of flags to which a specification gives names, and may give more, with a form in text.
public protocol NamedFlags: FlagSet, Hashable, LosslessStringConvertible where Element == Self {
    /// The flags that have names, each of one bit.
    static var flagNames: [(Self, String)] { get }
}

extension NamedFlags {
    /// The names of the flags in the set, separated by ", "; "bit 7" for a flag without one; "none" for the empty set.
    public var description: String {
        guard rawValue != 0 else { return "none" }
        var names: [String] = []
        for bit in 0..<Self.size * 8 where rawValue & (1 << bit) != 0 {
            let flag = Self(rawValue: 1 << bit)
            names.append(Self.flagNames.first { $0.0 == flag }?.1 ?? "bit \(bit)")
        }
        return names.joined(separator: ", ")
    }

    /// Creates the set for a text as ``description`` has it, the flags in any order; nil for other text.
    public init?(_ description: String) {
        self.init()
        if description == "none" { return }
        for part in description.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.drop { $0 == " " }
            if let named = Self.flagNames.first(where: { $0.1 == name }) {
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

    /// Creates the set whose flags' names stand under the characteristic's name; nil when they are missing or one is
    /// unknown.
    public init?(stringValue: [String: String]) {
        guard let text = stringValue[Self.name] else { return nil }
        self.init(text)
    }
}
