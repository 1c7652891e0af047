// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The content of a peripheral's advertising packets, and how it sends them.
///
/// Fields follow the Core Specification Supplement, Part A. What is nil or empty is not sent, or left to the platform.
public struct Advertisement: Sendable, Hashable {
    /// What kind of advertising it is.
    public enum Kind: Sendable, Hashable, Codable {
        /// Centrals may connect.
        case connectable
        /// Centrals cannot connect, as with a beacon.
        case broadcast
    }

    /// Whether centrals may connect.
    public var kind: Kind
    /// The local name that centrals see; nil to send none.
    public var localName: String?
    /// The services that the peripheral offers and that centrals may scan for.
    public var serviceUUIDs: [BluetoothUUID]
    /// Service data by service UUID.
    public var serviceData: [BluetoothUUID: Bytes]
    /// Manufacturer specific data by company identifier; the bytes are what follows the identifier.
    public var manufacturerData: [UInt16: Bytes]
    /// Services that the peripheral seeks.
    public var solicitedServiceUUIDs: [BluetoothUUID]
    /// Appearance (Assigned Numbers, 2.6).
    public var appearance: UInt16?
    /// Whether the packets carry the transmit power, which the controller knows.
    public var includesTxPower: Bool
    /// Transmit power asked of the controller, in dBm, −127 through 20; refused where the platform does not let it be
    /// chosen.
    public var txPower: Int?
    /// Whether the flags say general discoverable; nil says so of what centrals may connect to. A broadcast never is.
    public var isDiscoverable: Bool?
    /// AD structures sent as they are, behind the others; two of one type are refused where the platform sends only
    /// one.
    public var structures: [ADStructure]
    /// What is sent only to centrals that ask (active scanning), beside the name; refused where the platform does not
    /// let it be chosen.
    public var scanResponse: [ADStructure]
    /// The time from packet to packet, 20 ms through 10.24 s; refused where the platform does not let it be chosen.
    public var interval: ClosedRange<Duration>?
    /// For how long it is on the air at a time where several take turns, because the controller sends one at a time. It
    /// does not end then; ``timeout`` is for that. Where the controller sends all at once it means nothing.
    public var duration: Duration?
    /// After which time it ends by itself: it is off the air, and the manager does not advertise any more.
    public var timeout: Duration?

    /// Creates an advertisement; what is left out is not sent, or left to the platform.
    ///
    /// - Parameters:
    ///   - kind: Whether centrals may connect.
    ///   - localName: The local name; nil to send none.
    ///   - serviceUUIDs: The services that centrals may scan for.
    ///   - serviceData: Bytes by the UUID of the service that defines them.
    ///   - manufacturerData: Bytes by the company identifier (Assigned Numbers, 7.1), which is sent before them.
    ///   - solicitedServiceUUIDs: The services that the peripheral seeks at centrals.
    ///   - appearance: The appearance (Assigned Numbers, 2.6); nil to send none.
    ///   - includesTxPower: Whether the packets carry the transmit power.
    ///   - txPower: The transmit power to ask the controller for, in dBm, −127 through 20; nil for the controller's
    ///     choice.
    ///   - isDiscoverable: Whether the flags say general discoverable; nil for yes with `.connectable` and no with
    ///     `.broadcast`.
    ///   - structures: Further AD structures, sent as they are.
    ///   - scanResponse: AD structures sent only to centrals that ask for them.
    ///   - interval: The time from packet to packet, 20 ms through 10.24 s; nil for the platform's choice.
    ///   - duration: How long its turn lasts where several advertisements take turns; nil for the platform's choice.
    ///   - timeout: The time after which it ends by itself; nil for never.
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
