// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A profile of a characteristic, of any kind; ``ServiceProfile/addCharacteristic(_:)`` accepts it.
public protocol CharacteristicProfileProtocol: Sendable {
    /// The profile without the type of the value, so that a list can hold profiles of all kinds.
    var profile: CharacteristicProfile { get }
}

extension CharacteristicProfileProtocol {
    /// The UUID by which a discovered characteristic gets this profile.
    public var uuid: BluetoothUUID { profile.uuid }

    /// The name for people, which is not sent.
    public var name: String { profile.name }

    /// The operations that are allowed, and the encryption or authentication that they need.
    public var permissions: AttributePermissions { profile.permissions }

    /// The operations that the characteristic supports.
    public var properties: CharacteristicProperties { profile.properties }

    /// The first value that a peripheral offers.
    public var initialValue: Bytes? { profile.initialValue }

    /// The possible texts of the value if there are few (the cases of an enumeration); empty otherwise.
    public var stringValues: [String] { profile.stringValues }

    /// Returns a Boolean value that is true if ``properties`` contain the property, or all of several properties.
    public func propertyEnabled(_ property: CharacteristicProperties) -> Bool { properties.contains(property) }

    /// Returns a Boolean value that is true if ``permissions`` contain the permission, or all of several permissions.
    public func permissionEnabled(_ permission: AttributePermissions) -> Bool { permissions.contains(permission) }

    /// Returns the names and texts of a value's parts; nil if the bytes are not a value of the profile's type.
    public func stringValue(_ bytes: Bytes) -> [String: String]? { try? profile.text(bytes) }

    /// Returns the bytes of the value with the given names and texts; nil if a text is missing or not valid.
    public func bytes(fromString text: [String: String]) -> Bytes? { profile.bytes(fromString: text) }
}
