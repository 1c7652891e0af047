// SPDX-License-Identifier: MIT

#if ESPHome && os(Linux)
import BlueCapLoop
import BlueCapPlatform
import BlueCapRuntime

/// The connection of a client: bytes are sent at once as far as the system takes them, from the proxy's thread, and the
/// rest from the loop.
final class ProxySocket: ProxyChannel {
    private struct Outgoing {
        var isOpen = true
        /// Not taken by the system yet.
        var bytes: [UInt8] = []
    }

    private let descriptor: FileDescriptor
    private let outgoing = Locked(Outgoing())
    /// Called when the loop has something to do for it: from any thread.
    private let needsLoop: @Sendable () -> Void

    init(owning descriptor: consuming FileDescriptor, needsLoop: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        self.needsLoop = needsLoop
    }

    var rawValue: Int32 { descriptor.rawValue }
    var waitingCount: Int { outgoing.withLock { $0.bytes.count } }
    /// Whether the proxy still uses it.
    var isOpen: Bool { outgoing.withLock { $0.isOpen } }

    func send(_ bytes: [UInt8]) {
        let isLeft = outgoing.withLock { outgoing in
            guard outgoing.isOpen else { return false }
            let wasWaiting = !outgoing.bytes.isEmpty
            outgoing.bytes += bytes
            if !wasWaiting { write(&outgoing) }
            return !wasWaiting && !outgoing.bytes.isEmpty
        }
        if isLeft { needsLoop() }
    }

    /// Sends more of the bytes that wait. Loop only.
    func flush() { outgoing.withLock { write(&$0) } }

    func close() {
        let wasOpen = outgoing.withLock { outgoing in
            defer { (outgoing.isOpen, outgoing.bytes) = (false, []) }
            return outgoing.isOpen
        }
        guard wasOpen else { return }
        // The other side reads all that was sent.
        _ = shutdown(descriptor.rawValue, Int32(SHUT_WR))
        needsLoop()
    }

    private func write(_ outgoing: inout Outgoing) {
        let count = unsafe outgoing.bytes.withUnsafeBytes {
            unsafe systemSend(descriptor.rawValue, $0.baseAddress, $0.count)
        }
        // The end of the connection is found by reading.
        if count < 0, ![EAGAIN, EINTR].contains(errno) { outgoing.bytes = [] }
        if count > 0 { outgoing.bytes.removeFirst(count) }
    }
}
#endif
