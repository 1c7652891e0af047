// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// What goes wrong with reading, writing and subscribing to a characteristic or a descriptor.
public enum CharacteristicError: BlueCapError, Hashable {
    /// The value did not come within the time given.
    case readTimeout
    /// The write was not answered within the time given.
    case writeTimeout
    /// Switching notifications on or off was not answered within the time given.
    case notifyTimeout
    /// Descriptors were not discovered within the time given; the connection stays.
    case descriptorDiscoveryTimeout
    /// The value cannot be turned into bytes.
    case notSerializable
    /// The characteristic cannot be read.
    case readNotSupported
    /// The characteristic cannot be written in the way asked.
    case writeNotSupported
    /// The characteristic neither notifies nor indicates.
    case notifyNotSupported
    /// The value is longer than the link, or an attribute (512 bytes), can take.
    case valueTooLong(count: Int, maximum: Int)
    /// The bytes that came are not a value of the declared type.
    case undecodable(SerDeError, Bytes)
    /// The characteristic has no peripheral any more.
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
        case .readTimeout, .writeTimeout, .notifyTimeout, .descriptorDiscoveryTimeout: .timeout
        case .notSerializable, .undecodable: .serialization
        case .readNotSupported, .writeNotSupported, .notifyNotSupported, .unsupported: .unsupported
        case .unconfigured, .valueTooLong: .misuse
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
        case .readTimeout: "no value within the time given"
        case .writeTimeout: "the write was not answered within the time given; it may still have reached the peripheral"
        case .notifyTimeout: "switching notifications was not answered within the time given"
        case .descriptorDiscoveryTimeout: "no descriptors within the time given: the connection stays, try again"
        case .notSerializable: "the value cannot be turned into bytes"
        case .readNotSupported: "the characteristic cannot be read: its properties lack read"
        case .writeNotSupported: "the characteristic cannot be written in this way: check its properties"
        case .notifyNotSupported: "the characteristic neither notifies nor indicates"
        case .valueTooLong(let count, let maximum):
            "\(count) bytes are too many: at most \(maximum) can be sent this way"
        case .undecodable(let error, let bytes): "cannot decode \(bytes): \(error)"
        case .unconfigured: "the characteristic belongs to no peripheral any more: discover again"
        case .unsupported: "the peripheral or the platform does not offer this"
        case .cancelled: "the task was cancelled"
        case .disconnected: "the peripheral is disconnected: connect again"
        case .poweredOff: "Bluetooth is off: switch it on"
        case .invalidated: "the manager is gone: keep a reference to it, or create a new one"
        case .att(let error): "the peripheral answered: \(error)"
        case .backend(let failure): failure.description
        case .notDiscovered(let uuid): "\(uuid) was not discovered: discover it first (again after reconnecting)"
        case .ambiguous(let uuid, let count):
            "\(count) characteristics have the UUID \(uuid): use characteristic(_:in:) with the service"
        }
    }
}

extension CharacteristicError: RequestError {
    static func gone(_ uuid: BluetoothUUID) -> Self { .notDiscovered(uuid) }
}
