// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCapLoop
import BlueCapPlatform

/// A connection to the server of metrics: it reads one request, answers it and waits for the other side to end.
final class MetricsConnection {
    /// The bytes that a connection takes after its answer, and does not look at: closed at once, it would end by an
    /// error at the other side, which might lose the answer.
    private static let maximumRest = 65_536

    let socket: FileDescriptor
    var watch: WatchID?
    var timer: TimerID?
    private var exchange = MetricsExchange()
    private var answer: ArraySlice<UInt8>?
    private var rest = maximumRest

    init(owning socket: consuming FileDescriptor) { self.socket = socket }

    /// Goes on as far as that is possible without waiting.
    ///
    /// - Parameter page: Makes the page.
    /// - Returns: The event to wait for; nil at the end of the connection.
    func advance(page: () -> String) -> Interest? {
        guard let answer else {
            guard let bytes = read() else { return nil }
            self.answer = exchange.take(bytes, page: page)?[...]
            return self.answer == nil ? .read : write()
        }
        if !answer.isEmpty { return write() }
        guard let bytes = read() else { return nil }
        rest -= bytes.count
        return rest < 0 ? nil : .read
    }

    /// The bytes that are there, perhaps none yet; nil at the end.
    private func read() -> [UInt8]? {
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, used in
            unsafe count = systemRead(socket.rawValue, buffer.baseAddress, 4096)
            used = max(count, 0)
        }
        if count < 0 { return Self.mayGoOn ? [] : nil }
        return count == 0 ? nil : bytes
    }

    private func write() -> Interest? {
        guard let answer else { return nil }
        let count = unsafe answer.withUnsafeBytes {
            unsafe send(socket.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count < 0 { return Self.mayGoOn ? .write : nil }
        self.answer?.removeFirst(count)
        if count < answer.count { return .write }
        shutdown(socket.rawValue, Int32(SHUT_WR))
        return .read
    }

    private static var mayGoOn: Bool { errno == EAGAIN || errno == EINTR }
}
#endif
