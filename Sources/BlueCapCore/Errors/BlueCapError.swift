// SPDX-License-Identifier: MIT

/// A protocol that every error of the package conforms to.
///
/// A `catch` that receives `any Error` can cast to it.
public protocol BlueCapError: Error, Sendable, CustomStringConvertible {
    /// The explanation of the error: its reason, its message and its advice.
    var explanation: ErrorExplanation { get }
}

extension BlueCapError {
    /// The reason of the error, from the reasons that all layers share.
    public var reason: ErrorReason { explanation.reason }

    /// The description of the failure, as a clause in lower case.
    public var message: String { explanation.message }

    /// The advice to the reader, as a clause in lower case; nil if nothing helps.
    public var advice: String? { explanation.advice }

    /// The message and the advice, as one sentence.
    public var description: String { explanation.description }

    /// A Boolean value that is true if the same call may succeed when it is repeated.
    ///
    /// It is true for a timeout, for a lost link (connect again first), and for a failure that the platform itself
    /// calls transient.
    public var isTransient: Bool {
        switch reason {
        case .timeout, .disconnected, .pairing(.timeout): true
        case .backend(let failure): failure.isTransient
        default: false
        }
    }
}
