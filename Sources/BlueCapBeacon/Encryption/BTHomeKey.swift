// SPDX-License-Identifier: MIT

#if Crypto
public import BlueCapSerDe
import Crypto

/// The bind key of a sensor, which encrypts its frames and shows that they are its own.
///
/// Its bytes are printed by no description. When the last copy of the key is gone, they are overwritten in its memory;
/// the bytes from which it was made are the program's own.
public struct BTHomeKey: Sendable {
    private let key: SymmetricKey
    private let isShort: Bool
    private var cipher: AESCCM { AESCCM(key: key, tagByteCount: Self.tagByteCount) }

    /// Creates a key of its 16 bytes, as in `BTHomeKey(try Bytes(hex: text))`, or of the 12 bytes that older devices of
    /// other formats have; nil for another number of bytes.
    public init?(_ bytes: Bytes) {
        isShort = bytes.count == 12
        let bytes = isShort ? SensorFormats.filledKey(bytes) : bytes
        guard bytes.count == 16 else { return nil }
        key = SymmetricKey(data: Array(bytes))
    }

    /// A number by which a key is known again, and from which it does not follow.
    package static func fingerprint(of bytes: Bytes) -> UInt64 {
        SHA256.hash(data: Array(bytes)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    static let counterByteCount = 4
    static let tagByteCount = 4

    /// The encrypted bytes, the counter and the tag; nil for more bytes than any frame has.
    func seal(_ body: Bytes, information: UInt8, address: Bytes, counter: UInt32) -> Bytes? {
        let nonce = Self.nonce(information, address, counter)
        guard let sealed = cipher.seal(body, nonce: nonce) else { return nil }
        return Bytes(sealed.dropLast(Self.tagByteCount)) + Self.bytes(counter) + sealed.suffix(Self.tagByteCount)
    }

    /// The decrypted bytes; nil if the tag is not that of this key, address and counter, or the bytes are changed.
    func open(_ sealed: Bytes, information: UInt8, address: Bytes, counter: UInt32) -> Bytes? {
        let message = Bytes(sealed.dropLast(Self.counterByteCount + Self.tagByteCount))
        return cipher.open(
            message + sealed.suffix(Self.tagByteCount), nonce: Self.nonce(information, address, counter))
    }

    /// The decrypted bytes of another format; nil if the tag is not that of this key and address, or they are changed.
    func open(_ frame: SealedFrame, address: Bytes) -> Bytes? {
        cipher(of: frame.parts)?.open(
            frame.parts.body + frame.parts.tag, nonce: frame.nonce(address: address), header: frame.parts.header)
    }

    /// The body of a frame of another format, which is still clear, encrypted, and its tag.
    func seal(_ frame: SealedFrame, address: Bytes) -> Bytes? {
        cipher(of: frame.parts)?.seal(
            frame.parts.body, nonce: frame.nonce(address: address), header: frame.parts.header)
    }

    /// The cipher of a frame; nil where it demands a key of 12 bytes, and this is none.
    private func cipher(of parts: SealedFrame.Parts) -> AESCCM? {
        if parts.needsShortKey, !isShort { return nil }
        return AESCCM(key: key, tagByteCount: parts.tagByteCount, sentByteCount: parts.tag.count)
    }

    /// The counter in the body of an encrypted frame; nil if the body is too short.
    static func counter(in body: Bytes) -> UInt32? {
        guard body.count >= counterByteCount + tagByteCount else { return nil }
        return body.dropLast(tagByteCount).suffix(counterByteCount).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func nonce(_ information: UInt8, _ address: Bytes, _ counter: UInt32) -> Bytes {
        // The UUID FCD2, as it is sent.
        address + Bytes([0xD2, 0xFC, information]) + bytes(counter)
    }

    private static func bytes(_ counter: UInt32) -> Bytes { SerDe.serialize(counter) }
}

extension BTHomeKey: CustomStringConvertible, CustomReflectable {
    /// Says that it is a key, and not which.
    public var description: String { "BTHomeKey" }

    /// A mirror without the bytes.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
