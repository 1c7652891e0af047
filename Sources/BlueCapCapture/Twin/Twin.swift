// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A device as data: what it advertises, its database with values, and what it notified when.
///
/// A twin comes from a capture (``CaptureAnalysis/twin(of:)``), from a device that was recorded, or from JSON that somebody
/// wrote or sent by mail. It becomes a device again on the virtual radio (`VirtualRadio.add(twin:)`) or with a
/// `PeripheralManager` (``TwinPeripheral``). <doc:TwinFormat> describes its JSON.
///
/// A twin is the device as it was seen, not its program: it sends what was sent, and keeps what is written to it.
public struct Twin: Sendable, Hashable {
    /// The version of the JSON that is written, and the newest that is read.
    public static let version = 1

    /// The address that it had.
    public var address: PeerIdentifier?
    /// Whether that address was a random one.
    public var isAddressRandom: Bool?
    /// Its name.
    public var name: String?
    /// When it was recorded, or first heard.
    public var recorded: Timestamp?
    /// What it advertises; nil where nothing of it was heard.
    public var advertisement: TwinAdvertisement?
    /// The longest ATT packet that it takes, 23 to 517.
    public var mtu: Int?
    /// Its services in the order of their handles, Generic Access and Generic Attribute included where they were discovered.
    public var services: [TwinService]

    /// A twin.
    ///
    /// - Parameters:
    ///   - address: The address that it had.
    ///   - isAddressRandom: Whether that address was a random one.
    ///   - name: Its name.
    ///   - recorded: When it was recorded.
    ///   - advertisement: What it advertises.
    ///   - mtu: The longest ATT packet that it takes.
    ///   - services: Its services.
    public init(
        address: PeerIdentifier? = nil, isAddressRandom: Bool? = nil, name: String? = nil,
        recorded: Timestamp? = nil, advertisement: TwinAdvertisement? = nil, mtu: Int? = nil,
        services: [TwinService] = []
    ) {
        self.address = address
        self.isAddressRandom = isAddressRandom
        self.name = name
        self.recorded = recorded
        self.advertisement = advertisement
        self.mtu = mtu
        self.services = services
    }

    /// The name that it goes by: its own, or the one that it advertises.
    public var displayName: String? {
        name ?? advertisement?.data.localName ?? advertisement?.scanResponse?.localName
    }

    /// The services that a platform does not have by itself: all but Generic Access (1800) and Generic Attribute (1801).
    public var ownServices: [TwinService] {
        services.filter { $0.uuid != .genericAccess && $0.uuid != .genericAttribute }
    }
}

/// What a twin advertises.
public struct TwinAdvertisement: Sendable, Hashable {
    /// What the advertising packets hold.
    public var data: PeripheralAdvertisements
    /// What the scan response adds; nil where none was heard.
    public var scanResponse: PeripheralAdvertisements?
    /// Whether the packets invite connections.
    public var isConnectable: Bool
    /// About the time from one advertisement to the next; nil where it is not known.
    public var interval: Duration?
    /// The signal strength that it was heard with, in dBm.
    public var rssi: Int?

    /// An advertisement. Of AD structures those are kept that no field holds.
    ///
    /// - Parameters:
    ///   - data: What the advertising packets hold.
    ///   - scanResponse: What the scan response adds.
    ///   - isConnectable: Whether the packets invite connections.
    ///   - interval: The time from one advertisement to the next.
    ///   - rssi: The signal strength in dBm.
    public init(
        data: PeripheralAdvertisements, scanResponse: PeripheralAdvertisements? = nil, isConnectable: Bool = true,
        interval: Duration? = nil, rssi: Int? = nil
    ) {
        self.data = data.withoutRepetition
        self.scanResponse = scanResponse?.withoutRepetition
        self.isConnectable = isConnectable
        self.interval = interval
        self.rssi = rssi
    }

    /// An advertisement of which only the whole is known, as BlueZ reports it: what does not fit into a packet of 31 bytes is
    /// taken for the scan response, the name first.
    ///
    /// Once a program has connected, BlueZ adds the services of the database to those that are advertised. Generic Access
    /// and Generic Attribute, which nobody advertises, are left out, and of the others the last ones where there is no room.
    ///
    /// - Parameters:
    ///   - whole: The fields of packet and scan response together.
    ///   - rssi: The signal strength in dBm.
    public init(whole: PeripheralAdvertisements, rssi: Int? = nil) {
        var data = whole.withoutRepetition
        var response = PeripheralAdvertisements()
        data.serviceUUIDs.removeAll { $0 == .genericAccess || $0 == .genericAttribute }
        // Flags, which are not always known, take three bytes.
        func isTooLong() -> Bool { data.packet.count + (data.flags == nil ? 3 : 0) > 31 }
        if isTooLong() { (data.localName, response.localName) = (nil, data.localName) }
        if isTooLong() { (data.manufacturerData, response.manufacturerData) = ([:], data.manufacturerData) }
        if isTooLong() { (data.serviceData, response.serviceData) = ([:], data.serviceData) }
        while isTooLong(), !data.serviceUUIDs.isEmpty { data.serviceUUIDs.removeLast() }
        self.init(
            data: data, scanResponse: response == PeripheralAdvertisements() ? nil : response,
            isConnectable: whole.isConnectable ?? true, rssi: rssi)
    }
}

/// What a link must be before a twin lets a value be read or written.
public enum TwinSecurity: String, Sendable, Hashable, Comparable, CaseIterable, Codable {
    /// Anything.
    case open
    /// Encrypted, by any pairing.
    case encrypted
    /// Encrypted, by a pairing in which digits were compared or typed.
    case authenticated

    /// Orders from the least to the most.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .open: 0
        case .encrypted: 1
        case .authenticated: 2
        }
    }
}

/// A service of a twin.
public struct TwinService: Sendable, Hashable {
    /// Its UUID. Several services may have the same.
    public var uuid: BluetoothUUID
    /// The handle of its declaration; nil where it is not known.
    public var handle: UInt16?
    /// Whether it is a primary service.
    public var isPrimary: Bool
    /// The services that it includes, by their index in ``Twin/services``.
    public var includes: [Int]
    /// Its characteristics in the order of their handles.
    public var characteristics: [TwinCharacteristic]

    /// A service.
    ///
    /// - Parameters:
    ///   - uuid: Its UUID.
    ///   - handle: The handle of its declaration.
    ///   - isPrimary: Whether it is a primary service.
    ///   - includes: The services that it includes, by their index.
    ///   - characteristics: Its characteristics.
    public init(
        _ uuid: BluetoothUUID, handle: UInt16? = nil, isPrimary: Bool = true, includes: [Int] = [],
        characteristics: [TwinCharacteristic] = []
    ) {
        self.uuid = uuid
        self.handle = handle
        self.isPrimary = isPrimary
        self.includes = includes
        self.characteristics = characteristics
    }
}

/// A characteristic of a twin.
public struct TwinCharacteristic: Sendable, Hashable {
    /// Its UUID. Several characteristics may have the same.
    public var uuid: BluetoothUUID
    /// The handle of its value; nil where it is not known.
    public var handle: UInt16?
    /// What may be done with it. Notify and indicate bring the Client Characteristic Configuration descriptor (2902), which
    /// is not among ``descriptors``.
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

/// A descriptor of a twin.
public struct TwinDescriptor: Sendable, Hashable {
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// Its handle; nil where it is not known.
    public var handle: UInt16?
    /// Its value; nil where it was not read.
    public var value: Bytes?

    /// A descriptor.
    ///
    /// - Parameters:
    ///   - uuid: Its UUID.
    ///   - handle: Its handle.
    ///   - value: Its value.
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
    /// The value.
    public var value: Bytes

    /// A value and when it was sent.
    ///
    /// - Parameters:
    ///   - after: The time from the subscription to the value.
    ///   - value: The value.
    public init(after: Duration, value: Bytes) {
        self.after = after
        self.value = value
    }
}
