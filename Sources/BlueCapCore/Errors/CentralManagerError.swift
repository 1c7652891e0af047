// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// An error of a central manager as a whole: of its radio or its scans.
public enum CentralManagerError: BlueCapError, Hashable {
    /// The kept state cannot be restored; the failure holds the reason and the location of the journal.
    case restoreFailed(RestorationFailure)
    /// The scan's timeout passed without a sighting.
    case serviceScanTimeout
    /// The radio was not on within the time given.
    case powerOnTimeout
    /// The platform did not list the peripherals it knows within the time given.
    case retrievalTimeout
    /// Bluetooth LE is not available on this machine.
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
    /// The platform failed or refused; the failure holds the platform's name and text for it.
    case backend(BackendFailure)
    /// The platform does not scan in this mode, or does not let this process; the failure holds the reason.
    case scanModeNotSupported(ScanMode, BackendFailure)
    /// No radio scans in such a mode.
    case invalidScanMode(ScanModeProblem)
    /// No attribute with this UUID was discovered.
    case notDiscovered(BluetoothUUID)
    /// Several attributes have this UUID.
    case ambiguous(BluetoothUUID, count: Int)

    /// The original name of ``poweredOff``.
    public static var isPoweredOff: Self { .poweredOff }

    public var explanation: ErrorExplanation {
        switch self {
        case .restoreFailed(let failure): .restoration(failure)
        case .serviceScanTimeout:
            ErrorExplanation(
                .timeout, "nothing was sighted within the scan's timeout",
                advice: "check that the peripheral advertises the service, is near, and is not connected elsewhere")
        case .powerOnTimeout: .powerOnTimeout
        case .retrievalTimeout:
            ErrorExplanation(
                .timeout, "the platform did not say within the time given which peripherals it knows",
                advice: "ask again, or allow more time")
        case .unsupported:
            ErrorExplanation(
                .unsupported, "there is no Bluetooth LE adapter here", advice: "plug one in, or use a VirtualRadio")
        case .unauthorized: .unauthorized
        case .cancelled: .cancelled
        case .disconnected: .peripheralDisconnected
        case .poweredOff: .poweredOff
        case .invalidated: .managerInvalidated
        case .att(let error): .att(error, from: "peripheral")
        case .backend(let failure): .backend(failure)
        case .scanModeNotSupported(_, let failure):
            ErrorExplanation(.unsupported, failure.text, advice: failure.advice)
        case .invalidScanMode(let problem): ErrorExplanation(.misuse, problem.text)
        case .notDiscovered(let uuid): .notDiscovered(uuid, call: "discover()")
        case .ambiguous(let uuid, let count):
            .ambiguous(uuid, count, "attributes", advice: "say in which service")
        }
    }
}

extension CentralManagerError: RadioError {}
