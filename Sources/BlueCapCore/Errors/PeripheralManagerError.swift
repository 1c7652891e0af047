// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// An error of a peripheral manager: of its radio, its services or its advertisements.
public enum PeripheralManagerError: BlueCapError, Hashable {
    /// An advertisement is on the air or on its way there.
    case isAdvertising
    /// The kept state cannot be restored; the failure holds the reason and the location of the journal.
    case restoreFailed(RestorationFailure)
    /// The advertisement was not off the air within the time given.
    case stopAdvertisingTimeout
    /// The advertisement was not on the air, or not changed, within the time given.
    case startAdvertisingTimeout
    /// The service was not added within the time given, and is removed again.
    case addServiceTimeout
    /// The service was not removed within the time given; it is removed as soon as the platform answers.
    case removeServiceTimeout
    /// The radio was not on within the time given.
    case powerOnTimeout
    /// The advertisement exceeds the platform's maximum length by this number of bytes.
    case advertisementTooLong(excess: Int)
    /// The platform does not support this option of the advertisement, or not this value; the advertisement was not
    /// sent.
    case advertisingOptionNotSupported(AdvertisingOption)
    /// The platform supports only one advertisement on the air.
    case severalAdvertisementsNotSupported
    /// The platform does not end the links of centrals.
    case disconnectingCentralsNotSupported
    /// The link of the central had not ended within the time given; it ends as soon as the platform has ended it.
    case disconnectCentralTimeout
    /// The advertisement is not on the air.
    case notAdvertising
    /// The service, or one of its characteristics, is already added to a manager.
    case alreadyAdded(BluetoothUUID)
    /// An included service has to be added before the service that includes it.
    case includedServiceNotAdded(BluetoothUUID)
    /// The service cannot be removed before the service with this UUID, which includes it.
    case includedByService(BluetoothUUID)
    /// The service or the advertisement was removed or stopped before it was ready.
    case removed
    /// Bluetooth LE, or its peripheral role, is not available on this machine.
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
    /// The platform failed or refused; the failure holds the platform's name and text for it.
    case backend(BackendFailure)

    public var explanation: ErrorExplanation {
        switch self {
        case .isAdvertising:
            ErrorExplanation(
                .misuse, "an advertisement is already on the air", advice: "call stopAdvertising() first, or update it")
        case .restoreFailed(let failure): .restoration(failure)
        case .stopAdvertisingTimeout:
            ErrorExplanation(.timeout, "the advertisement was not off the air within the time given")
        case .startAdvertisingTimeout:
            ErrorExplanation(
                .timeout, "the advertisement was not on the air within the time given", advice: "start it again")
        case .addServiceTimeout:
            ErrorExplanation(.timeout, "the service was not added within the time given", advice: "add it again")
        case .removeServiceTimeout:
            ErrorExplanation(.timeout, "the service was not removed within the time given")
        case .powerOnTimeout: .powerOnTimeout
        case .advertisementTooLong(let excess):
            ErrorExplanation(
                .misuse, "the advertisement is \(excess) bytes too long",
                advice: "shorten the name, or advertise fewer or shorter UUIDs")
        case .advertisingOptionNotSupported(let option):
            ErrorExplanation(.unsupported, option.message, advice: option.advice)
        case .severalAdvertisementsNotSupported:
            ErrorExplanation(
                .unsupported, "the platform sends one advertisement at a time", advice: "stop the other first")
        case .disconnectingCentralsNotSupported:
            ErrorExplanation(
                .unsupported, "the platform does not let a program end the link of a central",
                advice: "refuse the central's requests, or have the central disconnect")
        case .disconnectCentralTimeout:
            ErrorExplanation(.timeout, "the link of the central had not ended within the time given")
        case .notAdvertising:
            ErrorExplanation(
                .misuse, "there is no such advertisement on the air", advice: "call startAdvertising(_:) first")
        case .alreadyAdded(let uuid):
            ErrorExplanation(
                .misuse, "\(uuid) is already added",
                advice: "call remove(_:) with its service first, or create another one")
        case .includedServiceNotAdded(let uuid):
            ErrorExplanation(
                .misuse, "the included service \(uuid) is not added", advice: "call add(_:) with it first")
        case .includedByService(let uuid):
            ErrorExplanation(
                .misuse, "the service \(uuid) includes it", advice: "call remove(_:) with that service first")
        case .removed: ErrorExplanation(.misuse, "it was removed or stopped before it was ready")
        case .unsupported:
            ErrorExplanation(
                .unsupported, "there is no Bluetooth LE adapter here that can be a peripheral",
                advice: "plug one in, or use a VirtualRadio")
        case .unauthorized: .unauthorized
        case .cancelled: .cancelled
        case .disconnected: .centralDisconnected
        case .poweredOff: .poweredOff
        case .invalidated: .managerInvalidated
        case .att(let error): .att(error, from: "central")
        case .backend(let failure): .backend(failure)
        }
    }
}

extension PeripheralManagerError: RadioError {
    static func noAdvertisingOption(_ option: AdvertisingOption) -> Self { .advertisingOptionNotSupported(option) }
}
