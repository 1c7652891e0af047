// SPDX-License-Identifier: MIT

/// A question of the platform's while pairing.
public struct PairingPrompt: Sendable, Hashable {
    /// The name under which it is answered.
    public var id: PairingPromptID
    /// The device on the other side, in either role.
    public var peer: PeerIdentifier
    /// The question, with the passkey where there is one.
    public var kind: PairingRequest.Kind

    /// Creates a question, as a backend reports it.
    ///
    /// - Parameters:
    ///   - id: The name that the manager's answer carries; never used for another question of the backend.
    ///   - peer: The device on the other side, in either role.
    ///   - kind: What the platform asks, with the passkey where there is one.
    public init(id: PairingPromptID, peer: PeerIdentifier, kind: PairingRequest.Kind) {
        self.id = id
        self.peer = peer
        self.kind = kind
    }
}

/// Names one question of the platform's while pairing; never used twice by one backend.
public struct PairingPromptID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The number, given out by the backend.
    public let rawValue: UInt64

    /// A name from its number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The number after a `?`.
    public var description: String { "?\(rawValue)" }
}
