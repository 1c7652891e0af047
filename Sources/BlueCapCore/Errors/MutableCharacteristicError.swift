// SPDX-License-Identifier: MIT

/// What goes wrong with a characteristic that this program offers.
public enum MutableCharacteristicError: BlueCapError, Hashable {
    /// The characteristic's service is not added to a manager.
    case unconfigured
    /// The value cannot be turned into bytes.
    case notSerializable
    /// The characteristic neither notifies nor indicates.
    case notifyNotSupported
    /// The value is longer than an attribute can be (512 bytes; Core Specification, Vol 3, Part F, 3.2.9).
    case valueTooLong(count: Int, maximum: Int)
    /// The central is not subscribed.
    case notSubscribed
    /// The platform does not tell centrals apart.
    case unsupported
    /// The caller's task was cancelled.
    case cancelled
    /// The link was lost.
    case disconnected
    /// The radio is off, or went off.
    case poweredOff
    /// The manager is gone or was invalidated.
    case invalidated
    /// The central answered with an ATT error.
    case att(ATTError)
    /// The platform failed, in its own words.
    case backend(BackendFailure)

    /// The kind of reason, the same over all layers.
    public var reason: ErrorReason {
        switch self {
        case .unconfigured, .valueTooLong: .misuse
        case .notSerializable: .serialization
        case .notifyNotSupported, .unsupported: .unsupported
        case .cancelled: .cancelled
        case .notSubscribed, .disconnected: .disconnected
        case .poweredOff: .poweredOff
        case .invalidated: .invalidated
        case .att(let error): .att(error)
        case .backend(let failure): .backend(failure)
        }
    }

    /// What went wrong and what to do about it, in a sentence.
    public var description: String {
        switch self {
        case .unconfigured: "the characteristic's service is not added to a peripheral manager: add it first"
        case .notSerializable: "the value cannot be turned into bytes"
        case .notifyNotSupported: "the characteristic neither notifies nor indicates: check its properties"
        case .valueTooLong(let count, let maximum): "\(count) bytes are too many: a value has \(maximum) at most"
        case .notSubscribed: "the central is not subscribed to the characteristic"
        case .unsupported: "the platform does not tell subscribers apart: update all of them"
        case .cancelled: "the task was cancelled"
        case .disconnected: "the central is disconnected"
        case .poweredOff: "Bluetooth is off: switch it on"
        case .invalidated: "the manager is gone: keep a reference to it, or create a new one"
        case .att(let error): "the central answered: \(error)"
        case .backend(let failure): failure.description
        }
    }
}
