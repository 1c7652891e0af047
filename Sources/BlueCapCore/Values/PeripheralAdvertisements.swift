public import BlueCapSerDe

/// What a peripheral said of itself in its advertising packets and scan responses.
///
/// Fields follow the Core Specification Supplement, Part A. Every one is absent until the peripheral sends it. A backend
/// may merge several packets: on BlueZ a device object is such a merged view.
public struct PeripheralAdvertisements: Sendable, Hashable {
    /// Complete or shortened local name.
    public var localName: String?
    /// Manufacturer specific data by company identifier; the bytes are what follows the identifier.
    public var manufacturerData: [UInt16: Bytes]
    /// Transmit power level in dBm.
    public var txPower: Int?
    /// Whether the packet's type allows a connection; absent where the backend is not told (BlueZ).
    public var isConnectable: Bool?
    /// Advertised service UUIDs.
    public var serviceUUIDs: [BluetoothUUID]
    /// Service data by service UUID.
    public var serviceData: [BluetoothUUID: Bytes]
    /// Service UUIDs in CoreBluetooth's overflow area; always empty elsewhere.
    public var overflowServiceUUIDs: [BluetoothUUID]
    /// Services that the peripheral seeks.
    public var solicitedServiceUUIDs: [BluetoothUUID]
    /// Appearance (Assigned Numbers, 2.6).
    public var appearance: UInt16?
    /// Flags of AD type 0x01.
    public var flags: AdvertisingFlags?
    /// AD structures by type, without the length byte, for those that the backend hands over raw.
    public var structures: [ADStructure]

    /// Advertisements with the given fields; the others are absent.
    public init(
        localName: String? = nil, manufacturerData: [UInt16: Bytes] = [:], txPower: Int? = nil,
        isConnectable: Bool? = nil, serviceUUIDs: [BluetoothUUID] = [], serviceData: [BluetoothUUID: Bytes] = [:],
        overflowServiceUUIDs: [BluetoothUUID] = [], solicitedServiceUUIDs: [BluetoothUUID] = [],
        appearance: UInt16? = nil, flags: AdvertisingFlags? = nil, structures: [ADStructure] = []
    ) {
        self.localName = localName
        self.manufacturerData = manufacturerData
        self.txPower = txPower
        self.isConnectable = isConnectable
        self.serviceUUIDs = serviceUUIDs
        self.serviceData = serviceData
        self.overflowServiceUUIDs = overflowServiceUUIDs
        self.solicitedServiceUUIDs = solicitedServiceUUIDs
        self.appearance = appearance
        self.flags = flags
        self.structures = structures
    }
}

/// The Flags AD type (Core Specification Supplement, Part A, 1.3).
public struct AdvertisingFlags: OptionSet, Sendable, Hashable, Codable {
    /// The bits.
    public let rawValue: UInt8

    /// A set from its bits; bits without a name are kept.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// LE Limited Discoverable Mode.
    public static let limitedDiscoverable = Self(rawValue: 0x01)
    /// LE General Discoverable Mode.
    public static let generalDiscoverable = Self(rawValue: 0x02)
    /// BR/EDR is not supported.
    public static let noBREDR = Self(rawValue: 0x04)
}

/// One AD structure as it stood in the packet.
public struct ADStructure: Sendable, Hashable {
    /// The AD type (Assigned Numbers, 2.3).
    public var type: UInt8
    /// The data after the type.
    public var data: Bytes

    /// A structure of the given type and data.
    public init(type: UInt8, data: Bytes) {
        self.type = type
        self.data = data
    }
}
