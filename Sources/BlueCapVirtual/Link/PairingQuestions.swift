// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// The questions of pairing to the app behind a role, and the passkeys shown by it.
final class PairingQuestions {
    private struct Question {
        let peer: PeerIdentifier
        /// Nil for a passkey that is only shown.
        let answer: ((PairingAnswer) -> Void)?
    }

    /// The capability of that app; nil where there is none that answers.
    private(set) var capability: PairingCapability?
    private var open: OrderedTable<PairingPromptID, Question> = [:]
    private var last: UInt64 = 0
    private let asked: (PairingPrompt) -> Void
    private let ended: (PairingPromptID) -> Void

    init(asked: @escaping (PairingPrompt) -> Void, ended: @escaping (PairingPromptID) -> Void) {
        self.asked = asked
        self.ended = ended
    }

    func set(_ capability: PairingCapability?) {
        self.capability = capability
        guard capability == nil else { return }
        let left = open.values
        open = [:]
        for question in left { question.answer?(.reject) }
    }

    /// Asks; no app, no pairing.
    func ask(
        about peer: PeerIdentifier, _ kind: PairingRequest.Kind, _ answer: @escaping (PairingAnswer) -> Void
    ) {
        guard capability != nil else { return answer(.reject) }
        put(kind, Question(peer: peer, answer: answer))
    }

    /// Shows a passkey until ``end(about:)``.
    func show(_ passkey: UInt32, to peer: PeerIdentifier) {
        put(.displayPasskey(passkey), Question(peer: peer, answer: nil))
    }

    private func put(_ kind: PairingRequest.Kind, _ question: Question) {
        last += 1
        let id = PairingPromptID(rawValue: last)
        open[id] = question
        asked(PairingPrompt(id: id, peer: question.peer, kind: kind))
    }

    func answer(_ id: PairingPromptID, _ answer: PairingAnswer) {
        guard let pass = open[id]?.answer else { return }
        open[id] = nil
        pass(answer)
    }

    /// The questions and passkeys about a peer are over.
    func end(about peer: PeerIdentifier) {
        for id in open.keys where open[id]?.peer == peer {
            open[id] = nil
            ended(id)
        }
    }
}
