// SPDX-License-Identifier: MIT

public import BlueCapCore

/// The behaviour of a peer when a central pairs.
public struct PeerPairing: Sendable, Hashable {
    /// The input and output capability. Worlds need to support `PairingCapability.noInputNoOutput` and
    /// `PairingCapability.displayYesNo` only.
    public var capability: PairingCapability
    /// A Boolean value that is true if the peer pairs at all.
    public var accepts: Bool

    /// Creates a behaviour. The default is Just Works with any central.
    ///
    /// - Parameters:
    ///   - capability: The input and output capability.
    ///   - accepts: Whether the peer pairs at all.
    public init(capability: PairingCapability = .noInputNoOutput, accepts: Bool = true) {
        self.capability = capability
        self.accepts = accepts
    }
}
