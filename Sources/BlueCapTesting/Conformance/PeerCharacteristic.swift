// SPDX-License-Identifier: MIT

import BlueCapCore
public import BlueCapSerDe

/// A characteristic of a peer's database. The peer refuses an access that the properties do not offer.
public struct PeerCharacteristic: Sendable, Hashable {
    /// The UUID of the characteristic. Several characteristics may have the same.
    public var uuid: BluetoothUUID
    /// The operations that the declaration offers. Notify and indicate bring their Client Characteristic Configuration
    /// descriptor, which is not counted among ``descriptors``.
    public var properties: CharacteristicProperties
    /// The value, which a write replaces.
    public var value: Bytes
    /// The descriptors besides the Client Characteristic Configuration.
    public var descriptors: [PeerDescriptor]
    /// The protection of the value; nil for none.
    public var security: PeerSecurity?

    /// Creates a characteristic.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the characteristic.
    ///   - properties: The operations that the declaration offers.
    ///   - value: The value, which a write replaces.
    ///   - descriptors: The descriptors besides the Client Characteristic Configuration.
    ///   - security: The protection of the value; nil for none.
    public init(
        _ uuid: BluetoothUUID, _ properties: CharacteristicProperties, value: Bytes = [],
        descriptors: [PeerDescriptor] = [], security: PeerSecurity? = nil
    ) {
        self.uuid = uuid
        self.properties = properties
        self.value = value
        self.descriptors = descriptors
        self.security = security
    }
}
