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

extension PeerPairing: Codable {
    private enum Key: String, CodingKey { case capability, accepts }

    /// Reads the test bed's form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(accepts: try container.decodeIfPresent(Bool.self, forKey: .accepts) ?? true)
        guard let name = try container.decodeIfPresent(String.self, forKey: .capability) else { return }
        guard let capability = PairingCapability.allCases.first(where: { "\($0)" == name }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .capability, in: container, debugDescription: "there is no capability \(name)")
        }
        self.capability = capability
    }

    /// Writes the test bed's form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("\(capability)", forKey: .capability)
        try container.encode(accepts, forKey: .accepts)
    }
}
