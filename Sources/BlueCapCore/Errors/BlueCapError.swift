// SPDX-License-Identifier: MIT

/// What all errors of the package share, so that a `do` whose `catch` sees `any Error` can still decide.
public protocol BlueCapError: Error, Sendable, CustomStringConvertible {
    /// The kind of reason, the same over all layers.
    var reason: ErrorReason { get }
    /// Whether the same call may well succeed when it is repeated (after connecting again, where the link was lost).
    var isTransient: Bool { get }
}

extension BlueCapError {
    /// True for a timeout, for a lost link, and for what the platform itself calls transient.
    public var isTransient: Bool {
        switch reason {
        case .timeout, .disconnected, .pairing(.timeout): true
        case .backend(let failure): failure.isTransient
        default: false
        }
    }
}
