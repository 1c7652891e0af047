// SPDX-License-Identifier: MIT

import BlueCap

/// A question of pairing to the user, in words, and the user's answers in the form that pairing takes.
struct PairingQuestion: Sendable {
    enum Outcome: Sendable, Hashable {
        case accepted
        case rejected
        /// It was no answer; ask this.
        case again(String)
    }

    let request: PairingRequest

    init(_ request: PairingRequest) { self.request = request }

    /// The question; nil where there is nothing to answer.
    var text: String? {
        let peer = request.peer.text
        return switch request.kind {
        case .displayPasskey: nil
        case .confirm(let passkey): "does \(peer) show \(Self.digits(passkey)), too?"
        case .enterPasskey: "which six digits does \(peer) show?"
        case .authorize: "pair with \(peer)?"
        case .authorizeService(let uuid): "may \(peer) use \(KnownProfiles.service(uuid))?"
        }
    }

    var prompt: String? { request.kind == .enterPasskey ? text : text.map { $0 + " (yes or no)" } }

    var digits: String? {
        switch request.kind {
        case .displayPasskey(let passkey), .confirm(let passkey): Self.digits(passkey)
        default: nil
        }
    }

    func answer(_ text: String) -> Outcome {
        if request.kind == .enterPasskey {
            if let passkey = Self.passkey(text.filter { $0 != " " }), request.accept(passkey: passkey) {
                return .accepted
            }
            return .again("that is not six digits; " + (prompt ?? ""))
        }
        switch text.lowercased().filter({ $0 != " " }) {
        case "y", "yes":
            request.accept()
            return .accepted
        case "n", "no":
            request.reject()
            return .rejected
        default: return .again(prompt ?? "")
        }
    }

    static func passkey(_ digits: String) -> UInt32? {
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt32(digits)
    }

    static func digits(_ passkey: UInt32) -> String {
        let text = String(passkey)
        return String(repeating: "0", count: max(6 - text.count, 0)) + text
    }
}
