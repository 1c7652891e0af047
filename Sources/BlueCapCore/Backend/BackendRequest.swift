// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// Names one request to a backend; never used twice by one manager.
public struct RequestID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The number, counted from 1 by the manager.
    public let rawValue: UInt64

    /// A name from its number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The number after a `#`.
    public var description: String { "#\(rawValue)" }
}

/// One operation that a manager asks of a backend, answered by `CentralEvent.reply` with the same identifier.
public struct CentralRequest: Sendable {
    /// The name under which the answer comes.
    public let id: RequestID
    /// What is to be done.
    public let operation: CentralOperation

    /// A request with its name.
    public init(id: RequestID, operation: CentralOperation) {
        self.id = id
        self.operation = operation
    }
}

/// What a backend can be asked to do, and the ``CentralReply`` that answers each.
public enum CentralOperation: Sendable, Hashable {
    /// Peripherals known to the platform by their identifiers. Answered by `.peripherals`.
    case retrieve([PeerIdentifier])
    /// Peripherals that are connected now, by this or another program, and have one of the services (any, if empty).
    /// Answered by `.peripherals`.
    case retrieveConnected(services: [BluetoothUUID])
    /// The signal strength of the connection. Answered by `.rssi`.
    case readRSSI(PeerIdentifier)
    /// All primary services, or those with the UUIDs. Waits until the platform itself has them. Answered by `.services`.
    case discoverServices(PeerIdentifier, [BluetoothUUID]?)
    /// The services that a service includes. Answered by `.services`.
    case discoverIncludedServices(PeerIdentifier, service: AttributeID, [BluetoothUUID]?)
    /// The characteristics of a service. Answered by `.characteristics`.
    case discoverCharacteristics(PeerIdentifier, service: AttributeID, [BluetoothUUID]?)
    /// The descriptors of a characteristic. Answered by `.descriptors`.
    case discoverDescriptors(PeerIdentifier, characteristic: AttributeID)
    /// The whole value of a characteristic or a descriptor, long values included. Answered by `.value`.
    case read(PeerIdentifier, AttributeID)
    /// Writes the whole value of a characteristic or a descriptor. Answered by `.done`: with a response, when the peer
    /// has answered; without, when the backend can take the next one.
    case write(PeerIdentifier, AttributeID, Bytes, WriteKind)
    /// Switches notifications or indications on or off. Answered by `.done` when the peer has answered.
    case setNotifying(PeerIdentifier, AttributeID, Bool, NotificationTransport)

    /// Pairs and bonds over the connection. Answered by `.done`, at once where there is a bond.
    case pair(PeerIdentifier)
    /// Takes a pairing that is under way back, whose own request then fails. Answered by `.done`, also when there is none.
    case cancelPairing(PeerIdentifier)
    /// Forgets the keys for a peripheral that is not connected. Answered by `.done`, also when there are none.
    case removeBond(PeerIdentifier)

    /// The peripheral that the operation is about, for the operations that need a connection.
    public var peripheral: PeerIdentifier? {
        switch self {
        case .retrieve, .retrieveConnected, .removeBond: nil
        case .readRSSI(let peripheral), .discoverServices(let peripheral, _),
            .discoverIncludedServices(let peripheral, _, _), .discoverCharacteristics(let peripheral, _, _),
            .discoverDescriptors(let peripheral, _), .read(let peripheral, _), .write(let peripheral, _, _, _),
            .setNotifying(let peripheral, _, _, _), .pair(let peripheral), .cancelPairing(let peripheral):
            peripheral
        }
    }
}

/// How a value is written.
public enum WriteKind: Sendable, Hashable, Codable {
    /// With a response from the peer (Write Request, or prepared writes for a long value).
    case withResponse
    /// Without a response (Write Command).
    case withoutResponse
    /// Without a response, over a channel of this characteristic's own where the platform has one (BlueZ's AcquireWrite
    /// socket); the same as ``withoutResponse`` elsewhere.
    case withoutResponseOverSocket
}

/// How notifications travel from the platform's service to this process.
public enum NotificationTransport: Sendable, Hashable, Codable {
    /// The platform's default, which loses nothing at the start (BlueZ: `StartNotify`).
    case standard
    /// A channel of this characteristic's own where the platform has one (BlueZ: `AcquireNotify`): an order of magnitude
    /// cheaper per value, exclusive, and notifications sent inside the peer's subscription handler can be lost. The same
    /// as ``standard`` elsewhere.
    case socket
}

/// What an operation gave.
public enum CentralReply: Sendable, Hashable {
    /// It was done; there is nothing to tell.
    case done
    /// The value that was read.
    case value(Bytes)
    /// Signal strength in dBm.
    case rssi(Int)
    /// Services, in the order of the peer's database.
    case services([DiscoveredService])
    /// Characteristics, in the order of the peer's database.
    case characteristics([DiscoveredCharacteristic])
    /// Descriptors, in the order of the peer's database.
    case descriptors([DiscoveredDescriptor])
    /// Peripherals that the platform knows.
    case peripherals([KnownPeripheral])
}

/// A service as a backend found it.
public struct DiscoveredService: Sendable, Hashable {
    /// Its name in the peer's database.
    public var id: AttributeID
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// Whether it is a primary service.
    public var isPrimary: Bool

    /// A service.
    public init(id: AttributeID, uuid: BluetoothUUID, isPrimary: Bool = true) {
        self.id = id
        self.uuid = uuid
        self.isPrimary = isPrimary
    }
}

/// A characteristic as a backend found it.
public struct DiscoveredCharacteristic: Sendable, Hashable {
    /// Its name in the peer's database.
    public var id: AttributeID
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// What may be done with it.
    public var properties: CharacteristicProperties

    /// A characteristic.
    public init(id: AttributeID, uuid: BluetoothUUID, properties: CharacteristicProperties) {
        self.id = id
        self.uuid = uuid
        self.properties = properties
    }
}

/// A descriptor as a backend found it.
public struct DiscoveredDescriptor: Sendable, Hashable {
    /// Its name in the peer's database.
    public var id: AttributeID
    /// Its UUID.
    public var uuid: BluetoothUUID

    /// A descriptor.
    public init(id: AttributeID, uuid: BluetoothUUID) {
        self.id = id
        self.uuid = uuid
    }
}

/// A peripheral that the platform knows without a sighting in a scan of ours.
public struct KnownPeripheral: Sendable, Hashable {
    /// Which peripheral.
    public var id: PeerIdentifier
    /// Its name, if the platform knows one.
    public var name: String?
    /// What the platform last saw it advertise.
    public var advertisements: PeripheralAdvertisements
    /// Whether the platform has a connection to it, of this program's or of another's.
    public var isConnected: Bool
    /// Whether there are keys for it; nil where the platform does not say.
    public var isBonded: Bool?

    /// A known peripheral.
    public init(
        id: PeerIdentifier, name: String? = nil,
        advertisements: PeripheralAdvertisements = PeripheralAdvertisements(), isConnected: Bool = false,
        isBonded: Bool? = nil
    ) {
        self.id = id
        self.name = name
        self.advertisements = advertisements
        self.isConnected = isConnected
        self.isBonded = isBonded
    }
}
