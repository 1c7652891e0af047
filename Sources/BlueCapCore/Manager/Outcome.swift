// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The outcome of a request, seen from its caller.
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
    /// The peer took away the attribute of the request, which has this UUID.
    case gone(BluetoothUUID)
}

extension RequestError {
    /// The error of a request that did not get the reply it was for; `timeout` is the layer's own error of a timeout.
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
    /// A backend's reply that does not fit its request.
    static func unexpected(_ reply: CentralReply) -> BackendFailure {
        BackendFailure(name: "BlueCap.UnexpectedReply", message: "the backend answered \(reply)")
    }
}
