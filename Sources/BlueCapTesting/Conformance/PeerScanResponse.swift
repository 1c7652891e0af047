// SPDX-License-Identifier: MIT

import BlueCapCore
public import BlueCapSerDe

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
