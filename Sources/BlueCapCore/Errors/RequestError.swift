// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The cases that the errors of all layers have in common, for the failures of any request.
protocol RequestError: Error {
    static var disconnected: Self { get }
    static var poweredOff: Self { get }
    static var unsupported: Self { get }
    /// The error if the platform has no RSSI of the connection; `unsupported` if the type has no case for it.
    static var noRSSI: Self { get }
    /// The error for an unsupported option of an advertisement; `unsupported` if the type has no case for it.
    static func noAdvertisingOption(_ option: AdvertisingOption) -> Self
    /// The error for a value that the link cannot take; a `backend` failure if the type has no case for it.
    static func tooLong(count: Int, maximum: Int) -> Self
    static var cancelled: Self { get }
    static var invalidated: Self { get }
    static func att(_ error: ATTError) -> Self
    /// The error for a failed pairing; a `backend` failure if the type has no case for it.
    static func unpaired(_ failure: PairingFailure) -> Self
    static func backend(_ failure: BackendFailure) -> Self
    /// The error if the requested attribute is not in the peer's database; `unsupported` if the type has no case for
    /// it.
    static func gone(_ uuid: BluetoothUUID) -> Self
}

extension RequestError {
    static var noRSSI: Self { unsupported }

    static func noAdvertisingOption(_ option: AdvertisingOption) -> Self { unsupported }

    static func tooLong(count: Int, maximum: Int) -> Self { .backend(.valueTooLong(count: count)) }

    static func unpaired(_ failure: PairingFailure) -> Self { .backend(.unpaired(failure)) }

    static func gone(_ uuid: BluetoothUUID) -> Self { unsupported }

    init(_ failure: OperationFailure) {
        switch failure {
        case .att(let error): self = .att(error)
        case .disconnected: self = .disconnected
        case .poweredOff: self = .poweredOff
        case .unsupported: self = .unsupported
        case .rssiUnavailable: self = .noRSSI
        case .valueTooLong(let count, let maximum): self = .tooLong(count: count, maximum: maximum)
        case .advertisingOption(let option): self = .noAdvertisingOption(option)
        case .pairing(let failure): self = .unpaired(failure)
        case .backend(let failure): self = .backend(failure)
        }
    }
}

extension BackendFailure {
    /// A failed pairing as the failure of an operation of another kind.
    static func unpaired(_ failure: PairingFailure) -> BackendFailure {
        BackendFailure(name: "BlueCap.PairingFailed", message: failure.description)
    }
}

/// The cases that the errors of both managers have in common.
protocol RadioError: RequestError {
    static var powerOnTimeout: Self { get }
    static var unsupported: Self { get }
    static var unauthorized: Self { get }
}
