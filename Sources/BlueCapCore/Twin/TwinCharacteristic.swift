// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A characteristic of a twin.
public struct TwinCharacteristic: Sendable, Hashable {
    /// The UUID of the characteristic. Several characteristics may have the same.
    public var uuid: BluetoothUUID
    /// The handle of the value; nil where it is not known.
    public var handle: UInt16?
    /// The operations that the declaration offers. Notify and indicate bring the Client Characteristic Configuration
    /// descriptor (2902), which is not among ``descriptors``.
    public var properties: CharacteristicProperties
    /// The value that was read last, or written where none was read; nil where neither is known.
    public var value: Bytes?
    /// The protection that a link needs to read; nil where nothing is known, which counts as open.
    public var readSecurity: TwinSecurity?
    /// The protection that a link needs to write; nil where nothing is known, which counts as open.
    public var writeSecurity: TwinSecurity?
    /// The descriptors without 2902.
    public var descriptors: [TwinDescriptor]
    /// The notifications and indications that it sent, in order.
    public var notifications: [TwinNotification]
    /// The rules by which writes of this characteristic lead to values, each with another write.
    public var answers: [TwinAnswer]

    /// Creates a characteristic of a twin.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the characteristic.
    ///   - handle: The handle of the value.
    ///   - properties: The operations that the declaration offers.
    ///   - value: The value that was read or written last.
    ///   - readSecurity: The protection that a link needs to read.
    ///   - writeSecurity: The protection that a link needs to write.
    ///   - descriptors: The descriptors without 2902.
    ///   - notifications: The notifications and indications that it sent, in order.
    ///   - answers: The rules by which writes of this characteristic lead to values.
    public init(
        _ uuid: BluetoothUUID, handle: UInt16? = nil, properties: CharacteristicProperties, value: Bytes? = nil,
        readSecurity: TwinSecurity? = nil, writeSecurity: TwinSecurity? = nil, descriptors: [TwinDescriptor] = [],
        notifications: [TwinNotification] = [], answers: [TwinAnswer] = []
    ) {
        self.uuid = uuid
        self.handle = handle
        self.properties = properties
        self.value = value
        self.readSecurity = readSecurity
        self.writeSecurity = writeSecurity
        self.descriptors = descriptors
        self.notifications = notifications
        self.answers = answers
    }

    /// The operations that centrals may carry out, as ``properties`` and the securities have it.
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

/// A descriptor of a twin.
public struct TwinDescriptor: Sendable, Hashable {
    /// The UUID of the attribute.
    public var uuid: BluetoothUUID
    /// The handle of the descriptor; nil where it is not known.
    public var handle: UInt16?
    /// The value of the descriptor; nil where it was not read.
    public var value: Bytes?

    /// Creates a descriptor of a twin.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the descriptor.
    ///   - handle: The handle of the descriptor.
    ///   - value: The value of the descriptor.
    public init(_ uuid: BluetoothUUID, handle: UInt16? = nil, value: Bytes? = nil) {
        self.uuid = uuid
        self.handle = handle
        self.value = value
    }
}

/// A value that a characteristic of a twin sent.
public struct TwinNotification: Sendable, Hashable {
    /// The time from the subscription to the value.
    public var after: Duration
    /// The value in bytes.
    public var value: Bytes

    /// Creates a record of a value that was sent.
    ///
    /// - Parameters:
    ///   - after: The time from the subscription to the value.
    ///   - value: The value in bytes.
    public init(after: Duration, value: Bytes) {
        self.after = after
        self.value = value
    }
}

/// The protection that a link needs before a twin allows a value to be read or written.
public enum TwinSecurity: String, Sendable, Hashable, Comparable, CaseIterable, Codable {
    /// Any link is allowed, also one without encryption.
    case open
    /// Encrypted, by any pairing.
    case encrypted
    /// Encrypted, by a pairing in which digits were compared or typed.
    case authenticated

    /// Returns whether the left protection is weaker than the right one.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .open: 0
        case .encrypted: 1
        case .authenticated: 2
        }
    }
}
