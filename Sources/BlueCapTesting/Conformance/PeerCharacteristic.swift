// SPDX-License-Identifier: MIT

import BlueCapCore
public import BlueCapSerDe

/// One characteristic of a peer's database. What its properties do not offer, the peer refuses.
public struct PeerCharacteristic: Sendable, Hashable {
    /// Its UUID. Several characteristics may have the same.
    public var uuid: BluetoothUUID
    /// What may be done with it. Notify and indicate bring their Client Characteristic Configuration descriptor, which
    /// is not counted among ``descriptors``.
    public var properties: CharacteristicProperties
    /// Its value, and after a write the value written.
    public var value: Bytes
    /// Its descriptors, besides the Client Characteristic Configuration.
    public var descriptors: [PeerDescriptor]
    /// The protection of the value; none when absent.
    public var security: PeerSecurity?

    /// Creates a characteristic.
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
