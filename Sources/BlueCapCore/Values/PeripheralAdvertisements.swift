// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The content of a peripheral's advertising packets and scan responses.
///
/// Fields follow the Core Specification Supplement, Part A. A field is absent until the peripheral sends it. A backend
/// may merge several packets: on BlueZ a device object is such a merged view.
public struct PeripheralAdvertisements: Sendable, Hashable {
    private struct Fields: Hashable {
        var localName: String?
        var manufacturerData: [UInt16: Bytes]
        var txPower: Int?
        var isConnectable: Bool?
        var serviceUUIDs: [BluetoothUUID]
        var serviceData: [BluetoothUUID: Bytes]
        var overflowServiceUUIDs: [BluetoothUUID]
        var solicitedServiceUUIDs: [BluetoothUUID]
        var appearance: UInt16?
        var flags: AdvertisingFlags?
        var structures: [ADStructure]
    }

    private final class Storage: Sendable {
        let fields: Fields

        init(_ fields: Fields) { self.fields = fields }
    }

    /// The fields, which copies share because every packet is copied to several places.
    private var storage: Storage

    private mutating func change(_ body: (inout Fields) -> Void) {
        var fields = storage.fields
        body(&fields)
        storage = Storage(fields)
    }

    /// Complete or shortened local name: a text up to its first zero, without white space around it.
    ///
    /// A name of which nothing remains is nil.
    public var localName: String? {
        get { storage.fields.localName }
        set { change { $0.localName = newValue?.asAdvertisedName } }
    }
    /// Manufacturer specific data by company identifier; the bytes do not include the identifier.
    public var manufacturerData: [UInt16: Bytes] {
        get { storage.fields.manufacturerData }
        set { change { $0.manufacturerData = newValue } }
    }
    /// Transmit power level in dBm.
    public var txPower: Int? {
        get { storage.fields.txPower }
        set { change { $0.txPower = newValue } }
    }
    /// A Boolean value that is true if the packet's type allows a connection; nil if the platform does not report it
    /// (BlueZ).
    public var isConnectable: Bool? {
        get { storage.fields.isConnectable }
        set { change { $0.isConnectable = newValue } }
    }
    /// The services in the peripheral's lists of service UUIDs.
    public var serviceUUIDs: [BluetoothUUID] {
        get { storage.fields.serviceUUIDs }
        set { change { $0.serviceUUIDs = newValue } }
    }
    /// Service data by service UUID.
    public var serviceData: [BluetoothUUID: Bytes] {
        get { storage.fields.serviceData }
        set { change { $0.serviceData = newValue } }
    }
    /// Service UUIDs in CoreBluetooth's overflow area; always empty elsewhere.
    public var overflowServiceUUIDs: [BluetoothUUID] {
        get { storage.fields.overflowServiceUUIDs }
        set { change { $0.overflowServiceUUIDs = newValue } }
    }
    /// Services that the peripheral seeks.
    public var solicitedServiceUUIDs: [BluetoothUUID] {
        get { storage.fields.solicitedServiceUUIDs }
        set { change { $0.solicitedServiceUUIDs = newValue } }
    }
    /// Appearance (Assigned Numbers, 2.6).
    public var appearance: UInt16? {
        get { storage.fields.appearance }
        set { change { $0.appearance = newValue } }
    }
    /// Flags of AD type 0x01.
    public var flags: AdvertisingFlags? {
        get { storage.fields.flags }
        set { change { $0.flags = newValue } }
    }
    /// AD structures, without the length byte, if the backend reports them raw.
    public var structures: [ADStructure] {
        get { storage.fields.structures }
        set { change { $0.structures = newValue } }
    }

    /// Creates advertisements with the given fields; the other fields are absent.
    ///
    /// - Parameters:
    ///   - localName: The local name, complete or shortened; an empty one counts as nil.
    ///   - manufacturerData: Bytes by the company identifier that precedes them in the packet.
    ///   - txPower: The transmit power level in dBm.
    ///   - isConnectable: A Boolean value that is true if the packet's type allows a connection; nil if the platform
    ///     does not report it.
    ///   - serviceUUIDs: The services that the peripheral offers.
    ///   - serviceData: Bytes by the UUID of the service that defines them.
    ///   - overflowServiceUUIDs: The service UUIDs in CoreBluetooth's overflow area.
    ///   - solicitedServiceUUIDs: The services that the peripheral seeks.
    ///   - appearance: The appearance (Assigned Numbers, 2.6).
    ///   - flags: The flags of AD type 0x01.
    ///   - structures: AD structures without the length byte, if the platform reports them raw.
    public init(
        localName: String? = nil, manufacturerData: [UInt16: Bytes] = [:], txPower: Int? = nil,
        isConnectable: Bool? = nil, serviceUUIDs: [BluetoothUUID] = [], serviceData: [BluetoothUUID: Bytes] = [:],
        overflowServiceUUIDs: [BluetoothUUID] = [], solicitedServiceUUIDs: [BluetoothUUID] = [],
        appearance: UInt16? = nil, flags: AdvertisingFlags? = nil, structures: [ADStructure] = []
    ) {
        storage = Storage(
            Fields(
                localName: localName?.asAdvertisedName, manufacturerData: manufacturerData, txPower: txPower,
                isConnectable: isConnectable, serviceUUIDs: serviceUUIDs, serviceData: serviceData,
                overflowServiceUUIDs: overflowServiceUUIDs, solicitedServiceUUIDs: solicitedServiceUUIDs,
                appearance: appearance, flags: flags,
                structures: structures))
    }

    /// Returns a Boolean value that is true if the fields are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage || left.storage.fields == right.storage.fields
    }

    /// Returns a Boolean value that is true if one is a copy of the other, unchanged: what was made of the one holds
    /// for the other, and nothing has to be compared.
    package func isCopy(of other: Self) -> Bool { storage === other.storage }

    /// Hashes the fields.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.fields) }
}
