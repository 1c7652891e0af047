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
    @Test func `passes on what it hears, and connects`() async throws {
        try await ProxyScene.serve { _, port in
            let client = try ProxySocketClient(port: port)
            client.send(HelloRequest())
            #expect(try await client.next(HelloResponse.self)?.name == "cellar")
            client.send(SubscribeAdvertisementsRequest())
            while try await client.next(RawAdvertisementsResponse.self)?.advertisements.contains(where: {
                $0.address == ProxyScene.address
            }) == false {}
            var request = DeviceRequest()
            (request.address, request.kind) = (ProxyScene.address, DeviceRequest.Kind.connectWithoutCache.rawValue)
            client.send(request)
            #expect(try await client.next(DeviceConnectionResponse.self)?.isConnected == true)
            var services = ServicesRequest()
            services.address = ProxyScene.address
            client.send(services)
            #expect(try await client.next(ServicesResponse.self)?.services.count == 3)
            client.send(DisconnectRequest())
            #expect(try await client.next(DisconnectResponse.self) != nil)
            #expect(try await client.next(PingResponse.self) == nil)
        }
    }

    @Test func `gives the reason to a client that it refuses, with bytes still on their way`() async throws {
        try await ProxyScene.serve(key: ProxyScene.key) { _, port in
            let client = try ProxySocketClient(port: port)
            client.send([0, 0, 1] + [UInt8](repeating: 0, count: 20_000))
            var bytes: [UInt8] = []
            while let more = await client.read() { bytes += more }
            #expect(bytes == [1, 0, 19, 1] + Array("Bad indicator byte".utf8))
        }
    }

    @Test func `serves a client beside a hundred that say nothing`() async throws {
        try await ProxyScene.serve { _, port in
            let silent = try (0..<100).map { _ in try ProxySocketClient(port: port) }
            let client = try ProxySocketClient(port: port)
            client.send(HelloRequest())
            #expect(try await client.next(HelloResponse.self) != nil)
            #expect(silent.count == 100)
        }
    }

    @Test func `gives up a client that does not read, and no other one notices`() async throws {
        try await ProxyScene.serve { scene, port in
            let stopped = try ProxySocketClient(port: port)
            stopped.send(HelloRequest())
            // Its answers fill the system's room, and then the proxy's.
            let pings = (0..<1000).flatMap { _ in Frame.clear(DeviceInfoRequest().raw).bytes }
            let client = try ProxySocketClient(port: port)
            client.send(HelloRequest())
            #expect(try await client.next(HelloResponse.self) != nil)
            while await scene.server.counts.refused[.tooSlow] == nil {
                stopped.send(pings)
                client.send(PingRequest())
                #expect(try await client.next(PingResponse.self) != nil)
            }
        }
    }

    @Test func `is not made where its port is taken`() async throws {
        try await ProxyScene.serve { scene, port in
            let error = #expect(throws: LoopError.self) {
                _ = try ProxyListener(scene.server, host: "127.0.0.1", port: port)
            }
            #expect(error?.errno == EADDRINUSE)
        }
    }
}
#endif
