// SPDX-License-Identifier: MIT

/// The reason why two devices did not pair.
///
/// A minor version may add cases: a `switch` outside the package needs a `default`.
public enum PairingFailure: Sendable, Hashable, CustomStringConvertible {
    /// This side refused, or no app on this side accepted.
    ///
    /// A refusal of the other side is ``PairingFailure/failed``, as it cannot be distinguished from other failures.
    case rejected
    /// The app cancelled the pairing (``Peripheral/cancelPairing()``), or the link ended.
    case cancelled
    /// One side did not answer within 30 seconds (Core Specification, Vol 3, Part H, 3.4).
    case timeout
    /// The other side refused, the keys or passkeys did not match, or the sides have no pairing method in common.
    case failed

    /// The description of the failure, as a clause.
    public var message: String {
        switch self {
        case .rejected: "pairing was rejected"
        case .cancelled: "pairing was cancelled, or the link ended"
        case .timeout: "pairing was not answered in time"
        case .failed: "pairing failed, as the digits differ, the other side refused, or one side has lost its keys"
        }
    }

    /// The advice to the reader, as a clause.
    public var advice: String {
        switch self {
        case .rejected:
            "unless the user refused, listen to pairingRequests(capability:), or configure acceptsJustWorks, and accept"
        case .cancelled: "call connect() and pair again"
        case .timeout: "answer each request within 30 seconds, and pair again"
        case .failed: "pair again, or remove the bond on both sides first"
        }
    }

    /// The message, followed by the advice after a colon.
    public var description: String { "\(message): \(advice)" }
}
