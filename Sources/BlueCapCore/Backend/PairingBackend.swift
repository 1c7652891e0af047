// SPDX-License-Identifier: MIT

/// What both roles' backends do about pairing: they pass the platform's questions on and take the answers back.
///
/// A backend whose platform asks the user by itself does nothing here; such are the defaults. The contract of the others:
///
/// - `.pairingRequested` comes for each question, in the order in which the platform asks, while a capability is set.
/// - A question is answered by ``answerPairing(_:_:)`` at most once. `.pairingRequestEnded` comes for those only that are not
///   answered, when the platform waits no more; no answer follows it. A passkey that is only shown is never answered: its
///   showing ends by that event.
/// - Neither method calls the sink before it has returned, even if a question or a request ends by it.
public protocol PairingBackend: RadioActor {
    /// Has the platform ask this backend's manager, as something that can do `capability`; nil has it ask no more.
    ///
    /// What is open when nil comes is rejected, and ends without an event. The manager changes from one capability to another
    /// only while nothing is open.
    func setPairingCapability(_ capability: PairingCapability?)

    /// Answers a question. One that is over, or needs no answer, is ignored.
    func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer)
}

extension PairingBackend {
    /// The platform asks the user by itself.
    public func setPairingCapability(_ capability: PairingCapability?) {}

    /// There is nothing to answer.
    public func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) {}
}

/// What the app can show and take while pairing; it decides how the two sides pair (Core Specification, Vol 3, Part H,
/// 2.3.5.1).
public enum PairingCapability: Sendable, Hashable, CaseIterable {
    /// It can show a passkey.
    case displayOnly
    /// It can show a passkey and take yes or no.
    case displayYesNo
    /// It can take a passkey.
    case keyboardOnly
    /// It can show a passkey and take one.
    case keyboardDisplay
    /// It can do neither: pairing is Just Works, which nobody can authenticate.
    case noInputNoOutput
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

/// A question of the platform's while pairing.
public struct PairingPrompt: Sendable, Hashable {
    /// The name under which it is answered.
    public var id: PairingPromptID
    /// The device on the other side, in either role.
    public var peer: PeerIdentifier
    /// What is asked.
    public var kind: PairingRequest.Kind

    /// A question.
    public init(id: PairingPromptID, peer: PeerIdentifier, kind: PairingRequest.Kind) {
        self.id = id
        self.peer = peer
        self.kind = kind
    }
}

/// The answer to a ``PairingPrompt``.
public enum PairingAnswer: Sendable, Hashable {
    /// Yes.
    case accept
    /// The passkey that the other side shows, 0 to 999999.
    case passkey(UInt32)
    /// No.
    case reject
}
