// SPDX-License-Identifier: MIT

/// The part of a backend, of either role, that passes the platform's questions about pairing to the manager, and the
/// manager's answers to the platform.
///
/// A backend whose platform asks the user by itself does nothing here; such are the defaults. The contract of the
/// others:
///
/// - `.pairingRequested` comes for each question, in the order in which the platform asks, while a capability is set.
/// - The manager answers a question by ``answerPairing(_:_:)`` at most once. `.pairingRequestEnded` comes for those
///   only that are not answered, when the platform waits no more; no answer follows it. A passkey that is only shown is
///   never answered: its showing ends by that event.
/// - Neither method calls the sink before it has returned, even if a question or a request ends by it.
public protocol PairingBackend: RadioActor {
    /// Has the platform ask this backend's manager, as something that can do `capability`; nil has it ask no more.
    ///
    /// A question that is open when nil comes is rejected, and ends without an event. The manager changes from one
    /// capability to another only while nothing is open.
    func setPairingCapability(_ capability: PairingCapability?)

    /// Answers a question. The backend ignores an answer to a question that is over or needs none.
    ///
    /// - Parameters:
    ///   - prompt: The question's name, from `PairingPrompt/id`.
    ///   - answer: The decision of the app, or of the manager in its place.
    func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer)
}

extension PairingBackend {
    /// Does nothing: the platform asks the user by itself.
    public func setPairingCapability(_ capability: PairingCapability?) {}

    /// Does nothing: a backend that asks no questions gets no answers.
    ///
    /// - Parameters:
    ///   - prompt: Ignored, as no question was asked.
    ///   - answer: Ignored for the same reason.
    public func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) {}
}
