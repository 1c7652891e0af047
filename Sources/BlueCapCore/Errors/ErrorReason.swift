// SPDX-License-Identifier: MIT

/// The kinds of reason that errors of every layer share.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum ErrorReason: Sendable, Hashable {
    /// The caller's task was cancelled.
    case cancelled
    /// The call's own timeout passed.
    case timeout
    /// The link was lost, or there was none.
    case disconnected
    /// The radio is off.
    case poweredOff
    /// The manager is gone or was invalidated.
    case invalidated
    /// The peer answered with an ATT error.
    case att(ATTError)
    /// The platform failed or refused.
    case backend(BackendFailure)
    /// The peer or platform does not offer what was asked.
    case unsupported
    /// The peer has responded that it did not do what was asked, with a result of its service.
    case refused
    /// Nothing, or more than one thing, goes by that name.
    case lookup
    /// The two devices did not pair.
    case pairing(PairingFailure)
    /// Bytes that do not decode, or a value that does not encode.
    case serialization
    /// The call does not fit the object's state.
    case misuse
}
