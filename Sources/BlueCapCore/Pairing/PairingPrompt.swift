// SPDX-License-Identifier: MIT

/// A question of the platform during pairing.
public struct PairingPrompt: Sendable, Hashable {
    /// The identifier of the prompt, which the answer carries.
    public var id: PairingPromptID
    /// The device on the other side, in either role.
    public var peer: PeerIdentifier
    /// The question, with the passkey if there is one.
    public var kind: PairingRequest.Kind

    /// Creates a question, as a backend reports it.
    ///
    /// - Parameters:
    ///   - id: The identifier that the manager's answer carries; the backend never uses it for another question.
    ///   - peer: The device on the other side, in either role.
    ///   - kind: The question of the platform, with the passkey if there is one.
    public init(id: PairingPromptID, peer: PeerIdentifier, kind: PairingRequest.Kind) {
        self.id = id
        self.peer = peer
        self.kind = kind
    }
}

/// The identifier of a question of the platform during pairing.
///
/// A backend never uses an identifier twice.
public struct PairingPromptID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The number, which the backend chooses.
    public let rawValue: UInt64

    /// Creates an identifier from its number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The number after a `?`.
    public var description: String { "?\(rawValue)" }
}
