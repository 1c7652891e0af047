// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The content of a peripheral's advertising packets, and the options for sending them.
///
/// Fields follow the Core Specification Supplement, Part A. A field that is nil or empty is not sent, or is left to the
/// platform.
public struct Advertisement: Sendable, Hashable {
    /// The kind of advertising.
    public enum Kind: Sendable, Hashable, Codable {
        /// Centrals may connect.
        case connectable
        /// Centrals cannot connect, as with a beacon.
        case broadcast
    }

    /// The kind of advertising, which determines if centrals may connect.
    public var kind: Kind
    /// The local name that centrals see; nil to send none.
    public var localName: String?
    /// The services that the peripheral offers and that centrals may scan for.
    public var serviceUUIDs: [BluetoothUUID]
    /// Service data by service UUID.
    public var serviceData: [BluetoothUUID: Bytes]
    /// Manufacturer specific data by company identifier; the bytes do not include the identifier.
    public var manufacturerData: [UInt16: Bytes]
    /// Services that the peripheral seeks.
    public var solicitedServiceUUIDs: [BluetoothUUID]
    /// Appearance (Assigned Numbers, 2.6).
    public var appearance: UInt16?
    /// A Boolean value that is true if the packets carry the transmit power, which the controller knows.
    public var includesTxPower: Bool
    /// The transmit power requested from the controller, in dBm, −127 through 20; refused if the platform does not
    /// support this choice.
    public var txPower: Int?
    /// A Boolean value that is true if the flags contain general discoverable; nil stands for true with `.connectable`
    /// and for false with `.broadcast`.
    ///
    /// A broadcast is never discoverable.
    public var isDiscoverable: Bool?
    /// AD structures that are sent unchanged, after the others; two of the same type are refused if the platform sends
    /// only one.
    public var structures: [ADStructure]
    /// AD structures that are sent, in addition to the name, only to centrals that request them (active scanning);
    /// refused if the platform does not support this choice, and with a ``secondaryPHY``.
    public var scanResponse: [ADStructure]
    /// The modulation of the data in extended advertising; nil for legacy advertising, which every central hears.
    ///
    /// Legacy advertising holds 31 bytes and as many in the scan response. Extended advertising has room for more (251
    /// bytes with BlueZ and on a virtual radio) in one packet, which includes the name, and no scan response. Only
    /// centrals that listen to extended advertising hear it. It is refused if the platform or its controller does not
    /// support this choice, and does not change on the air: stop the advertisement and start another.
    public var secondaryPHY: SecondaryPHY?
    /// The time between packets, 20 ms through 10.24 s; refused if the platform does not support this choice.
    public var interval: ClosedRange<Duration>?
    /// The length of the advertisement's turn on the air, if the controller sends one advertisement at a time and
    /// several take turns.
    ///
    /// The advertisement does not end after its turn; ``timeout`` sets its end. The duration has no effect if the
    /// controller sends all advertisements at once.
    public var duration: Duration?
    /// The time after which the advertisement ends by itself: it goes off the air, and the manager no longer advertises
    /// it.
    public var timeout: Duration?

    /// Creates an advertisement; a field that is left out is not sent, or is left to the platform.
    ///
    /// - Parameters:
    ///   - kind: The kind of advertising, which determines if centrals may connect.
    ///   - localName: The local name; nil to send none.
    ///   - serviceUUIDs: The services that centrals may scan for.
    ///   - serviceData: Bytes by the UUID of the service that defines them.
    ///   - manufacturerData: Bytes by the company identifier (Assigned Numbers, 7.1), which is sent before them.
    ///   - solicitedServiceUUIDs: The services that the peripheral seeks at centrals.
    ///   - appearance: The appearance (Assigned Numbers, 2.6); nil to send none.
    ///   - includesTxPower: A Boolean value that is true if the packets carry the transmit power.
    ///   - txPower: The transmit power requested from the controller, in dBm, −127 through 20; nil for the controller's
    ///     choice.
    ///   - isDiscoverable: A Boolean value that is true if the flags contain general discoverable; nil stands for true
    ///     with `.connectable` and for false with `.broadcast`.
    ///   - structures: Further AD structures, which are sent unchanged.
    ///   - scanResponse: AD structures that are sent only to centrals that request them.
    ///   - secondaryPHY: The modulation of the data in extended advertising; nil for legacy advertising.
    ///   - interval: The time between packets, 20 ms through 10.24 s; nil for the platform's choice.
    ///   - duration: The length of the advertisement's turn if several advertisements take turns; nil for the
    ///     platform's choice.
    ///   - timeout: The time after which the advertisement ends by itself; nil for never.
    public init(
        kind: Kind = .connectable, localName: String? = nil, serviceUUIDs: [BluetoothUUID] = [],
        serviceData: [BluetoothUUID: Bytes] = [:], manufacturerData: [UInt16: Bytes] = [:],
        solicitedServiceUUIDs: [BluetoothUUID] = [], appearance: UInt16? = nil, includesTxPower: Bool = false,
        txPower: Int? = nil, isDiscoverable: Bool? = nil, structures: [ADStructure] = [],
        scanResponse: [ADStructure] = [], secondaryPHY: SecondaryPHY? = nil, interval: ClosedRange<Duration>? = nil,
        duration: Duration? = nil, timeout: Duration? = nil
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
        self.secondaryPHY = secondaryPHY
        self.interval = interval
        self.duration = duration
        self.timeout = timeout
    }
}

extension Advertisement {
    /// Sets the service data of a service to a value, encoded in the same way as a characteristic's value.
    ///
    /// It replaces the previous data of the service. The counterpart is ``PeripheralAdvertisements/serviceValue(_:)``.
    ///
    /// - Parameter value: The value, whose type names the UUID of the service.
    public mutating func setServiceValue<Value: CharacteristicValue>(_ value: Value) {
        serviceData[Value.uuid] = SerDe.serialize(value)
    }
}
