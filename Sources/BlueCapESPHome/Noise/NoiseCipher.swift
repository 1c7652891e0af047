// SPDX-License-Identifier: MIT

#if ESPHome
import Crypto

/// The encryption of one direction: each message counts, and none can be taken twice, left out or changed.
package struct NoiseCipher: Sendable {
    private static let tagByteCount = 16

    private let key: SymmetricKey
    private var count: UInt64 = 0

    init(_ key: [UInt8]) { self.key = SymmetricKey(data: key) }

    package mutating func seal(_ bytes: [UInt8], authenticating data: [UInt8] = []) throws(WireError) -> [UInt8] {
        let nonce = try takeNonce()
        guard let box = try? ChaChaPoly.seal(bytes, using: key, nonce: nonce, authenticating: data) else {
            throw .undecipherable
        }
        return Array(box.ciphertext) + Array(box.tag)
    }

    package mutating func open(
        _ sealed: ArraySlice<UInt8>, authenticating data: [UInt8] = []
    ) throws(WireError) -> [UInt8] {
        let nonce = try takeNonce()
        guard sealed.count >= Self.tagByteCount,
            let box = try? ChaChaPoly.SealedBox(
                nonce: nonce, ciphertext: sealed.dropLast(Self.tagByteCount), tag: sealed.suffix(Self.tagByteCount)),
            let bytes = try? ChaChaPoly.open(box, using: key, authenticating: data)
        else { throw .undecipherable }
        return Array(bytes)
    }

    /// Four zeros and the count, little-endian.
    private mutating func takeNonce() throws(WireError) -> ChaChaPoly.Nonce {
        let bytes = [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * UInt64($0))) }
        // The last count is reserved.
        guard count < .max, let nonce = try? ChaChaPoly.Nonce(data: bytes) else { throw .undecipherable }
        count += 1
        return nonce
    }
}
#endif
