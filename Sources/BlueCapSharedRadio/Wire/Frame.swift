// SPDX-License-Identifier: MIT

package import BlueCapCore

/// The frames of a shared radio's connection: four bytes of length, little-endian, and a message as its fields stand in
/// journals.
package enum Frame {
    /// The most bytes of a message. The discovery of a database of 60,000 attributes, the largest, needs as many.
    package static let maximumByteCount = 1 << 21

    /// The message without its length; nil where it would be too long.
    package static func encode(_ message: some JournalCodable) -> [UInt8]? {
        var encoder = JournalEncoder()
        encoder.put(message)
        return encoder.bytes.count <= maximumByteCount ? encoder.bytes : nil
    }

    /// The message of a frame, which has to end where the message does.
    package static func decode<Message: JournalCodable>(
        _ type: Message.Type = Message.self, from frame: [UInt8]
    ) throws(JournalFailure) -> Message {
        var decoder = JournalDecoder(frame)
        let message = try Message(from: &decoder)
        guard decoder.remaining == 0 else { throw .corrupt }
        return message
    }
}

/// Cuts a stream into frames. It holds one unfinished frame at the most.
package struct FrameSplitter {
    private var waiting: [UInt8] = []
    /// Where the first frame that was not taken begins.
    private var start = 0

    package init() {}

    package mutating func append(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            waiting.removeSubrange(..<start)
            start = 0
        }
        waiting += bytes
    }

    /// The next whole frame; nil where it is not there yet.
    ///
    /// - Throws: `.corrupt` for a length beyond ``Frame/maximumByteCount``.
    package mutating func next() throws(JournalFailure) -> [UInt8]? {
        guard waiting.count - start >= 4 else { return nil }
        let length = (0..<4).reduce(UInt32(0)) { $0 | UInt32(waiting[start + $1]) << UInt32(8 * $1) }
        guard length <= UInt32(Frame.maximumByteCount) else { throw .corrupt }
        // WIDTH: at most `maximumByteCount`.
        let end = start + 4 + Int(length)
        guard waiting.count >= end else { return nil }
        defer { start = end }
        return Array(waiting[start + 4..<end])
    }
}
