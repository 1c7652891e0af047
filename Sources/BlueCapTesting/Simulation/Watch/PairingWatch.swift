// SPDX-License-Identifier: MIT

import BlueCapCore

/// Holds a manager and its backend to the contract between them about pairing (``PairingBackend``), and the manager to
/// its promise that nothing is paired unless the app agrees.
struct PairingWatch {
    private enum Prompt {
        case open(PairingPrompt)
        case answered
        /// The manager ended the question, and an end that was under way may still come.
        case letGo
        case over
    }

    /// The same for all addresses of a device.
    private let identity: @Sendable (PeerIdentifier) -> PeerIdentifier
    private var isAsked = false
    private var prompts: [PairingPromptID: Prompt] = [:]
    /// The peers with which the app agreed to pair on the link that stands.
    private var agreed: Set<PeerIdentifier> = []
    /// The peers that the app asked to pair with, by requests that are not answered.
    private var requests: [RequestID: PeerIdentifier] = [:]
    private var bonded: Set<PeerIdentifier> = []

    init(identity: @escaping @Sendable (PeerIdentifier) -> PeerIdentifier = { $0 }) {
        self.identity = identity
    }

    /// The manager declares its capability, or nil, which ends the open questions.
    ///
    /// - Returns: The broken rule, if any.
    mutating func capabilityWasSet(_ capability: PairingCapability?) -> String? {
        defer { isAsked = capability != nil }
        for (id, prompt) in prompts {
            guard case .open = prompt else { continue }
            if capability == nil {
                prompts[id] = .letGo
            } else if isAsked {
                return "the capability changes while \(id) is open"
            }
        }
        return nil
    }

    /// The app asks for pairing by itself. That counts until the platform has answered, be it after the link's end.
    mutating func appAsked(_ peer: PeerIdentifier, by request: RequestID) { requests[request] = peer }

    /// The platform has answered the app's request. The app's agreement stays valid on the link that stands.
    mutating func answered(_ request: RequestID) {
        if let peer = requests.removeValue(forKey: request) { agreed.insert(peer) }
    }

    mutating func linkEnded(_ peer: PeerIdentifier?) {
        if let peer { agreed.remove(peer) } else { agreed = [] }
    }

    /// - Returns: The rule that the question breaks, if any.
    mutating func requested(_ prompt: PairingPrompt) -> String? {
        defer { prompts[prompt.id] = .open(prompt) }
        // Reading a passkey out to be typed is an agreement.
        if case .displayPasskey = prompt.kind { agreed.insert(prompt.peer) }
        if prompts[prompt.id] != nil { return "pairing asks \(prompt.id) twice" }
        return isAsked ? nil : "pairing asks \(prompt.id) though nobody wants to be asked"
    }

    /// - Returns: The rule that the answer breaks, if any.
    mutating func answered(_ id: PairingPromptID, _ answer: PairingAnswer) -> String? {
        switch prompts[id] {
        case .open(let prompt):
            prompts[id] = .answered
            if answer != .reject { agreed.insert(prompt.peer) }
            if case .displayPasskey = prompt.kind { return "the manager answers \(id), which is only shown" }
            return nil
        // An answer and an end can cross.
        case .letGo, .over: return nil
        case .answered: return "the manager answers \(id) twice"
        case nil: return "the manager answers \(id), which was never asked"
        }
    }

    /// - Returns: The rule that the end breaks, if any.
    mutating func ended(_ id: PairingPromptID) -> String? {
        switch prompts.updateValue(.over, forKey: id) {
        // An answer and an end can cross.
        case .open, .answered, .letGo: nil
        case .over: "pairing says twice that \(id) is over"
        case nil: "pairing says that \(id) is over, which was never asked"
        }
    }

    /// - Returns: The rule that the bond breaks, if any.
    mutating func bondChanged(_ peer: PeerIdentifier, _ isBonded: Bool) -> String? {
        guard isBonded else {
            bonded.remove(identity(peer))
            return nil
        }
        let isNew = bonded.insert(identity(peer)).inserted
        return isNew && !agreed.contains(peer) && !requests.values.contains(peer)
            ? "\(peer) is bonded though the app did not agree" : nil
    }
}
