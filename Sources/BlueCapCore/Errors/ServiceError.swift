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
    /// The platform failed or refused; the failure has its own name and text for that.
    case backend(BackendFailure)
    /// Nothing by that UUID was discovered.
    case notDiscovered(BluetoothUUID)
    /// Several things go by that UUID.
    case ambiguous(BluetoothUUID, count: Int)

    /// The kind of reason, what went wrong and what to do about it.
    public var explanation: ErrorExplanation {
        switch self {
        case .characteristicDiscoveryTimeout:
            ErrorExplanation(
                .timeout, "no characteristics came within the time given",
                advice: "the connection stays: discover again")
        case .includedServiceDiscoveryTimeout:
            ErrorExplanation(
                .timeout, "no included services came within the time given",
                advice: "the connection stays: discover again")
        case .unconfigured:
            ErrorExplanation(
                .misuse, "the service belongs to no peripheral any more",
                advice: "keep a reference to the manager, and call discoverServices() again")
        case .unsupported: .unsupportedByPeer
        case .cancelled: .cancelled
        case .disconnected: .peripheralDisconnected
        case .poweredOff: .poweredOff
        case .invalidated: .managerInvalidated
        case .att(let error): .att(error, from: "peripheral")
        case .backend(let failure): .backend(failure)
        case .notDiscovered(let uuid): .notDiscovered(uuid, call: "discoverServices()")
        case .ambiguous(let uuid, let count):
            .ambiguous(uuid, count, "characteristics", advice: "pick one of characteristics(withUUID:)")
        }
    }
}

extension ServiceError: RequestError {
    static func gone(_ uuid: BluetoothUUID) -> Self { .notDiscovered(uuid) }
}
