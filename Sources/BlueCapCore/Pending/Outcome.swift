// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// What became of a request, seen from its caller.
enum Outcome: Sendable {
    /// The backend answered.
    case reply(CentralReply)
    /// The backend, the link or the radio failed.
    case failed(OperationFailure)
    /// The caller's timeout passed.
    case timedOut
    /// The caller's task was cancelled.
    case cancelled
    /// The manager was invalidated.
    case invalidated
    /// The peer took away what the request was for, which has this UUID.
    case gone(BluetoothUUID)
}

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

    /// The error of a request that did not get the reply it was for; `timeout` is what the layer calls its timeout.
    init(_ outcome: Outcome, timeout: Self) {
        switch outcome {
        case .failed(let failure): self.init(failure)
        case .timedOut: self = timeout
        case .cancelled: self = .cancelled
        case .invalidated: self = .invalidated
        case .gone(let uuid): self = .gone(uuid)
        case .reply(let reply): self = .backend(.unexpected(reply))
        }
    }
}

extension RadioError {
    /// The error of a request that did not get the reply it was for, of those without a timeout of their own.
    init(_ outcome: Outcome) { self.init(outcome, timeout: .cancelled) }
}

extension BackendFailure {
    /// A failure to pair where an operation of another kind was asked for.
    static func unpaired(_ failure: PairingFailure) -> BackendFailure {
        BackendFailure(name: "BlueCap.PairingFailed", message: failure.description)
    }

    /// A backend's reply that does not fit its request.
    static func unexpected(_ reply: CentralReply) -> BackendFailure {
        BackendFailure(name: "BlueCap.UnexpectedReply", message: "the backend answered \(reply)")
    }
}
