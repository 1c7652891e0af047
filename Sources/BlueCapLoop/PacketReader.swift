// SPDX-License-Identifier: MIT

#if os(Linux)
import CBlueCapLinux

/// Reads the packets of a SEQPACKET socket, such as that of AcquireNotify, on the loop. Loop only.
package final class PacketReader {
    private static let batch = 64
    private static let drainedBatches = 64
    private static let leastRoom = 4

    private let loop: EventLoop
    private let stride: Int
    private var buffer: [UInt8]
    private var lengths = [Int32](repeating: 0, count: PacketReader.batch)
    private var descriptor: FileDescriptor?
    private var watch: WatchID?
    /// How many packets there is room for the next time: twice as many as came the last time, as the kernel is given
    /// each place.
    private var room = PacketReader.leastRoom
    private let onPacket: (ArraySlice<UInt8>) -> Void
    private let onClose: (LoopError?) -> Void

    /// Takes over the descriptor and starts to read. `onPacket` gets every packet of at most `maximumLength` bytes in
    /// order, among the bytes that came together; `onClose` is called once, with nil when the peer has closed, but not
    /// for `close()`. Throws when the descriptor cannot be watched.
    ///
    /// The length is BlueZ's greatest MTU unless it is given: the owner receives every packet of BlueZ's, and decides
    /// which are too long for a value.
    package init(
        _ descriptor: consuming FileDescriptor, on loop: EventLoop, maximumLength: Int = 517,
        onPacket: @escaping (ArraySlice<UInt8>) -> Void, onClose: @escaping (LoopError?) -> Void
    ) throws(LoopError) {
        let raw = descriptor.rawValue
        self.loop = loop
        stride = maximumLength
        buffer = [UInt8](repeating: 0, count: maximumLength * Self.batch)
        self.descriptor = consume descriptor
        self.onPacket = onPacket
        self.onClose = onClose
        watch = try loop.watch(raw, .read) { [self] _ in receive() }
    }

    /// Stops reading until `resume`; packets wait in the kernel, and then at the sender.
    package func pause() {
        loop.preconditionOnLoop()
        // Not merely without interest: a hangup would be reported over and over.
        if let watch { loop.unwatch(watch) }
        watch = nil
    }

    /// Reads on after `pause`.
    package func resume() {
        loop.preconditionOnLoop()
        guard watch == nil, let raw = descriptor?.rawValue else { return }
        do throws(LoopError) {
            watch = try loop.watch(raw, .read) { [self] _ in receive() }
        } catch {
            end(error)
        }
    }

    package var isOpen: Bool { descriptor != nil }

    /// Ends reading and closes the descriptor. Until then, or until the peer closes, the loop keeps this object alive.
    package func close() {
        loop.preconditionOnLoop()
        if let watch { loop.unwatch(watch) }
        watch = nil
        descriptor = nil
    }

    /// Delivers the packets that have arrived already, for an owner that is about to close; does not wait. A sender
    /// that goes on sending meanwhile does not keep it here: packets beyond the capacity of any socket are left.
    package func drain() {
        loop.preconditionOnLoop()
        for _ in 0..<Self.drainedBatches {
            room = Self.batch
            if receive() < Self.batch { return }
        }
    }

    /// How many packets came; less than there was room for when there are no more.
    @discardableResult
    private func receive() -> Int {
        guard let raw = descriptor?.rawValue else { return 0 }
        let count = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            unsafe lengths.withUnsafeMutableBufferPointer { lengths in
                unsafe bluecap_receive_packets(
                    raw, buffer.baseAddress, Int32(stride), Int32(room), lengths.baseAddress)
            }
        }
        if count < 0 {
            end(LoopError(call: "recvmmsg", errno: -count))
            return 0
        }
        room = min(max(2 * Int(count), Self.leastRoom), Self.batch)
        for index in 0..<Int(count) {
            // A handler may have closed this reader. One that pauses still gets the packets that were read already.
            if !isOpen { return 0 }
            let length = Int(lengths[index])
            if length == BLUECAP_ENDED {
                end(nil)
                return 0
            }
            // A longer one was cut.
            guard length >= 0 else { continue }
            onPacket(buffer[index * stride..<index * stride + length])
        }
        return Int(count)
    }

    private func end(_ error: LoopError?) {
        close()
        onClose(error)
    }
}
#endif
