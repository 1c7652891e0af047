// SPDX-License-Identifier: MIT

/// An error of a characteristic that this program offers.
public enum MutableCharacteristicError: BlueCapError, Hashable {
    /// The value cannot be turned into bytes.
    case notSerializable
    /// The characteristic neither notifies nor indicates.
    case notifyNotSupported
    /// The value is longer than the maximum of an attribute (512 bytes; Core Specification, Vol 3, Part F, 3.2.9).
    case valueTooLong(count: Int, maximum: Int)
    /// The platform does not distinguish centrals.
    case unsupported
    /// The caller's task was cancelled.
    case cancelled
    /// The link was lost.
    case disconnected
    /// The radio is off, or went off.
    case poweredOff
    /// The manager was released or invalidated.
    case invalidated
    /// The central answered with an ATT error.
    case att(ATTError)
    /// The platform failed or refused; the failure holds the platform's name and text for it.
    case backend(BackendFailure)

    public var explanation: ErrorExplanation {
        switch self {
        case .notSerializable: .notSerializable
        case .notifyNotSupported:
            ErrorExplanation(
                .unsupported, "the characteristic neither notifies nor indicates",
                advice: "create it with notify or indicate among its properties")
        case .valueTooLong(let count, let maximum): .valueTooLong(count, maximum: maximum)
        case .unsupported:
            ErrorExplanation(
                .unsupported, "the platform does not tell subscribers apart", advice: "update all of them at once")
        case .cancelled: .cancelled
        case .disconnected: .centralDisconnected
        case .poweredOff: .poweredOff
        case .invalidated: .managerInvalidated
        case .att(let error): .att(error, from: "central")
        case .backend(let failure): .backend(failure)
        }
    }
}
