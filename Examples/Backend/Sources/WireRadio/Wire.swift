// SPDX-License-Identifier: MIT

import BlueCapCore
import Dispatch
import Foundation
import Synchronization

/// A stream socket on which messages go to and fro. Everything happens on one dispatch queue.
///
/// The other side is untrusted: bytes are read only as fast as they are taken, and a side that does not read ends the
/// wire.
public final class Wire: Sendable {
    /// The largest number of bytes that may wait for the other side to read them.
    private static let maximumUnsentCount = 1 << 22

    private let channel: DispatchIO
    private let queue: DispatchQueue
    private let receive: @Sendable ([UInt8]?) -> Void
    private let unsentCount = Atomic(0)

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - socket: A connected stream socket, which the wire closes at its end.
    ///   - queue: Where `receive` is called.
    ///   - receive: Takes the bytes in the order in which they arrive, in pieces of any length; nil, once, when the
    ///     other side or ``close()`` has ended the wire.
    public init(socket: Int32, queue: DispatchQueue, receive: @escaping @Sendable ([UInt8]?) -> Void) {
        // A write to a socket whose other side is gone is an error here, and not the end of the program.
        signal(SIGPIPE, SIG_IGN)
        self.queue = queue
        self.receive = receive
        channel = DispatchIO(type: .stream, fileDescriptor: socket, queue: queue) { _ in Foundation.close(socket) }
        channel.setLimit(lowWater: 1)
        read()
    }

    /// Reads the next piece, and the one after it when this one has been taken, so that bytes wait in the socket and
    /// not in memory.
    private func read() {
        channel.read(offset: 0, length: 1 << 16, queue: queue) { [self] isDone, data, error in
            let bytes = data.map { Array($0) } ?? []
            if !bytes.isEmpty { receive(bytes) }
            guard isDone else { return }
            if bytes.isEmpty || error != 0 { receive(nil) } else { read() }
        }
    }

    /// Sends a message after those before it.
    ///
    /// - Parameters:
    ///   - message: The message to send.
    ///   - whenSent: Called on the queue when the socket has taken all of the message, or is gone.
    public func send(_ message: Message, whenSent: @escaping @Sendable () -> Void = {}) {
        guard var line = try? JSONEncoder().encode(message) else { return whenSent() }
        line.append(UInt8(ascii: "\n"))
        let count = line.count
        if unsentCount.add(count, ordering: .relaxed).newValue > Self.maximumUnsentCount { close() }
        let data = line.withUnsafeBytes { DispatchData(bytes: $0) }
        channel.write(offset: 0, data: data, queue: queue) { [self] isDone, _, _ in
            guard isDone else { return }
            unsentCount.subtract(count, ordering: .relaxed)
            whenSent()
        }
    }

    /// Ends the wire.
    public func close() { channel.close(flags: .stop) }

    /// Returns two sockets that are connected to each other, for both sides in one process.
    ///
    /// - Throws: `POSIXError`, where the process has no file descriptor left.
    public static func makePair() throws -> (Int32, Int32) {
        var sockets: [Int32] = [0, 0]
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        guard socketpair(AF_UNIX, kind, 0, &sockets) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return (sockets[0], sockets[1])
    }
}
