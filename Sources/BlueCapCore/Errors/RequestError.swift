// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The cases that the errors of all layers have in common, for what can become of any request.
protocol RequestError: Error {
    static var disconnected: Self { get }
    static var poweredOff: Self { get }
    static var unsupported: Self { get }
    /// Where the platform has no RSSI of the connection; `unsupported` where an error has no case for it.
    static var noRSSI: Self { get }
    /// What of an advertisement cannot be had; `unsupported` where an error has no case for it.
    static func noAdvertisingOption(_ option: AdvertisingOption) -> Self
    static var cancelled: Self { get }
    static var invalidated: Self { get }
    static func att(_ error: ATTError) -> Self
    /// Why a pairing failed; a `backend` failure where an error has no case for it.
    static func unpaired(_ failure: PairingFailure) -> Self
    static func backend(_ failure: BackendFailure) -> Self
    /// What the request was for is not in the peer's database; `unsupported` where an error has no case for it.
    static func gone(_ uuid: BluetoothUUID) -> Self
}

extension RequestError {
    static var noRSSI: Self { unsupported }

    static func noAdvertisingOption(_ option: AdvertisingOption) -> Self { unsupported }

    static func unpaired(_ failure: PairingFailure) -> Self { .backend(.unpaired(failure)) }

    static func gone(_ uuid: BluetoothUUID) -> Self { unsupported }

    init(_ failure: OperationFailure) {
        switch failure {
        case .att(let error): self = .att(error)
        case .disconnected: self = .disconnected
        case .poweredOff: self = .poweredOff
        case .unsupported: self = .unsupported
        case .rssiUnavailable: self = .noRSSI
        case .advertisingOption(let option): self = .noAdvertisingOption(option)
        case .pairing(let failure): self = .unpaired(failure)
        case .backend(let failure): self = .backend(failure)
        }
    }
}

extension BackendFailure {
    /// A failure to pair where an operation of another kind was asked for.
    static func unpaired(_ failure: PairingFailure) -> BackendFailure {
        BackendFailure(name: "BlueCap.PairingFailed", message: failure.description)
    }
}
