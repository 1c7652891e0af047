// SPDX-License-Identifier: MIT

#if ESPHome && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapPlatform
import BlueCapVirtual
import Foundation
import Testing

@testable import BlueCapESPHome

@Suite("A session of a proxy with the worst clients", .timeLimit(.minutes(60)))
struct ProxySessionTests {
    private static let second = (name: "Second", text: "C0:DE:00:00:00:02", address: 0xC0DE_0000_0002 as UInt64)
    private static let readCount = 1000

    /// A client in a process of its own: it says its first messages, and then sends back whatever comes, so that it is
    /// silent only while it stands still.
    private static func process(port: UInt16, _ messages: [any APIMessage]) throws -> Process {
        let bytes = messages.flatMap { Frame.clear($0.raw).bytes }
        let digits = bytes.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        let script = #"exec 3<>"/dev/tcp/127.0.0.1/$0"; printf "$1" >&3; exec cat <&3 >&3"#
        process.arguments = ["-c", script, "\(port)", digits]
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private func connection(_ address: UInt64) -> DeviceRequest {
        var request = DeviceRequest(address)
        request.kind = DeviceRequest.Kind.connectWithoutCache.rawValue
        return request
    }

    /// A client that listens until it has heard a device.
    private func listener(_ port: UInt16, _ address: UInt64) async throws -> ProxySocketClient {
        let client = try ProxySocketClient(port: port)
        var hello = HelloRequest()
        (hello.majorVersion, hello.minorVersion) = (1, 19)
        client.send(hello)
        client.send(SubscribeAdvertisementsRequest())
        while try #require(try await client.next(RawAdvertisementsResponse.self)).advertisements.allSatisfy({
            $0.address != address
        }) {}
        return client
    }

    /// Waits until so many slots are free.
    private func wait(for free: UInt32, _ client: ProxySocketClient) async throws {
        while try #require(try await client.next(SlotsResponse.self)).free != free {}
    }

    @Test func `serves others as ever, and the process that is stopped loses its link`() async throws {
        let silence = Duration.seconds(10)
        try await ProxyScene.serve(silence: silence) { scene, port in
            scene.radio.add(ProxyScene.device(name: Self.second.name, address: Self.second.text))
            let good = try await listener(port, ProxyScene.address)
            good.send(SubscribeSlotsRequest())
            let process = try Self.process(port: port, [HelloRequest(), connection(ProxyScene.address)])
            defer { kill(process.processIdentifier, SIGKILL) }
            try await wait(for: 2, good)
            let reader = try await listener(port, Self.second.address)
            #expect(try await good.isServed())
            reader.send(connection(Self.second.address))
            #expect(try await reader.next(DeviceConnectionResponse.self)?.isConnected == true)
            #expect(try await good.isServed())
            reader.send(ServicesRequest(Self.second.address))
            var handle: UInt32?
            while handle == nil {
                let services = try #require(try await reader.next(ServicesResponse.self)).services
                handle = services.flatMap(\.characteristics).first { $0.shortUUID == 0x2A19 }?.handle
            }
            let read = ReadRequest(Self.second.address, try #require(handle))

            // A hundred connections that say nothing, a process that stands still, and a thousand reads at once.
            let silent = try (0..<100).map { _ in try ProxySocketClient(port: port) }
            kill(process.processIdentifier, SIGSTOP)
            let stopped = ContinuousClock.now
            reader.send((0..<Self.readCount).flatMap { _ in Frame.clear(read.raw).bytes })
            var (values, errors) = (0, 0)
            while values + errors < Self.readCount {
                switch try #require(try await reader.nextMessage()) {
                case let response as ReadResponse: values += response.data == [97] ? 1 : 0
                case let response as ErrorResponse: errors += response.error == ProxyCode.outOfMemory ? 1 : 0
                default: continue
                }
                reader.send(PingRequest())
                #expect(try await good.isServed())
            }
            #expect(values >= 256)
            reader.send(DisconnectRequest())
            #expect(scene.device.connectionCount == 1 || stopped.duration(to: .now) > silence * 3 / 5)

            try await wait(for: 3, good)
            // It was heard last two fifths of the time before the signal, at the most.
            #expect(stopped.duration(to: .now) >= silence * 3 / 5)
            #expect(scene.device.connectionCount == 0)
            let counts = await scene.server.counts
            // Three of 32 connections have said hello.
            #expect(counts.refused == [.silent: 1, .tooMany: silent.count - 29])
            #expect(counts.droppedAdvertisements == 0)
            kill(process.processIdentifier, SIGCONT)
            process.waitUntilExit()
            #expect(try await good.isServed())
        }
    }
}
#endif
