// SPDX-License-Identifier: MIT

/// Puts the fragments of L2CAP's basic frames together, for one direction of one link.
///
/// A frame begins with its length and its channel, 16 bits each (Core Specification, Vol 3, Part A, 3.1). At most one
/// frame is kept, and it has less than 64 KiB.
struct L2CAPReassembler: Sendable {
    /// A frame: the channel and the payload.
    struct Frame: Sendable, Hashable {
        var channel: UInt16
        var payload: [UInt8]
    }

    /// The channel of the Attribute Protocol on LE links (Vol 3, Part A, 2.1).
    static let attributeChannel: UInt16 = 4
    /// The channel of signalling on LE links.
    static let signalingChannel: UInt16 = 5
    /// The channel of the Security Manager.
    static let securityChannel: UInt16 = 6

    private var partial: [UInt8] = []
    private var isOpen = false

    /// Whether a frame has begun and not ended.
    var isWaiting: Bool { isOpen }

    /// How many bytes of the frame that has begun are still to come.
    var missing: Int { isOpen ? (Self.size(of: partial) ?? 4) - partial.count : 0 }

    /// Takes the first fragment of a frame; one that was not complete is lost.
    mutating func begin(_ bytes: ArraySlice<UInt8>) -> Frame? {
        partial = Array(bytes)
        isOpen = true
        return complete()
    }

    /// Takes a further fragment; one without a beginning is lost.
    mutating func go(on bytes: ArraySlice<UInt8>) -> Frame? {
        guard isOpen else { return nil }
        partial += bytes
        return complete()
    }

    private mutating func complete() -> Frame? {
        guard let size = Self.size(of: partial), partial.count >= size else { return nil }
        let frame = Frame(
            channel: UInt16(partial[2]) | UInt16(partial[3]) << 8, payload: Array(partial[4..<size]))
        partial = []
        isOpen = false
        return frame
    }

    /// The whole frame's bytes, header included.
    private static func size(of partial: [UInt8]) -> Int? {
        partial.count < 4 ? nil : 4 + Int(UInt16(partial[0]) | UInt16(partial[1]) << 8)
    }
}
