// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// An error of a peripheral's link or of the discovery of its services.
public enum PeripheralError: BlueCapError, Hashable {
    /// The link was lost, or the peripheral is not connected.
    case disconnected
    /// The program itself disconnected.
    case forcedDisconnect
    /// The connection was not made within the time given.
    case connectionTimeout
    /// Services were not discovered within the time given, and the connection was ended.
    case serviceDiscoveryTimeout
    /// The signal strength was not read within the time given.
    case rssiTimeout
    /// The platform cannot measure the signal strength of a connection and has no recent sighting either.
    case rssiUnavailable
    /// The platform does not set the parameters of connections, or does not let this process; the failure holds the
    /// reason.
    case connectionParametersRefused(BackendFailure)
    /// The two devices did not pair.
    case pairingFailed(PairingFailure)
    /// The two devices did not pair within the time given; the attempt was cancelled.
    case pairingTimeout
    /// The peripheral or the platform does not support the operation.
    case unsupported
    /// The caller's task was cancelled.
    case cancelled
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
    /// The peripheral has no service with the UUID: everything was discovered, or that service was asked for.
    case missing(BluetoothUUID)
    /// Several attributes have this UUID.
    case ambiguous(BluetoothUUID, count: Int)

    public var explanation: ErrorExplanation {
        switch self {
        case .disconnected: .peripheralDisconnected
        case .forcedDisconnect:
            ErrorExplanation(
                .disconnected, "the program itself disconnected the peripheral", advice: "call connect() to go on")
        case .connectionTimeout:
            ErrorExplanation(
                .timeout, "no connection was made within the time given",
                advice: "check that the peripheral is near, advertises, and is not connected elsewhere")
        case .serviceDiscoveryTimeout:
            ErrorExplanation(
                .timeout, "no services came within the time given, and the connection was ended",
                advice: "call connect() again")
        case .rssiTimeout:
            ErrorExplanation(.timeout, "no signal strength came within the time given", advice: "read it again")
        case .pairingFailed(let failure): .pairing(failure)
        case .pairingTimeout:
            ErrorExplanation(
                .timeout, "the devices did not pair within the time given",
                advice: "answer the requests of pairingRequests(capability:), and pair again")
        case .rssiUnavailable:
            ErrorExplanation(
                .unsupported,
                "this platform cannot measure the signal strength of a connection, and the last sighting is older than "
                    + "15 seconds",
                advice: "scan with duplicates meanwhile")
        case .connectionParametersRefused(let failure):
            ErrorExplanation(.unsupported, failure.text, advice: failure.advice)
        case .unsupported: .unsupportedByPeer
        case .cancelled: .cancelled
        case .poweredOff: .poweredOff
        case .invalidated: .managerInvalidated
        case .att(let error): .att(error, from: "peripheral")
        case .backend(let failure): .backend(failure)
        case .notDiscovered(let uuid): .notDiscovered(uuid, call: "discover()")
        case .missing(let uuid): .missing(uuid, "service")
        case .ambiguous(let uuid, let count):
            .ambiguous(uuid, count, "services", advice: "pick one of services(withUUID:)")
        }
    }
}

extension PeripheralError: RequestError {
    static func gone(_ uuid: BluetoothUUID) -> Self { .notDiscovered(uuid) }

    static var noRSSI: Self { .rssiUnavailable }
    static func unpaired(_ failure: PairingFailure) -> Self { .pairingFailed(failure) }
}
