// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// An error of the discovery of a service's characteristics and included services.
public enum ServiceError: BlueCapError, Hashable {
    /// Characteristics were not discovered within the time given; the connection stays.
    case characteristicDiscoveryTimeout
    /// Included services were not discovered within the time given; the connection stays.
    case includedServiceDiscoveryTimeout
    /// The service no longer belongs to a peripheral.
    case unconfigured
    /// The peripheral or the platform does not support the operation.
    case unsupported
    /// The caller's task was cancelled.
    case cancelled
    /// The link was lost, or the peripheral is not connected.
    case disconnected
    /// The radio is off, or went off.
    case poweredOff
    /// The manager was released or invalidated.
    case invalidated
    /// The peer answered with an ATT error.
    case att(ATTError)
    /// The platform failed or refused; the failure holds the platform's name and text for it.
    case backend(BackendFailure)
    /// No attribute with this UUID was discovered.
    case notDiscovered(BluetoothUUID)
    /// Several attributes have this UUID.
    case ambiguous(BluetoothUUID, count: Int)

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
