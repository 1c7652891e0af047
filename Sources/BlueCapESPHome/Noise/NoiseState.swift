// SPDX-License-Identifier: MIT

#if ESPHome
import Crypto

/// The symmetric half of a handshake by the Noise protocol framework: a hash of all that was said, and keys from all
/// secrets (The Noise Protocol Framework, 5.2).
struct NoiseState {
    /// The protocol's name; it is longer than a hash, so its hash stands for it.
    private static let name = "Noise_NNpsk0_25519_ChaChaPoly_SHA256"

    private(set) var hash: [UInt8]
    private(set) var chainingKey: [UInt8]
    /// Nil until there is a secret.
    private(set) var cipher: NoiseCipher?

    init(prologue: [UInt8]) {
        hash = Array(SHA256.hash(data: Array(Self.name.utf8)))
        chainingKey = hash
        mixHash(prologue)
    }

    mutating func mixHash(_ bytes: [UInt8]) { hash = Array(SHA256.hash(data: hash + bytes)) }

    mutating func mixKey(_ secret: [UInt8]) {
        let outputs = Self.derive(chainingKey, secret, count: 2)
        (chainingKey, cipher) = (outputs[0], NoiseCipher(outputs[1]))
    }

    mutating func mixKeyAndHash(_ secret: [UInt8]) {
        let outputs = Self.derive(chainingKey, secret, count: 3)
        chainingKey = outputs[0]
        mixHash(outputs[1])
        cipher = NoiseCipher(outputs[2])
    }

    /// The encrypted bytes, which the hash takes up.
    mutating func seal(_ bytes: [UInt8]) throws(WireError) -> [UInt8] {
        guard let sealed = try cipher?.seal(bytes, authenticating: hash) else { throw .undecipherable }
        mixHash(sealed)
        return sealed
    }

    mutating func open(_ sealed: [UInt8]) throws(WireError) -> [UInt8] {
        guard let bytes = try cipher?.open(sealed[...], authenticating: hash) else { throw .undecipherable }
        mixHash(sealed)
        return bytes
    }

    /// The ciphers of the two directions, that of the initiator first.
    func split() -> (NoiseCipher, NoiseCipher) {
        let keys = Self.derive(chainingKey, [], count: 2)
        return (NoiseCipher(keys[0]), NoiseCipher(keys[1]))
    }

    private static func derive(_ key: [UInt8], _ secret: [UInt8], count: UInt8) -> [[UInt8]] {
        func code(_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
            Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
        }
        let temporary = code(key, secret)
        var outputs: [[UInt8]] = []
        for number in 1...count { outputs.append(code(temporary, (outputs.last ?? []) + [number])) }
        return outputs
    }
}
#endif
