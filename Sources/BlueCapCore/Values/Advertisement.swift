// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// What a peripheral tells of itself in advertising packets, and how it sends them.
///
/// Fields follow the Core Specification Supplement, Part A. What is nil or empty is not sent, or left to the platform.
public struct Advertisement: Sendable, Hashable {
    /// What kind of advertising it is.
    public enum Kind: Sendable, Hashable, Codable {
        /// Centrals may connect.
        case connectable
        /// Nobody can connect: a beacon.
        case broadcast
    }

    /// Whether centrals may connect.
    public var kind: Kind
    /// The local name.
    public var localName: String?
    /// Service UUIDs.
    public var serviceUUIDs: [BluetoothUUID]
    /// Service data by service UUID.
    public var serviceData: [BluetoothUUID: Bytes]
    /// Manufacturer specific data by company identifier; the bytes are what follows the identifier.
    public var manufacturerData: [UInt16: Bytes]
    /// Services that the peripheral seeks.
    public var solicitedServiceUUIDs: [BluetoothUUID]
    /// Appearance (Assigned Numbers, 2.6).
    public var appearance: UInt16?
    /// Whether the transmit power, which the controller knows, is told.
    public var includesTxPower: Bool
    /// Transmit power asked of the controller, in dBm, −127 through 20; refused where the platform does not let it be chosen.
    public var txPower: Int?
    /// Whether the flags say general discoverable; nil says so of what centrals may connect to. A broadcast never is.
    public var isDiscoverable: Bool?
    /// AD structures sent as they are, behind the others; two of one type are refused where the platform sends only one.
    public var structures: [ADStructure]
    /// What is sent only to centrals that ask (active scanning), beside the name; refused where the platform does not let it
    /// be chosen.
    public var scanResponse: [ADStructure]
    /// The time from packet to packet, 20 ms through 10.24 s; refused where the platform does not let it be chosen.
    public var interval: ClosedRange<Duration>?
    /// For how long it is on the air at a time where several take turns, because the controller sends one at a time. It does
    /// not end then; ``timeout`` is for that. Where the controller sends all at once it means nothing.
    public var duration: Duration?
    /// After which time it ends by itself: it is off the air, and the manager does not advertise any more.
    public var timeout: Duration?

    /// An advertisement with the given fields.
    public init(
        kind: Kind = .connectable, localName: String? = nil, serviceUUIDs: [BluetoothUUID] = [],
        serviceData: [BluetoothUUID: Bytes] = [:], manufacturerData: [UInt16: Bytes] = [:],
        solicitedServiceUUIDs: [BluetoothUUID] = [], appearance: UInt16? = nil, includesTxPower: Bool = false,
        txPower: Int? = nil, isDiscoverable: Bool? = nil, structures: [ADStructure] = [],
        scanResponse: [ADStructure] = [], interval: ClosedRange<Duration>? = nil, duration: Duration? = nil,
        timeout: Duration? = nil
    ) {
        self.kind = kind
        self.localName = localName
        self.serviceUUIDs = serviceUUIDs
        self.serviceData = serviceData
        self.manufacturerData = manufacturerData
        self.solicitedServiceUUIDs = solicitedServiceUUIDs
        self.appearance = appearance
        self.includesTxPower = includesTxPower
        self.txPower = txPower
        self.isDiscoverable = isDiscoverable
        self.structures = structures
        self.scanResponse = scanResponse
        self.interval = interval
        self.duration = duration
        self.timeout = timeout
    }
}
