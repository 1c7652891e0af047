// SPDX-License-Identifier: MIT

/// The outcome of a call, as the metrics count it.
enum MeteredOutcome {
    case success
    /// The app or the peer ended the connection in order during the call, which is not a failure.
    case ended
    case failed(ErrorReason)

    /// Creates the outcome of an attempt to connect. An attempt that the app ended is not a failure.
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
