// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The operations that a backend can be asked for, and the ``CentralReply`` that answers each.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum CentralOperation: Sendable, Hashable {
    /// Peripherals known to the platform by their identifiers. Answered by `.peripherals`.
    case retrieve([PeerIdentifier])
    /// Peripherals that are connected now, by this or another program, and have at least one of the services. Without
    /// services: all that are connected; a platform that cannot list those (CoreBluetooth asks for services) answers
    /// with those that it knows of through this program. Answered by `.peripherals`.
    case retrieveConnected(services: [BluetoothUUID])
    /// The signal strength of the connection. Answered by `.rssi`.
    case readRSSI(PeerIdentifier)
    /// Other parameters of the connection. Answered by `.parameters`; only with
    /// ``CentralFeatures/connectionParameters``.
    case setConnectionParameters(PeerIdentifier, ConnectionParameters)
    /// All primary services, or those with the UUIDs. Waits until the platform itself has them. Answered by
    /// `.services`.
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
    /// Cancels a pairing that is under way, whose own request then fails. Answered by `.done`, also when there is none.
    case cancelPairing(PeerIdentifier)
    /// Forgets the keys for a peripheral that is not connected. Answered by `.done`, also when there are none.
    case removeBond(PeerIdentifier)

    /// The peripheral that the operation is about, for the operations that need a connection.
    public var peripheral: PeerIdentifier? {
        switch self {
        case .retrieve, .retrieveConnected, .removeBond: nil
        case .readRSSI(let peripheral), .setConnectionParameters(let peripheral, _),
            .discoverServices(let peripheral, _),
            .discoverIncludedServices(let peripheral, _, _), .discoverCharacteristics(let peripheral, _, _),
            .discoverDescriptors(let peripheral, _), .read(let peripheral, _), .write(let peripheral, _, _, _),
            .setNotifying(let peripheral, _, _, _), .pair(let peripheral), .cancelPairing(let peripheral):
            peripheral
        }
    }
}

/// One operation that a manager asks of a backend, answered by `CentralEvent.reply` with the same identifier.
public struct CentralRequest: Sendable {
    /// The name under which the answer comes.
    public let id: RequestID
    /// The operation to carry out.
    public let operation: CentralOperation

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - id: The name that the backend's reply carries; never used for another request of the manager.
    ///   - operation: The operation to carry out, with its peripheral.
    public init(id: RequestID, operation: CentralOperation) {
        self.id = id
        self.operation = operation
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

/// Names one request to a backend; never used twice by one manager.
public struct RequestID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The number, counted from 1 by the manager.
    public let rawValue: UInt64

    /// A name from its number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The number after a `#`.
    public var description: String { "#\(rawValue)" }
}
