// SPDX-License-Identifier: MIT

package import BlueCapCore
import BlueCapSerDe

extension PairingPrompt: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(id.rawValue)
        encoder.put(peer)
        switch kind {
        case .confirm(let passkey):
            encoder.put(UInt8(1))
            encoder.put(passkey)
        case .enterPasskey: encoder.put(UInt8(2))
        case .displayPasskey(let passkey):
            encoder.put(UInt8(3))
            encoder.put(passkey)
        case .authorize: encoder.put(UInt8(4))
        case .authorizeService(let uuid):
            encoder.put(UInt8(5))
            encoder.put(uuid)
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        let (id, peer) = (PairingPromptID(rawValue: try decoder.number()), try decoder.value(PeerIdentifier.self))
        let kind: PairingRequest.Kind
        switch try decoder.number(UInt8.self) {
        case 1: kind = .confirm(passkey: try decoder.passkey())
        case 2: kind = .enterPasskey
        case 3: kind = .displayPasskey(try decoder.passkey())
        case 4: kind = .authorize
        case 5: kind = .authorizeService(try decoder.uuid())
        default: throw .corrupt
        }
        self.init(id: id, peer: peer, kind: kind)
    }
}

extension PairingCapability: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) { encoder.put(self, of: Self.allCases) }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        self = try decoder.choice(of: Self.allCases)
    }
}

extension PairingAnswer: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        switch self {
        case .accept: encoder.put(UInt8(1))
        case .passkey(let passkey):
            encoder.put(UInt8(2))
            encoder.put(passkey)
        case .reject: encoder.put(UInt8(3))
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        switch try decoder.number(UInt8.self) {
        case 1: self = .accept
        case 2: self = .passkey(try decoder.passkey())
        case 3: self = .reject
        default: throw .corrupt
        }
    }
}

extension JournalDecoder {
    /// Six digits.
    fileprivate mutating func passkey() throws(JournalFailure) -> UInt32 {
        let passkey: UInt32 = try number()
        guard passkey <= 999_999 else { throw .corrupt }
        return passkey
    }
}
