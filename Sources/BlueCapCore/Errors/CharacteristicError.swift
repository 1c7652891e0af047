// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// An error of reading, writing or subscribing to a characteristic or a descriptor.
public enum CharacteristicError: BlueCapError, Hashable {
    /// The value did not come within the time given.
    case readTimeout
    /// The write was not answered within the time given.
    case writeTimeout
    /// Switching notifications on or off was not answered within the time given.
    case notifyTimeout
    /// No value was notified within the time given; the connection stays.
    case valueTimeout
    /// Descriptors were not discovered within the time given; the connection stays.
    case descriptorDiscoveryTimeout
    /// The value cannot be turned into bytes.
    case notSerializable
    /// The characteristic cannot be read.
    case readNotSupported
    /// The characteristic does not support the requested kind of write.
    case writeNotSupported
    /// The characteristic neither notifies nor indicates.
    case notifyNotSupported
    /// The value is longer than the link, or an attribute (512 bytes), can take.
    case valueTooLong(count: Int, maximum: Int)
    /// The bytes from the characteristic are not a value of the declared type.
    case undecodable(SerDeError, Bytes, from: BluetoothUUID)
    /// The characteristic no longer belongs to a peripheral.
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
    /// The peripheral has no characteristic with the UUID: everything was discovered where it was searched.
    case missing(BluetoothUUID)
    /// Several attributes have this UUID.
    case ambiguous(BluetoothUUID, count: Int)

    public var explanation: ErrorExplanation {
        switch self {
        case .readTimeout:
            ErrorExplanation(.timeout, "no value came within the time given", advice: "read again, or allow more time")
        case .writeTimeout:
            ErrorExplanation(
                .timeout, "the write was not answered within the time given",
                advice: "it may still have reached the peripheral: read before you write again")
        case .notifyTimeout:
            ErrorExplanation(
                .timeout, "switching notifications was not answered within the time given", advice: "subscribe again")
        case .valueTimeout:
            ErrorExplanation(
                .timeout, "no value was notified within the time given",
                advice: "the connection stays: allow more time, or read the value")
        case .descriptorDiscoveryTimeout:
            ErrorExplanation(
                .timeout, "no descriptors came within the time given", advice: "the connection stays: discover again")
        case .notSerializable: .notSerializable
        case .readNotSupported:
            ErrorExplanation(
                .unsupported, "the characteristic cannot be read",
                advice: "its properties lack read: subscribe, where they have notify or indicate")
        case .writeNotSupported:
            ErrorExplanation(
                .unsupported, "the characteristic cannot be written in this way",
                advice: "check its properties: with writeWithoutResponse alone it takes kind: .withoutResponse, "
                    + "with write alone .withResponse")
        case .notifyNotSupported:
            ErrorExplanation(
                .unsupported, "the characteristic neither notifies nor indicates", advice: "read its value instead")
        case .valueTooLong(let count, let maximum): .valueTooLong(count, maximum: maximum)
        case .undecodable(let error, let bytes, let uuid): .undecodable(bytes, from: uuid, error)
        case .unconfigured:
            ErrorExplanation(
                .misuse, "the characteristic belongs to no peripheral any more",
                advice: "keep a reference to the manager, and call discover() again")
        case .unsupported: .unsupportedByPeer
        case .cancelled: .cancelled
        case .disconnected: .peripheralDisconnected
        case .poweredOff: .poweredOff
        case .invalidated: .managerInvalidated
        case .att(let error): .att(error, from: "peripheral")
        case .backend(let failure): .backend(failure)
        case .notDiscovered(let uuid): .notDiscovered(uuid, call: "discover()")
        case .missing(let uuid): .missing(uuid, "characteristic")
        case .ambiguous(let uuid, let count):
            .ambiguous(
                uuid, count, "characteristics", advice: "use characteristic(_:in:) with the UUID of the service")
        }
    }
}

extension CharacteristicError: RequestError {
    static func gone(_ uuid: BluetoothUUID) -> Self { .notDiscovered(uuid) }
    static func tooLong(count: Int, maximum: Int) -> Self { .valueTooLong(count: count, maximum: maximum) }
}
