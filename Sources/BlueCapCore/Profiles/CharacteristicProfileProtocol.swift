// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A profile of a characteristic, of whichever kind: what ``ServiceProfile/addCharacteristic(_:)`` takes.
public protocol CharacteristicProfileProtocol: Sendable {
    /// The same without the type of the value, so that profiles of all kinds fit in one list.
    var profile: CharacteristicProfile { get }
}

extension CharacteristicProfileProtocol {
    /// The UUID by which a discovered characteristic gets this profile.
    public var uuid: BluetoothUUID { profile.uuid }

    /// The name for people, which is not sent.
    public var name: String { profile.name }

    /// The operations that are allowed, and whether they need encryption or authentication.
    public var permissions: AttributePermissions { profile.permissions }

    /// What may be done with the characteristic.
    public var properties: CharacteristicProperties { profile.properties }

    /// The value that a peripheral offers first.
    public var initialValue: Bytes? { profile.initialValue }

    /// The texts that the value can have, when they are few (an enumeration's cases); empty otherwise.
    public var stringValues: [String] { profile.stringValues }

    /// Whether a property is among ``properties``; of several, whether all are.
    public func propertyEnabled(_ property: CharacteristicProperties) -> Bool { properties.contains(property) }

    /// Whether a permission is among ``permissions``; of several, whether all are.
    public func permissionEnabled(_ permission: AttributePermissions) -> Bool { permissions.contains(permission) }

    /// The names and texts of a value's parts; nil when the bytes are not a value of the profile's type.
    public func stringValue(_ bytes: Bytes) -> [String: String]? { try? profile.text(bytes) }

    /// The bytes of the value that names and texts stand for; nil when one is missing or means nothing.
    public func bytes(fromString text: [String: String]) -> Bytes? { profile.bytes(fromString: text) }
}
