// SPDX-License-Identifier: MIT

import BlueCapCore
public import BlueCapSerDe

/// The scan response of a peer.
public struct PeerScanResponse: Sendable, Hashable {
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

    /// Creates a scan response with the given fields; the others are not sent.
    ///
    /// - Parameters:
    ///   - localName: The complete local name.
    ///   - serviceUUIDs: The advertised service UUIDs.
    ///   - manufacturerData: The manufacturer specific data by company identifier.
    ///   - serviceData: The service data by service UUID.
    ///   - txPower: The transmit power level in dBm.
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
