// SPDX-License-Identifier: MIT

import BlueCapCore

// How a virtual peripheral and its user pair.
extension PeripheralNode {
    var pairingCapability: PairingCapability {
        switch pairing {
        case .justWorks, .refused: .noInputNoOutput
        case .comparing: .displayYesNo
        case .showing: .displayOnly
        case .typing: .keyboardOnly
        }
    }

    func answerToPairing(
        by link: VirtualLink, _ kind: PairingRequest.Kind, _ answer: @escaping (PairingAnswer) -> Void
    ) {
        if pairing == .refused { return answer(.reject) }
        switch kind {
        case .enterPasskey:
            passkeyWaiters.append((ObjectIdentifier(link), answer))
            if let passkey = typedPasskey { type(passkey) }
        case .confirm(let passkey):
            showPasskey(passkey, for: link)
            answer(.accept)
        case .displayPasskey, .authorize, .authorizeService: answer(.accept)
        }
    }

    func showPasskey(_ passkey: UInt32, for link: VirtualLink) { facts.withLock { $0.shownPasskey = passkey } }

    /// The user types a passkey, for the link that has waited longest or for the next one.
    func type(_ passkey: UInt32) {
        if passkeyWaiters.isEmpty { return typedPasskey = passkey }
        typedPasskey = nil
        passkeyWaiters.removeFirst().answer(.passkey(passkey))
    }

    func endPairing(by link: VirtualLink) {
        facts.withLock { $0.shownPasskey = nil }
        passkeyWaiters.removeAll { $0.link == ObjectIdentifier(link) }
    }
}
