// SPDX-License-Identifier: MIT

/// How a call ended, as the metrics count it.
enum MeteredOutcome {
    case success
    /// The app or the peer ended the connection in order meanwhile: nothing failed.
    case ended
    case failed(ErrorReason)

    /// The outcome of an attempt to connect: one that the app has ended did not fail.
    init(_ result: Result<Void, PeripheralError>) {
        switch result {
        case .success: self = .success
        case .failure(.forcedDisconnect): self = .ended
        case .failure(let error): self = .failed(error.reason)
        }
    }

    /// The dimension `outcome`.
    var meterLabel: String {
        switch self {
        case .success: "success"
        case .ended: "ended"
        case .failed(let reason): reason.meterLabel
        }
    }
}
