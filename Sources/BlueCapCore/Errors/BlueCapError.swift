// SPDX-License-Identifier: MIT

/// The protocol of all errors of the package. A `catch` that sees `any Error` can decide by it.
public protocol BlueCapError: Error, Sendable, CustomStringConvertible {
    /// The kind of reason, what went wrong and what to do about it.
    var explanation: ErrorExplanation { get }
}

extension BlueCapError {
    /// The kind of reason, the same over all layers.
    public var reason: ErrorReason { explanation.reason }

    /// What went wrong, as a clause in lower case.
    public var message: String { explanation.message }

    /// What to do about it, as a clause in lower case; nil where nothing helps.
    public var advice: String? { explanation.advice }

    /// What went wrong and what to do about it, in a sentence.
    public var description: String { explanation.description }

    /// Whether the same call may well succeed when it is repeated (after connecting again, where the link was lost):
    /// true for a timeout, for a lost link, and for what the platform itself calls transient.
    public var isTransient: Bool {
        switch reason {
        case .timeout, .disconnected, .pairing(.timeout): true
        case .backend(let failure): failure.isTransient
        default: false
        }
    }
}
