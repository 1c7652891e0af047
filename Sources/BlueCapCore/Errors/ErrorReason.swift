// SPDX-License-Identifier: MIT

/// The reason of an error, common to the errors of every layer.
///
/// A minor version may add cases: a `switch` outside the package needs a `default`.
public enum ErrorReason: Sendable, Hashable {
    /// The caller's task was cancelled.
    case cancelled
    /// The call's own timeout passed.
    case timeout
    /// The link was lost, or did not exist.
    case disconnected
    /// The radio is off.
    case poweredOff
    /// The manager was released or invalidated.
    case invalidated
    /// The peer answered with an ATT error.
    case att(ATTError)
    /// The platform failed or refused.
    case backend(BackendFailure)
    /// The peer or the platform does not support the operation.
    case unsupported
    /// The peer did not carry out the request, and responded with a result of its service.
    case refused
    /// No attribute, or more than one, has the requested UUID.
    case lookup
    /// The two devices did not pair.
    case pairing(PairingFailure)
    /// Bytes could not be decoded, or a value could not be encoded.
    case serialization
    /// The call does not fit the object's state.
    case misuse
}
