// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Cuts the bytes of a connection into messages, whatever the pieces in which they come.
///
/// It holds 64 KiB. For a longer message it grows as the message's bytes come, never for a length that is only claimed,
/// and is small again when the message has been taken.
package struct FrameSplitter {
    package static let usualCapacity = 64 * 1024
    /// Less room than this is not worth a system call of its own.
    private static let leastRoom = 4096

    /// The place of the messages that `next` returns.
    package private(set) var bytes = [UInt8](repeating: 0, count: usualCapacity)
    /// The first byte that `next` has not returned yet.
    private var start = 0
    /// After the last byte that came.
    private var end = 0
    /// The length of the message that begins at `start`, as far as it is known.
    private var length: Int?

    package init() {}

    /// Whether every byte that came belongs to a message that `next` has returned.
    package var isEmpty: Bool { start == end }

    /// Has `read` put bytes into free room, which is never empty. `read` gives back how many it put there; anything
    /// below 1 means none. Messages that `next` has returned are gone afterwards.
    package mutating func receive(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        makeRoom()
        let place = end
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe read(UnsafeMutableRawBufferPointer(rebasing: bytes[place...]))
        }
        if count > 0 { end += min(count, bytes.count - place) }
        return count
    }

    /// The place in `bytes` of the next whole message; nil when more must come first. Throws `.malformed` when no
    /// message can begin with the received bytes.
    package mutating func next() throws(DBusError) -> Range<Int>? {
        guard end - start >= FramePrefix.length else { return nil }
        let messageLength: Int
        if let length {
            messageLength = length
        } else {
            messageLength = try FramePrefix(bytes.span.extracting(start..<end)).messageLength
            length = messageLength
        }
        guard end - start >= messageLength else { return nil }
        defer {
            start += messageLength
            length = nil
        }
        return start..<start + messageLength
    }

    private mutating func makeRoom() {
        if isEmpty {
            (start, end) = (0, 0)
            if bytes.count > Self.usualCapacity { bytes = [UInt8](repeating: 0, count: Self.usualCapacity) }
        }
        let needed = length ?? FramePrefix.length
        if start > 0, bytes.count - start < needed || bytes.count - end < Self.leastRoom {
            let waiting = start..<end
            unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[waiting]))
            }
            (start, end) = (0, waiting.count)
        }
        guard end == bytes.count else { return }
        // Full of a message that is longer: by as much again, but not beyond its end.
        let capacity = max(min(needed, 2 * bytes.count), bytes.count + 1)
        var larger = [UInt8](repeating: 0, count: capacity)
        unsafe larger.withUnsafeMutableBytes { larger in
            unsafe bytes.withUnsafeBytes { unsafe larger.copyMemory(from: $0) }
        }
        bytes = larger
    }
}
#endif
