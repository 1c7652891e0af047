// SPDX-License-Identifier: MIT

public import BlueCapCore

/// How a peer pairs.
public struct PeerPairing: Sendable, Hashable {
    /// What it can show and take. Worlds need to know `PairingCapability.noInputNoOutput` and
    /// `PairingCapability.displayYesNo` only.
    public var capability: PairingCapability
    /// Whether it pairs at all.
    public var accepts: Bool

    /// A way to pair; Just Works with everybody unless told otherwise.
    public init(capability: PairingCapability = .noInputNoOutput, accepts: Bool = true) {
        self.capability = capability
        self.accepts = accepts
    }
}
