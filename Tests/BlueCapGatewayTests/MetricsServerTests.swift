// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCapPlatform
import Testing

@testable import BlueCapGateway

@Suite("A server of metrics", .timeLimit(.minutes(60)))
struct MetricsServerTests {
    private func server(_ text: String = "127.0.0.1:0") throws -> MetricsServer {
        try MetricsServer(MetricsAddress(text: text)) { "page\n" }
    }

    /// A connection to the server, as a descriptor.
    private func client(_ server: MetricsServer) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = server.address.port.bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe systemConnect(descriptor, $0, length)
            }
        }
        try #require(status == 0)
        return descriptor
    }

    private func ask(_ descriptor: Int32) {
        let request = Array("GET /metrics HTTP/1.1\r\n\r\n".utf8)
        _ = unsafe systemWrite(descriptor, request, request.count)
    }

    /// All that comes until the server ends the connection.
    private func answer(_ descriptor: Int32) -> String {
        defer { _ = systemClose(descriptor) }
        var bytes: [UInt8] = []
        while true {
            var count = 0
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, used in
                unsafe count = systemRead(descriptor, buffer.baseAddress, 4096)
                used = max(count, 0)
            }
            if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece
        }
    }

    @Test func `answers a client while others say nothing`() async throws {
        let server = try server()
        server.open()
        let silent = try (0..<8).map { _ in try client(server) }
        let asking = try client(server)
        ask(asking)
        #expect(answer(asking).hasSuffix("\r\n\r\npage\n"))
        await server.stop()
        for descriptor in silent { _ = systemClose(descriptor) }
    }

    @Test func `ends the oldest connection where there are too many`() async throws {
        let server = try server()
        server.open()
        let silent = try (0..<17).map { _ in try client(server) }
        #expect(answer(silent[0]) == "")
        ask(silent[16])
        #expect(answer(silent[16]).hasSuffix("page\n"))
        await server.stop()
        for descriptor in silent[1..<16] { _ = systemClose(descriptor) }
    }

    @Test func `ends its connections when it stops`() async throws {
        let server = try server()
        server.open()
        let silent = try client(server)
        let asking = try client(server)
        ask(asking)
        #expect(answer(asking).hasSuffix("page\n"))
        await server.stop()
        #expect(answer(silent) == "")
    }

    @Test func `is not made where its port is taken`() async throws {
        let first = try server()
        let error = #expect(throws: MetricsServerError.self) { try server("\(first.address)") }
        #expect(error?.isTransient == true)
        #expect(error?.description.contains("another program has that port") == true)
        await first.stop()
    }

    @Test func `is not made at an address of another machine`() throws {
        let error = #expect(throws: MetricsServerError.self) { try server("192.0.2.1:0") }
        #expect(error?.description.contains("it is no address of this machine") == true)
    }
}
#endif
