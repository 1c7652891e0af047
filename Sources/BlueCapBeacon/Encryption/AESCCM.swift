// SPDX-License-Identifier: MIT

#if Crypto
import BlueCapSerDe
import Crypto
import CryptoExtras

/// AES in counter mode with a CBC-MAC (RFC 3610) for nonces of 11 to 13 bytes, which leave the rest of 15 for the
/// length of a message.
///
/// swift-crypto has the block cipher alone. The mode encrypts the bytes of a message with a key stream, and a tag of
/// the header and the message with the first block of that stream.
struct AESCCM: Sendable {
    static let nonceByteCounts = 11...13

    private static let blockByteCount = 16
    private let key: SymmetricKey
    private let tagByteCount: Int
    private let sentByteCount: Int

    /// - Parameters:
    ///   - key: 16, 24 or 32 bytes.
    ///   - tagByteCount: An even number from 4 to 16.
    ///   - sentByteCount: How many bytes of the tag are behind a message; nil for all.
    init(key: SymmetricKey, tagByteCount: Int, sentByteCount: Int? = nil) {
        (self.key, self.tagByteCount, self.sentByteCount) = (key, tagByteCount, sentByteCount ?? tagByteCount)
    }

    /// The encrypted message, and the tag behind it; nil for a message or a header that is longer than the format
    /// counts.
    func seal(_ message: Bytes, nonce: Bytes, header: Bytes = Bytes()) -> Bytes? {
        guard let tag = tag(of: message, nonce: nonce, header: header) else { return nil }
        return masked(message, nonce: nonce).map { $0 + tag }
    }

    /// The message in encrypted bytes with a tag behind them; nil if the tag is not that of the key, the nonce, the
    /// header and the message.
    func open(_ sealed: Bytes, nonce: Bytes, header: Bytes = Bytes()) -> Bytes? {
        guard sealed.count >= sentByteCount, Self.nonceByteCounts.contains(nonce.count),
            let message = masked(Bytes(sealed.dropLast(sentByteCount)), nonce: nonce),
            let tag = tag(of: message, nonce: nonce, header: header)
        else { return nil }
        // The time of a comparison that ends at the first difference would tell how many bytes of a guess are right.
        let difference = zip(sealed.suffix(sentByteCount), tag).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        return difference == 0 ? message : nil
    }

    private func tag(of message: Bytes, nonce: Bytes, header: Bytes) -> Bytes? {
        // From there on the length of a header has another form.
        guard Self.nonceByteCounts.contains(nonce.count), message.count <= 0xFFFF, header.count < 0xFF00 else {
            return nil
        }
        let flags = (header.isEmpty ? 0 : 0x40) | UInt8((tagByteCount - 2) / 2) << 3
        var blocks = Self.block(flags, nonce, message.count)
        if !header.isEmpty { blocks += Self.padded(Self.number(header.count) + header) }
        blocks += Self.padded(Array(message))
        var state = [UInt8](repeating: 0, count: Self.blockByteCount)
        for start in stride(from: 0, to: blocks.count, by: Self.blockByteCount) {
            for index in state.indices { state[index] ^= blocks[start + index] }
            guard (try? AES.permute(&state, key: key)) != nil else { return nil }
        }
        return stream(block: 0, nonce: nonce).map { Self.xor(state.prefix(sentByteCount), $0) }
    }

    /// The bytes, each with that of the key stream from its first block on.
    private func masked(_ text: Bytes, nonce: Bytes) -> Bytes? {
        var output = Bytes()
        for (index, start) in stride(from: 0, to: text.count, by: Self.blockByteCount).enumerated() {
            guard let mask = stream(block: index + 1, nonce: nonce) else { return nil }
            output += Self.xor(text.dropFirst(start), mask)
        }
        return output
    }

    private func stream(block: Int, nonce: Bytes) -> [UInt8]? {
        var state = Self.block(0, nonce, block)
        return (try? AES.permute(&state, key: key)).map { state }
    }

    private static func xor(_ bytes: some Sequence<UInt8>, _ mask: [UInt8]) -> Bytes {
        Bytes(zip(bytes, mask).map { $0 ^ $1 })
    }

    /// A block with the number of bytes of the length, less one, in its flags, and a number in its last bytes.
    private static func block(_ flags: UInt8, _ nonce: Bytes, _ number: Int) -> [UInt8] {
        let lengthByteCount = blockByteCount - 1 - nonce.count
        let zeros = [UInt8](repeating: 0, count: lengthByteCount - 2)
        return [flags | UInt8(lengthByteCount - 1)] + nonce + zeros + Self.number(number)
    }

    private static func number(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (blockByteCount - bytes.count % blockByteCount) % blockByteCount)
    }
}
#endif
