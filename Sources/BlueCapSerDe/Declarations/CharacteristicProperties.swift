// SPDX-License-Identifier: MIT

/// The operations that a characteristic's declaration offers (Core Specification, Vol 3, Part G, 3.3.1.1 and 3.3.3.1).
///
/// The low eight bits are the specification's own; the higher ones are those that CoreBluetooth and BlueZ add to say
/// that an encrypted link is needed.
public struct CharacteristicProperties: OptionSet, Sendable, Hashable, CustomStringConvertible {
    /// The bits of the set.
    public let rawValue: UInt16

    /// Creates a set from its bits; bits without a name are kept.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The value can be broadcast in advertising data.
    public static let broadcast = Self(rawValue: 0x01)
    /// The value can be read.
    public static let read = Self(rawValue: 0x02)
    /// The value can be written without a response.
    public static let writeWithoutResponse = Self(rawValue: 0x04)
    /// The value can be written with a response.
    public static let write = Self(rawValue: 0x08)
    /// The value can be notified, without confirmation.
    public static let notify = Self(rawValue: 0x10)
    /// The value can be indicated, each confirmed by the central.
    public static let indicate = Self(rawValue: 0x20)
    /// The value can be written with a signature and without a response.
    public static let authenticatedSignedWrites = Self(rawValue: 0x40)
    /// A Characteristic Extended Properties descriptor holds further properties.
    public static let extendedProperties = Self(rawValue: 0x80)
    /// Only an encrypted link may subscribe to notifications.
    public static let notifyEncryptionRequired = Self(rawValue: 0x100)
    /// Only an encrypted link may subscribe to indications.
    public static let indicateEncryptionRequired = Self(rawValue: 0x200)

    /// The properties and their names: those in text, in files of profiles, in twins, and in worlds of the test bed.
    package static let names: [(property: Self, name: String)] = [
        (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "writeWithoutResponse"), (.write, "write"),
        (.notify, "notify"), (.indicate, "indicate"), (.authenticatedSignedWrites, "authenticatedSignedWrites"),
        (.extendedProperties, "extendedProperties"), (.notifyEncryptionRequired, "notifyEncryptionRequired"),
        (.indicateEncryptionRequired, "indicateEncryptionRequired"),
    ]

    /// The one property of a name; nil where none has it.
    package init?(name: String) {
        guard let property = Self.names.first(where: { $0.name == name })?.property else { return nil }
        self = property
    }

    /// The names of the properties, in the order of their bits.
    package var names: [String] { Self.names.filter { contains($0.property) }.map { $0.name } }

    /// The names of the properties, separated by commas.
    public var description: String { names.joined(separator: ", ") }
}

#if !hasFeature(Embedded)
extension CharacteristicProperties: Codable {}
#endif
