// SPDX-License-Identifier: MIT

#if ESPHome
import Crypto

/// The handshake of a connection: one message of each side, by which both know that the other one has the key.
package struct NoiseHandshake: Sendable {
    /// The two directions of a side.
    package struct Transport: Sendable {
        package var sending: NoiseCipher
        package var receiving: NoiseCipher
    }

    private static let publicKeyByteCount = 32

    private(set) var state: NoiseState
    private let own: Curve25519.KeyAgreement.PrivateKey
    private let key: NoiseKey

    /// - Parameters:
    ///   - key: The key that both sides have.
    ///   - hello: The contents of the client's first frame; usually none.
    ///   - own: 32 random bytes; nil for new ones.
    package init(_ key: NoiseKey, hello: [UInt8] = [], own: [UInt8]? = nil) {
        state = NoiseState(prologue: Array("NoiseAPIInit".utf8) + Frame.bigEndian(hello.count) + hello)
        self.key = key
        self.own = own.flatMap { try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0) } ?? .init()
    }

    // MARK: The initiator

    /// The first message.
    package mutating func begin() throws(WireError) -> [UInt8] {
        state.mixKeyAndHash(key.bytes)
        return try writeOwn()
    }

    /// Takes the answer.
    package mutating func finish(_ answer: [UInt8]) throws(WireError) -> Transport {
        try read(answer, isAnswer: true)
        let (first, second) = state.split()
        return Transport(sending: first, receiving: second)
    }

    // MARK: The responder

    /// Takes the first message.
    ///
    /// - Returns: The answer, and the directions from then on.
    /// - Throws: `.undecipherable` for a message of another key.
    package mutating func answer(_ message: [UInt8]) throws(WireError) -> (answer: [UInt8], Transport) {
        state.mixKeyAndHash(key.bytes)
        let theirs = try read(message, isAnswer: false)
        let answer = try writeOwn(theirs)
        let (first, second) = state.split()
        return (answer, Transport(sending: second, receiving: first))
    }

    // MARK: Both

    /// Writes the public key, and a tag that shows the secrets so far: with the other side's key that of both, too.
    private mutating func writeOwn(_ theirs: [UInt8]? = nil) throws(WireError) -> [UInt8] {
        let bytes = Array(own.publicKey.rawRepresentation)
        mix(bytes)
        if let theirs { state.mixKey(try secret(theirs)) }
        return bytes + (try state.seal([]))
    }

    @discardableResult
    private mutating func read(_ message: [UInt8], isAnswer: Bool) throws(WireError) -> [UInt8] {
        guard message.count >= Self.publicKeyByteCount else { throw .malformed }
        let theirs = Array(message.prefix(Self.publicKeyByteCount))
        mix(theirs)
        if isAnswer { state.mixKey(try secret(theirs)) }
        _ = try state.open(Array(message.dropFirst(Self.publicKeyByteCount)))
        return theirs
    }

    /// A public key goes into the keys as well, as the handshake begins with a shared one.
    private mutating func mix(_ publicKey: [UInt8]) {
        state.mixHash(publicKey)
        state.mixKey(publicKey)
    }

    private func secret(_ theirs: [UInt8]) throws(WireError) -> [UInt8] {
        guard let theirs = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: theirs),
            let secret = try? own.sharedSecretFromKeyAgreement(with: theirs)
        else { throw .undecipherable }
        return unsafe secret.withUnsafeBytes { unsafe Array($0) }
    }
}
#endif
