// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The encrypted part of a frame, and how it is opened: AES-CCM with a nonce that has the address of the device.
final class SealedFrame: Sendable {
    /// The parts that differ between formats.
    struct Parts: Sendable, Hashable {
        /// The encrypted bytes.
        var body: Bytes
        /// The bytes of the tag that are sent, at least one.
        var tag: Bytes
        /// How many bytes the tag has before it is cut.
        var tagByteCount = 4
        /// The bytes of the nonce before the address and behind it.
        var nonceHead = Bytes()
        var nonceTail = Bytes()
        /// How many bytes of the address, in the reversed order of its text, the nonce has.
        var addressByteCount = 6
        var header: Bytes = [0x11]
        var counter: UInt32
        /// Whether each frame has a greater counter than those before. Otherwise the counters of the last frames alone
        /// are known again.
        var isOrdered = true
        /// Whether a key of 12 bytes alone opens it. A sender could otherwise choose the weaker form for a device that
        /// has a key of 16.
        var needsShortKey = false
    }

    let parts: Parts
    /// The reading in the decrypted bytes; nil if they are none of the format.
    let clear: @Sendable (Bytes) -> SensorReading?

    init(_ parts: Parts, clear: @escaping @Sendable (Bytes) -> SensorReading?) {
        (self.parts, self.clear) = (parts, clear)
    }

    func nonce(address: Bytes) -> Bytes {
        parts.nonceHead + Bytes(address.reversed().prefix(parts.addressByteCount)) + parts.nonceTail
    }
}

extension SealedFrame: Hashable {
    static func == (left: SealedFrame, right: SealedFrame) -> Bool { left.parts == right.parts }

    func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}
