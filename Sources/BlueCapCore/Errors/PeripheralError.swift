// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// What goes wrong with a peripheral's link and the discovery of its services.
public enum PeripheralError: BlueCapError, Hashable {
    /// The link was lost, or there is none.
    case disconnected
    /// The program itself disconnected.
    case forcedDisconnect
    /// The connection was not made within the time given.
    case connectionTimeout
    /// Services were not discovered within the time given; the connection was ended with it.
    case serviceDiscoveryTimeout
    /// The signal strength did not come within the time given.
    case rssiTimeout
    /// The platform cannot measure the signal strength of a connection and has no recent sighting either.
    case rssiUnavailable
    /// The two devices did not pair.
    case pairingFailed(PairingFailure)
    /// The two devices did not pair within the time given; the attempt was taken back.
    case pairingTimeout
    /// The peripheral or the platform does not offer this.
    case unsupported
    /// The caller's task was cancelled.
    case cancelled
    /// The radio is off, or went off.
    case poweredOff
    /// The manager is gone or was invalidated.
    case invalidated
    /// The peer answered with an ATT error.
    case att(ATTError)
    /// The platform failed, in its own words.
    case backend(BackendFailure)
    /// Nothing by that UUID was discovered.
    case notDiscovered(BluetoothUUID)
    /// Several things go by that UUID.
    case ambiguous(BluetoothUUID, count: Int)

    /// The kind of reason, the same over all layers.
    public var reason: ErrorReason {
        switch self {
        case .disconnected, .forcedDisconnect: .disconnected
        case .connectionTimeout, .serviceDiscoveryTimeout, .rssiTimeout, .pairingTimeout: .timeout
        case .pairingFailed(let failure): .pairing(failure)
        case .rssiUnavailable, .unsupported: .unsupported
        case .cancelled: .cancelled
        case .poweredOff: .poweredOff
        case .invalidated: .invalidated
        case .att(let error): .att(error)
        case .backend(let failure): .backend(failure)
        case .notDiscovered, .ambiguous: .lookup
        }
    }

    /// What went wrong and what to do about it, in a sentence.
    public var description: String {
        switch self {
        case .disconnected: "the peripheral is disconnected: connect again"
        case .forcedDisconnect: "the program disconnected the peripheral"
        case .connectionTimeout: "no connection within the time given: check that the peripheral is near and advertises"
        case .serviceDiscoveryTimeout: "no services within the time given: the connection was ended, connect again"
        case .rssiTimeout: "no signal strength within the time given"
        case .pairingFailed(let failure): failure.description
        case .pairingTimeout:
            "the devices did not pair within the time given: answer pairing's requests, and pair again"
        case .rssiUnavailable:
            "this platform cannot measure the signal strength of a connection, and the last sighting is older than 15 "
                + "seconds: scan with duplicates meanwhile"
        case .unsupported: "the peripheral or the platform does not offer this"
        case .cancelled: "the task was cancelled"
        case .poweredOff: "Bluetooth is off: switch it on"
        case .invalidated: "the manager is gone: keep a reference to it, or create a new one"
        case .att(let error): "the peripheral answered: \(error)"
        case .backend(let failure): failure.description
        case .notDiscovered(let uuid): "\(uuid) was not discovered: discover it first"
        case .ambiguous(let uuid, let count): "\(count) services have the UUID \(uuid): pick one of services(withUUID:)"
        }
    }
}

extension PeripheralError: RequestError {
    static func gone(_ uuid: BluetoothUUID) -> Self { .notDiscovered(uuid) }

    static var noRSSI: Self { .rssiUnavailable }
    static func unpaired(_ failure: PairingFailure) -> Self { .pairingFailed(failure) }
}
