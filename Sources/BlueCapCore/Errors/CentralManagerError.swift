// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// What goes wrong with a central manager as a whole: its radio, its scans.
public enum CentralManagerError: BlueCapError, Hashable {
    /// What was kept to be restored cannot be used; it says why, and where it is.
    case restoreFailed(RestorationFailure)
    /// The scan's timeout passed without one sighting.
    case serviceScanTimeout
    /// The radio was not on within the time given.
    case powerOnTimeout
    /// There is no Bluetooth LE here.
    case unsupported
    /// The system refuses this process the use of Bluetooth.
    case unauthorized
    /// The caller's task was cancelled.
    case cancelled
    /// The link was lost.
    case disconnected
    /// The radio is off, or went off.
    case poweredOff
    /// The manager was invalidated.
    case invalidated
    /// The peer answered with an ATT error.
    case att(ATTError)
    /// The platform failed, in its own words.
    case backend(BackendFailure)
    /// Nothing by that UUID was discovered.
    case notDiscovered(BluetoothUUID)
    /// Several things go by that UUID.
    case ambiguous(BluetoothUUID, count: Int)

    /// The original name of ``poweredOff``.
    public static var isPoweredOff: Self { .poweredOff }

    /// The kind of reason, the same over all layers.
    public var reason: ErrorReason {
        switch self {
        case .restoreFailed: .misuse
        case .serviceScanTimeout, .powerOnTimeout: .timeout
        case .unsupported, .unauthorized: .unsupported
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
        case .restoreFailed(let failure): failure.description
        case .serviceScanTimeout:
            "nothing was sighted within the scan's timeout: check that the peripheral advertises the service, is near, "
                + "and is not connected to something else"
        case .powerOnTimeout:
            "the radio was not powered on within the time given: check that Bluetooth is on and its service runs"
        case .unsupported: "there is no Bluetooth LE adapter here"
        case .unauthorized: "this process may not use Bluetooth: grant it the permission"
        case .cancelled: "the task was cancelled"
        case .disconnected: "the peripheral is disconnected: connect again"
        case .poweredOff: "Bluetooth is off: switch it on"
        case .invalidated: "the manager was invalidated: create a new one"
        case .att(let error): "the peripheral answered: \(error)"
        case .backend(let failure): failure.description
        case .notDiscovered(let uuid): "\(uuid) was not discovered: discover it first"
        case .ambiguous(let uuid, let count): "\(count) attributes have the UUID \(uuid): say in which service"
        }
    }
}

extension CentralManagerError: RadioError {}
