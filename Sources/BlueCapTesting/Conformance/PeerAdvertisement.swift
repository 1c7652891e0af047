// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// The advertisement of a peer.
public struct PeerAdvertisement: Sendable, Hashable {
    /// The complete local name.
    public var localName: String?
    /// The advertised service UUIDs.
    public var serviceUUIDs: [BluetoothUUID]
    /// The manufacturer specific data by company identifier.
    public var manufacturerData: [UInt16: Bytes]
    /// The service data by service UUID.
    public var serviceData: [BluetoothUUID: Bytes]
    /// The transmit power level in dBm.
    public var txPower: Int?
    /// The appearance: an assigned number of the Bluetooth SIG.
    public var appearance: UInt16?
    /// The Flags structure; nil sends general discoverable without BR/EDR.
    public var flags: AdvertisingFlags?
    /// The UUIDs of services that the peer seeks.
    public var solicitedServiceUUIDs: [BluetoothUUID]
    /// The fields of the scan response; none of them repeats one of the advertisement.
    public var scanResponse: PeerScanResponse?
    /// The number of milliseconds between two packets; nil for the world's own (100 or less).
    public var intervalMilliseconds: Int?

    /// Creates an advertisement with the given fields; the others are not sent.
    ///
    /// - Parameters:
    ///   - localName: The complete local name.
    ///   - serviceUUIDs: The advertised service UUIDs.
    ///   - manufacturerData: The manufacturer specific data by company identifier.
    ///   - serviceData: The service data by service UUID.
    ///   - txPower: The transmit power level in dBm.
    ///   - appearance: The appearance: an assigned number of the Bluetooth SIG.
    ///   - flags: The Flags structure; nil sends general discoverable without BR/EDR.
    ///   - solicitedServiceUUIDs: The UUIDs of services that the peer seeks.
    ///   - scanResponse: The fields of the scan response; none of them repeats one of the advertisement.
    ///   - intervalMilliseconds: The number of milliseconds between two packets; nil for the world's own.
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
