// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A characteristic of a twin.
public struct TwinCharacteristic: Sendable, Hashable {
    /// Its UUID. Several characteristics may have the same.
    public var uuid: BluetoothUUID
    /// The handle of its value; nil where it is not known.
    public var handle: UInt16?
    /// What may be done with it. Notify and indicate bring the Client Characteristic Configuration descriptor (2902),
    /// which is not among ``descriptors``.
    public var properties: CharacteristicProperties
    /// The value that was read last, or written where none was read; nil where neither is known.
    public var value: Bytes?
    /// What a link must be to read; nil where nothing is known, which counts as open.
    public var readSecurity: TwinSecurity?
    /// What a link must be to write.
    public var writeSecurity: TwinSecurity?
    /// Its descriptors without 2902.
    public var descriptors: [TwinDescriptor]
    /// What it notified or indicated, in order.
    public var notifications: [TwinNotification]

    /// A characteristic.
    ///
    /// - Parameters:
    ///   - uuid: Its UUID.
    ///   - handle: The handle of its value.
    ///   - properties: What may be done with it.
    ///   - value: Its value.
    ///   - readSecurity: What a link must be to read.
    ///   - writeSecurity: What a link must be to write.
    ///   - descriptors: Its descriptors without 2902.
    ///   - notifications: What it notified or indicated.
    public init(
        _ uuid: BluetoothUUID, handle: UInt16? = nil, properties: CharacteristicProperties, value: Bytes? = nil,
        readSecurity: TwinSecurity? = nil, writeSecurity: TwinSecurity? = nil, descriptors: [TwinDescriptor] = [],
        notifications: [TwinNotification] = []
    ) {
        self.uuid = uuid
        self.handle = handle
        self.properties = properties
        self.value = value
        self.readSecurity = readSecurity
        self.writeSecurity = writeSecurity
        self.descriptors = descriptors
        self.notifications = notifications
    }

    /// What centrals may do, as ``properties`` and the securities have it.
    public var permissions: AttributePermissions {
        var permissions: AttributePermissions = []
        if properties.contains(.read) {
            switch readSecurity ?? .open {
            case .open: permissions.insert(.readable)
            case .encrypted: permissions.insert(.readEncryptionRequired)
            case .authenticated: permissions.insert(.readAuthenticationRequired)
            }
        }
        if !properties.isDisjoint(with: [.write, .writeWithoutResponse]) {
            switch writeSecurity ?? .open {
            case .open: permissions.insert(.writeable)
            case .encrypted: permissions.insert(.writeEncryptionRequired)
            case .authenticated: permissions.insert(.writeAuthenticationRequired)
            }
        }
        return permissions
    }
}
