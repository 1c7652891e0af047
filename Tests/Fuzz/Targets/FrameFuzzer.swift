// SPDX-License-Identifier: MIT

import BlueCapDBus

/// The bytes of a connection, cut into messages: the messages do not depend on the pieces in which the bytes come.
struct FrameFuzzer {
    func run(_ input: inout FuzzInput) {
        #if BlueZ && os(Linux)
        let seed = input.word()
        let bytes = input.rest()
        let whole = Self.split(bytes) { _ in bytes.count }
        // Pieces of 1 to 64 bytes, or all of one size.
        let sizes = Int(seed & 63) + 1
        let pieces = Self.split(bytes) { seed & 64 == 0 ? sizes : 1 + ($0 &* 31 &+ Int(seed >> 7)) % sizes }
        expect(
            whole.messages == pieces.messages, "\(whole.messages.count) messages, \(pieces.messages.count) in pieces")
        expect(
            whole.error == pieces.error, "\(String(describing: whole.error)), not \(String(describing: pieces.error))")
        let length = whole.messages.reduce(0) { $0 + $1.count }
        expect(whole.messages.joined().elementsEqual(bytes.prefix(length)), "messages of other bytes")
        #endif
    }

    #if BlueZ && os(Linux)
    private static func split(
        _ bytes: [UInt8], size: (Int) -> Int
    ) -> (messages: [[UInt8]], error: DBusError?) {
        var splitter = FrameSplitter()
        var messages: [[UInt8]] = []
        var sent = 0
        do throws(DBusError) {
            while sent < bytes.count {
                let piece = bytes[sent...].prefix(size(sent))
                sent += unsafe splitter.receive { room in
                    let count = min(room.count, piece.count)
                    unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<count]).copyBytes(from: piece.prefix(count))
                    return count
                }
                expect(splitter.bytes.count <= max(FrameSplitter.usualCapacity, 2 * sent), "memory for a claim")
                while let place = try splitter.next() { messages.append(Array(splitter.bytes[place])) }
            }
        } catch {
            return (messages, error)
        }
        return (messages, nil)
    }
    #endif
}
