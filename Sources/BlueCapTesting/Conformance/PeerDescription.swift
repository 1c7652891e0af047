// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A far device, declared as data, so that any world can play it: the virtual radio, a scripted BlueZ, another Bluetooth
/// stack in another process.
///
/// As `Codable` it is the `peer` object of the test bed's protocol: UUIDs as text, bytes as lower-case hexadecimal text,
/// company identifiers as decimal keys, properties by name.
public struct PeerDescription: Sendable, Hashable {
    /// The device's name (Generic Access, Device Name). It is advertised only if the advertisement says so.
    public var name: String
    /// Its address; the world picks one that was never used before when it is absent.
    public var address: PeerIdentifier?
    /// The largest ATT_MTU it agrees to; the world's own when absent.
    public var mtu: Int?
    /// What it advertises once it is told to.
    public var advertisement: PeerAdvertisement
    /// How it pairs.
    public var pairing: PeerPairing
    /// Its GATT database. Generic Access and Generic Attribute come by themselves and are not counted.
    public var services: [PeerService]

    /// A far device. Without an advertisement, it advertises its name and nothing else.
    public init(
        name: String, address: PeerIdentifier? = nil, mtu: Int? = nil,
        advertisement: PeerAdvertisement? = nil, pairing: PeerPairing = PeerPairing(), services: [PeerService] = []
    ) {
        self.pairing = pairing
        self.name = name
        self.address = address
        self.mtu = mtu
        self.advertisement = advertisement ?? PeerAdvertisement(localName: name)
        self.services = services
    }
}

/// How a peer pairs.
public struct PeerPairing: Sendable, Hashable {
    /// What it can show and take. Worlds need to know `PairingCapability.noInputNoOutput` and
    /// `PairingCapability.displayYesNo` only.
    public var capability: PairingCapability
    /// Whether it pairs at all.
    public var accepts: Bool

    /// A way to pair; Just Works with everybody unless told otherwise.
    public init(capability: PairingCapability = .noInputNoOutput, accepts: Bool = true) {
        self.capability = capability
        self.accepts = accepts
    }
}

/// What a peer advertises.
public struct PeerAdvertisement: Sendable, Hashable {
    /// Complete local name.
    public var localName: String?
    /// Advertised service UUIDs.
    public var serviceUUIDs: [BluetoothUUID]
    /// Manufacturer specific data by company identifier.
    public var manufacturerData: [UInt16: Bytes]
    /// Service data by service UUID.
    public var serviceData: [BluetoothUUID: Bytes]
    /// Transmit power level in dBm.
    public var txPower: Int?
    /// Appearance.
    public var appearance: UInt16?
    /// The Flags structure; general discoverable without BR/EDR when absent.
    public var flags: AdvertisingFlags?
    /// Services that the peer seeks.
    public var solicitedServiceUUIDs: [BluetoothUUID]
    /// What the peer adds when it is scanned actively: the same fields, none of them repeated.
    public var scanResponse: PeerScanResponse?
    /// Milliseconds between two packets; the world's own (100 or less) when absent.
    public var intervalMilliseconds: Int?

    /// An advertisement with the given fields; the others are not sent.
    public init(
        localName: String? = nil, serviceUUIDs: [BluetoothUUID] = [], manufacturerData: [UInt16: Bytes] = [:],
        serviceData: [BluetoothUUID: Bytes] = [:], txPower: Int? = nil, appearance: UInt16? = nil,
        flags: AdvertisingFlags? = nil, solicitedServiceUUIDs: [BluetoothUUID] = [],
        scanResponse: PeerScanResponse? = nil, intervalMilliseconds: Int? = nil
    ) {
        self.localName = localName
        self.serviceUUIDs = serviceUUIDs
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData
        self.txPower = txPower
        self.appearance = appearance
        self.flags = flags
        self.solicitedServiceUUIDs = solicitedServiceUUIDs
        self.scanResponse = scanResponse
        self.intervalMilliseconds = intervalMilliseconds
    }
}

/// What a peer answers to an active scan.
public struct PeerScanResponse: Sendable, Hashable {
    /// Complete local name.
    public var localName: String?
    /// Service UUIDs.
    public var serviceUUIDs: [BluetoothUUID]
    /// Manufacturer specific data by company identifier.
    public var manufacturerData: [UInt16: Bytes]
    /// Service data by service UUID.
    public var serviceData: [BluetoothUUID: Bytes]
    /// Transmit power level in dBm.
    public var txPower: Int?

    /// A scan response with the given fields; the others are not sent.
    public init(
        localName: String? = nil, serviceUUIDs: [BluetoothUUID] = [], manufacturerData: [UInt16: Bytes] = [:],
        serviceData: [BluetoothUUID: Bytes] = [:], txPower: Int? = nil
    ) {
        self.localName = localName
        self.serviceUUIDs = serviceUUIDs
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData
        self.txPower = txPower
    }
}

/// One service of a peer's database.
public struct PeerService: Sendable, Hashable {
    /// Its UUID. Several services may have the same.
    public var uuid: BluetoothUUID
    /// Whether it is a primary service.
    public var isPrimary: Bool
    /// The services that it includes, by their index in the peer's list.
    public var includes: [Int]
    /// Its characteristics.
    public var characteristics: [PeerCharacteristic]

    /// A service.
    public init(
        _ uuid: BluetoothUUID, isPrimary: Bool = true, includes: [Int] = [], characteristics: [PeerCharacteristic] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.includes = includes
        self.characteristics = characteristics
    }
}

/// One characteristic of a peer's database. What its properties do not offer, the peer refuses.
public struct PeerCharacteristic: Sendable, Hashable {
    /// Its UUID. Several characteristics may have the same.
    public var uuid: BluetoothUUID
    /// What may be done with it. Notify and indicate bring their Client Characteristic Configuration descriptor, which is
    /// not counted among ``descriptors``.
    public var properties: CharacteristicProperties
    /// Its value, and after a write the value written.
    public var value: Bytes
    /// Its descriptors, besides the Client Characteristic Configuration.
    public var descriptors: [PeerDescriptor]
    /// The protection of the value; none when absent.
    public var security: PeerSecurity?

    /// A characteristic.
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

/// One descriptor of a peer's database, readable and writable.
public struct PeerDescriptor: Sendable, Hashable {
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// Its value, and after a write the value written.
    public var value: Bytes

    /// A descriptor.
    public init(_ uuid: BluetoothUUID, value: Bytes = []) {
        self.uuid = uuid
        self.value = value
    }
}

/// What a link must be before a peer lets a value be read or written.
public enum PeerSecurity: String, Sendable, Hashable, Codable {
    /// Encrypted, by any pairing.
    case encrypted
    /// Encrypted, by a pairing that was authenticated.
    case authenticated
}
