// SPDX-License-Identifier: MIT

#if ESPHome && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapPlatform
import BlueCapVirtual
import Testing

@testable import BlueCapESPHome

@Suite("A proxy at a socket", .timeLimit(.minutes(60)))
struct ProxyListenerTests {
    /// A client with a socket that waits.
    private struct Client: ~Copyable {
        let descriptor: Int32
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
        mutating func next<Message: APIMessage>(_ type: Message.Type) throws -> Message? {
            while true {
                while let frame = try cutter.next() {
                    guard case .clear(let raw) = frame else { continue }
                    if let message = try APIMessages.decode(raw) as? Message { return message }
                }
                guard let bytes = read() else { return nil }
                cutter.append(bytes)
            }
        }

        /// The bytes that come next; nil at the end.
        func read() -> [UInt8]? {
            var count = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, used in
                unsafe count = systemRead(descriptor, buffer.baseAddress, 4096)
                used = max(count, 0)
            }
            return count > 0 ? bytes : nil
        }
    }

    /// Plays with a proxy on the machine's own time.
    private func serve(key: NoiseKey? = nil, _ body: @escaping @Sendable (ProxyScene, UInt16) async throws -> Void)
        async throws
    {
        let scene = ProxyScene(VirtualRadio(), key: key, slots: 3)
        let listener = try ProxyListener(scene.server, host: "127.0.0.1", port: 0)
        listener.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await scene.server.run() }
            defer { group.cancelAll() }
            try await body(scene, listener.port)
        }
        await listener.stop()
    }

    @Test func `passes on what it hears, and connects`() async throws {
        try await serve { _, port in
            var client = try Client(port: port)
            client.send(HelloRequest())
            #expect(try client.next(HelloResponse.self)?.name == "cellar")
            client.send(SubscribeAdvertisementsRequest())
            while try client.next(RawAdvertisementsResponse.self)?.advertisements.contains(where: {
                $0.address == ProxyScene.address
            }) == false {}
            var request = DeviceRequest()
            (request.address, request.kind) = (ProxyScene.address, DeviceRequest.Kind.connectWithoutCache.rawValue)
            client.send(request)
            #expect(try client.next(DeviceConnectionResponse.self)?.isConnected == true)
            var services = ServicesRequest()
            services.address = ProxyScene.address
            client.send(services)
            #expect(try client.next(ServicesResponse.self)?.services.count == 3)
            client.send(DisconnectRequest())
            #expect(try client.next(DisconnectResponse.self) != nil)
            #expect(try client.next(PingResponse.self) == nil)
        }
    }

    @Test func `gives the reason to a client that it refuses, with bytes still on their way`() async throws {
        try await serve(key: ProxyScene.key) { _, port in
            let client = try Client(port: port)
            client.send([0, 0, 1] + [UInt8](repeating: 0, count: 20_000))
            var bytes: [UInt8] = []
            while let more = client.read() { bytes += more }
            #expect(bytes == [1, 0, 19, 1] + Array("Bad indicator byte".utf8))
        }
    }

    @Test func `serves a client beside a hundred that say nothing`() async throws {
        try await serve { _, port in
            let silent = try (0..<100).map { _ in Held(try Client(port: port)) }
            var client = try Client(port: port)
            client.send(HelloRequest())
            #expect(try client.next(HelloResponse.self) != nil)
            #expect(silent.count == 100)
        }
    }

    private final class Held {
        private let client: Client

        init(_ client: consuming Client) { self.client = client }
    }

    @Test func `gives up a client that does not read, and no other one notices`() async throws {
        try await serve { scene, port in
            let stopped = try Client(port: port)
            stopped.send(HelloRequest())
            // Its answers fill the system's room, and then the proxy's.
            let pings = (0..<1000).flatMap { _ in Frame.clear(DeviceInfoRequest().raw).bytes }
            var client = try Client(port: port)
            client.send(HelloRequest())
            #expect(try client.next(HelloResponse.self) != nil)
            while await scene.server.counts.refused[.tooSlow] == nil {
                stopped.send(pings)
                client.send(PingRequest())
                #expect(try client.next(PingResponse.self) != nil)
            }
        }
    }

    @Test func `is not made where its port is taken`() async throws {
        try await serve { scene, port in
            let error = #expect(throws: LoopError.self) {
                _ = try ProxyListener(scene.server, host: "127.0.0.1", port: port)
            }
            #expect(error?.errno == EADDRINUSE)
        }
    }
}
#endif
