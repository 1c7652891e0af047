// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// What goes wrong with a peripheral manager: its radio, its services, its advertisements.
public enum PeripheralManagerError: BlueCapError, Hashable {
    /// An advertisement is on the air or on its way there.
    case isAdvertising
    /// What was kept to be restored cannot be used; it says why, and where it is.
    case restoreFailed(RestorationFailure)
    /// The advertisement was not off the air within the time given.
    case stopAdvertisingTimeout
    /// The advertisement was not on the air, or not changed, within the time given.
    case startAdvertisingTimeout
    /// The service was not added within the time given; it is taken back.
    case addServiceTimeout
    /// The service was not removed within the time given; it is gone as soon as the platform answers.
    case removeServiceTimeout
    /// The radio was not on within the time given.
    case powerOnTimeout
    /// The advertisement is longer than the platform can send, by so many bytes.
    case advertisementTooLong(excess: Int)
    /// The platform cannot do this of the advertisement, or not with this value; it was not sent.
    case advertisingOptionNotSupported(AdvertisingOption)
    /// The platform can have only one advertisement on the air.
    case severalAdvertisementsNotSupported
    /// There is no such advertisement on the air.
    case notAdvertising
    /// The service, or one of its characteristics, is already added to a manager.
    case alreadyAdded(BluetoothUUID)
    /// A service that the service includes has to be added before it.
    case includedServiceNotAdded(BluetoothUUID)
    /// A service cannot be removed before the one with this UUID, which includes it.
    case includedByService(BluetoothUUID)
    /// It was removed or stopped before it was ready.
    case removed
    /// There is no Bluetooth LE here, or no peripheral role.
    case unsupported
    /// The system refuses this process the use of Bluetooth.
    case unauthorized
    /// The caller's task was cancelled.
    case cancelled
    /// The link was lost.
    case disconnected
    /// The radio is off, or went off.
    case poweredOff
    /// The manager was invalidated or reset.
    case invalidated
    /// The central answered with an ATT error.
    case att(ATTError)
    /// The platform failed, in its own words.
    case backend(BackendFailure)

    /// The kind of reason, the same over all layers.
    public var reason: ErrorReason {
        switch self {
        case .isAdvertising, .restoreFailed, .advertisementTooLong, .notAdvertising, .alreadyAdded,
            .includedServiceNotAdded, .includedByService, .removed:
            .misuse
        case .stopAdvertisingTimeout, .startAdvertisingTimeout, .addServiceTimeout, .removeServiceTimeout,
            .powerOnTimeout:
            .timeout
        case .severalAdvertisementsNotSupported, .advertisingOptionNotSupported, .unsupported, .unauthorized:
            .unsupported
        case .cancelled: .cancelled
        case .disconnected: .disconnected
        case .poweredOff: .poweredOff
        case .invalidated: .invalidated
        case .att(let error): .att(error)
        case .backend(let failure): .backend(failure)
        }
    }

    /// What went wrong and what to do about it, in a sentence.
    public var description: String {
        switch self {
        case .isAdvertising: "an advertisement is already on the air: stop or update it"
        case .restoreFailed(let failure): failure.description
        case .stopAdvertisingTimeout: "the advertisement was not off the air within the time given"
        case .startAdvertisingTimeout: "the advertisement was not on the air within the time given"
        case .addServiceTimeout: "the service was not added within the time given"
        case .removeServiceTimeout: "the service was not removed within the time given"
        case .powerOnTimeout:
            "the radio was not powered on within the time given: check that Bluetooth is on and its service runs"
        case .advertisementTooLong(let excess):
            "the advertisement is \(excess) bytes too long: shorten the name, or advertise fewer or shorter UUIDs"
        case .advertisingOptionNotSupported(let option): option.advice
        case .severalAdvertisementsNotSupported: "the platform sends one advertisement at a time: stop the other first"
        case .notAdvertising: "there is no such advertisement on the air: start it first"
        case .alreadyAdded(let uuid): "\(uuid) is already added: remove its service first, or create another one"
        case .includedServiceNotAdded(let uuid): "the included service \(uuid) is not added: add it first"
        case .includedByService(let uuid): "the service \(uuid) includes it: remove that one first"
        case .removed: "it was removed or stopped before it was ready"
        case .unsupported: "there is no Bluetooth LE adapter here that can be a peripheral"
        case .unauthorized: "this process may not use Bluetooth: grant it the permission"
        case .cancelled: "the task was cancelled"
        case .disconnected: "the central is disconnected"
        case .poweredOff: "Bluetooth is off: switch it on"
        case .invalidated: "the manager was invalidated or reset"
        case .att(let error): "the central answered: \(error)"
        case .backend(let failure): failure.description
        }
    }
}

extension PeripheralManagerError: RadioError {
    static func noAdvertisingOption(_ option: AdvertisingOption) -> Self { .advertisingOptionNotSupported(option) }
}
