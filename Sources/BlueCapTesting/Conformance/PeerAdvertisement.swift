// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

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
