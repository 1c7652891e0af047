// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapCore
import BlueCapTestExecutor
import BlueCapVirtual
import Testing

@testable import BlueCapESPHome

@Suite("Bad clients of a proxy", .timeLimit(.minutes(60)))
struct ProxyFaultTests {
    /// Whether a client that behaves is served as ever.
    private func expectServed(_ client: ProxyTestClient) async throws {
        #expect(!client.isClosed)
        await client.send(PingRequest())
        _ = try await client.next(PingResponse.self, within: .zero)
    }

    private func expectRefused(_ client: ProxyTestClient, _ scene: ProxyScene, _ fault: ProxyFault) async throws {
        #expect(client.isClosed, "\(fault)")
        #expect(await scene.server.counts.refused[fault] == 1, "\(fault)")
        #expect(scene.events.withLock { $0.last } == .refused(nil, fault))
    }

    @Test func `with another key learn the name and the address, and no more`() async throws {
        try await ProxyScene.run(key: ProxyScene.key) { scene in
            let good = try await scene.opened()
            let client = scene.client(NoiseKey(Array("00000000000000000000000000000000".utf8)))
            await client.open()
            let greeting = [1] + Array("cellar".utf8) + [0] + Array(scene.server.identityDigits.utf8) + [0]
            #expect(client.greetings == [greeting, [1] + Array("Handshake MAC failure".utf8)])
            try await expectRefused(client, scene, .wrongKey)
            try await expectServed(good)
        }
    }

    @Test func `in clear text at a proxy with a key are told so, and the reverse`() async throws {
        try await ProxyScene.run(key: ProxyScene.key) { scene in
            let good = try await scene.opened()
            let client = scene.client(.some(nil))
            await client.open()
            #expect(client.bytes == [1, 0, 19, 1] + Array("Bad indicator byte".utf8))
            try await expectRefused(client, scene, .clearText)
            try await expectServed(good)
        }
        try await ProxyScene.run { scene in
            let good = try await scene.opened()
            let client = scene.client(ProxyScene.key)
            await client.open()
            #expect(client.bytes == [0] + Array("Bad indicator byte".utf8))
            try await expectRefused(client, scene, .encrypted)
            try await expectServed(good)
        }
    }

    @Test(arguments: [
        ([0x16, 3, 1], ProxyFault.malformed), ([0, 0x80, 0xAD, 0xE2, 0x04, 7], .tooLong), ([0, 0, 7], .notGreeted),
        ([0, 2, 1, 0x0A, 0xFF], .malformed), ([0, 0, 0xE7, 7], .notGreeted),
    ])
    func `in clear text that lie are ended`(bytes: [UInt8], fault: ProxyFault) async throws {
        try await ProxyScene.run { scene in
            let good = try await scene.opened()
            let client = scene.client()
            await client.join()
            await client.send(raw: bytes)
            try await expectRefused(client, scene, fault)
            try await expectServed(good)
        }
    }

    @Test(arguments: [
        ([1, 0xFF, 0xFF], ProxyFault.tooLong), ([1, 0, 0, 1, 0, 0], .malformed),
        ([1, 0, 0, 1, 0, 2, 0, 5], .malformed),
        ([1, 0, 0, 1, 0, 1, 7], .malformed), ([1, 0, 0, 1, 0, 49] + [UInt8](repeating: 0, count: 49), .wrongKey),
        ([0x47, 0x45, 0x54], .malformed),
    ])
    func `that lie in a handshake are ended`(bytes: [UInt8], fault: ProxyFault) async throws {
        try await ProxyScene.run(key: ProxyScene.key) { scene in
            let good = try await scene.opened()
            let client = scene.client()
            await client.join()
            await client.send(raw: bytes)
            try await expectRefused(client, scene, fault)
            try await expectServed(good)
        }
    }

    @Test func `that send no ciphertext, or ten megabytes, are ended`() async throws {
        try await ProxyScene.run(key: ProxyScene.key) { scene in
            let good = try await scene.opened()
            let client = try await scene.opened()
            await client.send(raw: [1, 0, 20] + [UInt8](repeating: 9, count: 20))
            #expect(client.isClosed)
            let flood = try await scene.opened()
            let piece = [UInt8](repeating: 0xFF, count: 65_536)
            await flood.send(raw: [1])
            for _ in 0..<160 { await flood.send(raw: piece) }
            #expect(flood.isClosed)
            #expect(await scene.server.counts.refused == [.malformed: 1, .tooLong: 1])
            try await expectServed(good)
        }
    }

    @Test func `that stop within a frame hold up nobody, and end after a time`() async throws {
        try await ProxyScene.run { scene in
            let client = try await scene.opened()
            await client.send(raw: [0, 5])
            let good = try await scene.opened()
            for _ in 0..<14 {
                try await scene.pass(.seconds(10))
                try await expectServed(good)
            }
            #expect(client.taken(PingRequest.self).count == 1)
            #expect(!client.isClosed)
            try await scene.pass(.seconds(11))
            #expect(client.isClosed)
            #expect(await scene.server.counts.refused == [.silent: 1])
        }
    }

    @Test func `that say nothing are a hundred, and none of them costs another client its place`() async throws {
        try await ProxyScene.run { scene in
            let good = try await scene.opened()
            var silent: [ProxyTestClient] = []
            for _ in 0..<100 {
                let client = scene.client()
                await client.join()
                silent.append(client)
            }
            #expect(silent.filter { $0.isClosed }.count == 69)
            let late = try await scene.opened()
            try await expectServed(good)
            try await expectServed(late)
            try await scene.pass(.seconds(61))
            #expect(!silent.contains { !$0.isClosed })
            #expect(await scene.server.counts.refused == [.tooMany: 70, .silent: 30])
        }
    }

    @Test func `that are stopped hold their links for 150 seconds, and get no more than a bounded backlog`()
        async throws
    {
        try await ProxyScene.run { scene in
            let client = try await scene.listener()
            let good = try await scene.listener()
            await good.send(SubscribeSlotsRequest())
            #expect(try await client.connect(ProxyScene.address).isConnected)
            client.waitingCount = ProxyMembers.slowByteCount + 1
            let before = client.bytes.count
            for _ in 0..<14 {
                try await scene.pass(.seconds(10))
                await good.send(PingRequest())
            }
            #expect(client.bytes.count - before < 20)
            #expect(await scene.server.counts.droppedAdvertisements > 1000)
            #expect(scene.device.connectionCount == 1)
            try await scene.pass(.seconds(15))
            #expect(client.isClosed && scene.device.connectionCount == 0)
            #expect(good.taken(SlotsResponse.self).last?.free == 3)
            #expect(!good.isClosed)
        }
    }

    @Test func `that a proxy which stood still has not heard are asked before they are given up`() {
        let identity = ProxyIdentity(
            name: "cellar", address: "02:00:00:00:00:01", bluetoothAddress: "02:00:00:00:00:02", version: "0")
        var client = ProxyClient(
            identity, key: nil, features: ProxyFeatures(slots: 3), silence: .seconds(150), at: .zero)
        _ = client.receive(Frame.clear(HelloRequest().raw).bytes, at: .zero)
        #expect(client.deadline == .seconds(60))
        guard case .send(let ping)? = client.timePassed(at: .seconds(500)).first else {
            Issue.record("it is not asked")
            return
        }
        #expect(ping == Frame.clear(PingRequest().raw).bytes)
        #expect(client.timePassed(at: .seconds(589)).isEmpty)
        guard case .end(.silent)? = client.timePassed(at: .seconds(590)).first else {
            Issue.record("it is not given up")
            return
        }
    }

    @Test func `that ask and do not read are given up`() async throws {
        try await ProxyScene.run { scene in
            let good = try await scene.opened()
            let client = try await scene.opened()
            client.waitingCount = ProxyMembers.maximumByteCount + 1
            await client.send(PingRequest())
            #expect(client.isClosed)
            #expect(await scene.server.counts.refused == [.tooSlow: 1])
            try await expectServed(good)
        }
    }

    @Test func `that read a thousand values at once get an answer for each`() async throws {
        try await ProxyScene.run { scene in
            let good = try await scene.opened()
            let client = try await scene.listener()
            #expect(try await client.connect(ProxyScene.address).isConnected)
            let services = try await client.services(ProxyScene.address)
            let handle = try #require(services.flatMap(\.characteristics).first { $0.shortUUID == 0x2A19 }).handle
            for _ in 0..<1000 { await client.read(ProxyScene.address, handle) }
            try await expectServed(good)
            try await scene.pass(.seconds(60))
            let (values, errors) = (client.taken(ReadResponse.self), client.taken(ErrorResponse.self))
            #expect(values.count + errors.count == 1000)
            #expect(values.count >= 256 && errors.allSatisfy { $0.error == -2 })
            #expect(await scene.server.counts.failedRequests == errors.count)
            // Those that wait when the link ends are answered, too.
            for _ in 0..<20 { await client.read(ProxyScene.address, handle) }
            await client.request(ProxyScene.address, .disconnect)
            _ = try await client.next(DeviceConnectionResponse.self)
            #expect(client.taken(ReadResponse.self).count + client.taken(ErrorResponse.self).count >= 19)
        }
    }

    @Test(arguments: [0, 1000, .max] as [UInt32])
    func `that ask for a handle that is none are told so by each request`(handle: UInt32) async throws {
        try await ProxyScene.run { scene in
            let client = try await scene.listener()
            let address = ProxyScene.address
            let requests: [any APIMessage] = [
                ReadRequest(address, handle), ReadDescriptorRequest(address, handle), WriteRequest(address, handle),
                WriteDescriptorRequest(address, handle, [1, 0]), NotifyRequest(address, handle),
            ]
            // Without a link there are no handles; with one there are others.
            for error in [ProxyCode.notConnected, Int32(ATTError.invalidHandle.rawValue)] {
                for request in requests {
                    await client.send(request)
                    let response = try await client.next(ErrorResponse.self)
                    #expect((response.address, response.handle) == (address, handle) && response.error == error)
                }
                #expect(try await client.connect(address).isConnected)
            }
            #expect(await scene.server.counts.failedRequests == 2 * requests.count)
            try await expectServed(client)
        }
    }

    @Test func `with a name of 4,096 bytes are cut short`() async throws {
        try await ProxyScene.run { scene in
            let client = scene.client()
            await client.join()
            var hello = HelloRequest()
            hello.client = String(repeating: "n", count: 4096)
            await client.send(hello)
            _ = try await client.next(HelloResponse.self)
            #expect(scene.events.withLock { $0 } == [.joined(String(repeating: "n", count: 64))])
        }
    }

    @Test func `that send random messages neither stop the proxy nor leave a link`() async throws {
        try await ProxyScene.run(limit: .seconds(100_000)) { scene in
            var random = SeededRandom(seed: 7)
            let good = try await scene.listener()
            await good.send(SubscribeSlotsRequest())
            for _ in 0..<60 {
                let client = try await scene.opened()
                for _ in 0..<20 {
                    let type = APIMessages.all[Int(random.next() % UInt64(APIMessages.all.count))]
                    var body = ProtobufWriter()
                    body.field(1, .varint(random.next() % 2 == 0 ? ProxyScene.address : random.next()))
                    body.field(2, .varint(random.next() % 8))
                    body.field(3, .varint(random.next() % 2))
                    await client.send(raw: Frame.clear(RawMessage(number: type.number, body: body.bytes[...])).bytes)
                    try await scene.pass(.milliseconds(Int64(random.next() % 400)))
                }
                await client.leave()
                try await expectServed(good)
            }
            try await scene.pass(.seconds(60))
            #expect(good.taken(SlotsResponse.self).last?.free == 3)
            #expect(scene.device.connectionCount == 0)
        }
    }
}

extension ProxyServer {
    /// Twelve digits of its address.
    nonisolated var identityDigits: String {
        ProxyIdentity.localAddress(of: "machine").text.lowercased().filter { $0 != ":" }
    }
}
#endif
