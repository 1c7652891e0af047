// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// What goes wrong with the discovery of what a service holds.
public enum ServiceError: BlueCapError, Hashable {
    /// Characteristics were not discovered within the time given; the connection stays.
    case characteristicDiscoveryTimeout
    /// Included services were not discovered within the time given; the connection stays.
    case includedServiceDiscoveryTimeout
    /// The service has no peripheral any more.
    case unconfigured
    /// The peripheral or the platform does not offer this.
    case unsupported
    /// The caller's task was cancelled.
    case cancelled
    /// The link was lost, or there is none.
    case disconnected
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
        case .characteristicDiscoveryTimeout, .includedServiceDiscoveryTimeout: .timeout
        case .unconfigured: .misuse
        case .unsupported: .unsupported
        case .cancelled: .cancelled
        case .disconnected: .disconnected
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
        case .characteristicDiscoveryTimeout:
            "no characteristics within the time given: the connection stays, try again"
        case .includedServiceDiscoveryTimeout: "no included services within the time given: the connection stays"
        case .unconfigured: "the service belongs to no peripheral any more: discover services again"
        case .unsupported: "the peripheral or the platform does not offer this"
        case .cancelled: "the task was cancelled"
        case .disconnected: "the peripheral is disconnected: connect again"
        case .poweredOff: "Bluetooth is off: switch it on"
        case .invalidated: "the manager is gone: keep a reference to it, or create a new one"
        case .att(let error): "the peripheral answered: \(error)"
        case .backend(let failure): failure.description
        case .notDiscovered(let uuid): "\(uuid) was not discovered: discover services again (needed after reconnecting)"
        case .ambiguous(let uuid, let count):
            "\(count) characteristics have the UUID \(uuid): pick one of characteristics(withUUID:)"
        }
    }
}

extension ServiceError: RequestError {
    static func gone(_ uuid: BluetoothUUID) -> Self { .notDiscovered(uuid) }
}
