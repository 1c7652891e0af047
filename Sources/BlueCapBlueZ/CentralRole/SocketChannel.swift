// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapSerDe
import BlueCapDBus

/// The socket of one characteristic's `AcquireWrite`, as its characteristic uses it.
final class SocketChannel: WriteChannel {
    private let packets: PacketChannel
    private let maximumLength: Int

    /// - Parameter maximumLength: The most that BlueZ takes in one packet; it would cut or drop a longer one without a
    ///   word.
    init(_ packets: PacketChannel, maximumLength: Int) {
        self.packets = packets
        self.maximumLength = maximumLength
    }

    func send(_ value: Bytes) -> Bool {
        // An empty packet would close the socket.
        guard !value.isEmpty, value.count <= maximumLength else { return false }
        return unsafe value.withUnsafeBuffer { unsafe packets.send($0) }
    }

    func hold() { packets.hold() }

    func release() { packets.release() }
}
#endif
