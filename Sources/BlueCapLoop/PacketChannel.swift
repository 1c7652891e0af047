// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapPlatform
import BlueCapRuntime
import CBlueCapLinux

/// Sends packets to the socket of a `PacketWriter` from any thread, as long as the writer is open and nothing has to
/// wait.
package final class PacketChannel: Sendable {
    private struct State {
        /// The writer's; nil once that is closed.
        var descriptor: Int32?
        var isHeld = false
    }

    private let state: Locked<State>

    init(_ descriptor: Int32) { state = Locked(State(descriptor: descriptor)) }

    /// Sends one packet without waiting. False when it was not sent; the channel is held then.
    package func send(_ packet: UnsafeRawBufferPointer) -> Bool {
        // The lock is held over the call, which does not wait: meanwhile no thread may close the descriptor, or send
        // before a packet that this one finds no room for.
        state.withLock { state in
            guard !state.isHeld, let descriptor = state.descriptor else { return false }
            let bytes = unsafe packet.bindMemory(to: UInt8.self)
            let isSent = unsafe bluecap_send_packet(descriptor, bytes.baseAddress, bytes.count) == 0
            state.isHeld = !isSent
            return isSent
        }
    }

    /// Sends nothing until `release`.
    package func hold() { state.withLock { $0.isHeld = true } }

    package func release() { state.withLock { $0.isHeld = false } }

    /// Sends nothing any more; the descriptor is not used after this.
    func close() { state.withLock { $0.descriptor = nil } }
}
#endif
