// SPDX-License-Identifier: MIT

#if ESPHome && os(Linux)
import BlueCapLoop
import BlueCapPlatform
import BlueCapVirtual
import Dispatch
import Testing

@testable import BlueCapESPHome

/// A client of a proxy with a socket, in clear text. It waits on a thread that no task needs.
final class ProxySocketClient {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "client of a proxy")
    private var cutter = FrameCutter(.clear)

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe systemConnect(descriptor, $0, length)
            }
        }
        try #require(status == 0)
    }

    deinit { _ = systemClose(descriptor) }

    func send(_ bytes: [UInt8]) { _ = unsafe systemSend(descriptor, bytes, bytes.count) }

    func send(_ message: some APIMessage) { send(Frame.clear(message.raw).bytes) }

    /// The next message of a type; nil at the end of the connection.
    func next<Message: APIMessage>(_ type: Message.Type = Message.self) async throws -> Message? {
        while let message = try await nextMessage() { if let message = message as? Message { return message } }
        return nil
    }

    /// The next message; nil at the end of the connection. The proxy's pings are answered.
    func nextMessage() async throws -> (any APIMessage)? {
        while true {
            while let frame = try cutter.next() {
                guard case .clear(let raw) = frame, let message = try APIMessages.decode(raw) else { continue }
                if message is PingRequest { send(PingResponse()) } else { return message }
            }
            guard let bytes = await read() else { return nil }
            cutter.append(bytes)
        }
    }

    /// The bytes that come next; nil at the end.
    func read() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            queue.async { [descriptor] in continuation.resume(returning: Self.read(descriptor)) }
        }
    }

    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, used in
            unsafe count = systemRead(descriptor, buffer.baseAddress, 4096)
            used = max(count, 0)
        }
        return count > 0 ? bytes : nil
    }

    /// Waits for the answer to a ping: whether one came.
    func isServed() async throws -> Bool {
        send(PingRequest())
        return try await next(PingResponse.self) != nil
    }
}

extension ProxyScene {
    /// Plays with a proxy at a socket, on the machine's own time.
    static func serve(
        key: NoiseKey? = nil, silence: Duration = .seconds(150),
        _ body: @escaping @Sendable (ProxyScene, UInt16) async throws -> Void
    ) async throws {
        let scene = ProxyScene(VirtualRadio(), key: key, slots: 3, silence: silence)
        let listener = try ProxyListener(scene.server, host: "127.0.0.1", port: 0)
        listener.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await scene.server.run() }
            defer { group.cancelAll() }
            try await body(scene, listener.port)
        }
        await listener.stop()
    }
}
#endif
