// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapLoop
import BlueCapPlatform
import BlueCapPrivateBus
import BlueCapTestExecutor
import Testing

/// Received data: descriptors, and the order of messages.
@Suite(.timeLimit(.minutes(60)))
struct FrameReceiverTests {
    private static func call(_ member: String) throws -> Message {
        try .methodCall(to: "a.b", path: "/", interface: nil, member: member)
    }

    /// A bus that answers `Take` with a descriptor, `Fewer` with fewer descriptors than the message claims, `More` with
    /// a descriptor that belongs to no message, and `Long` with a descriptor of a message that claims to be longer than
    /// the limit, and `Late` only after the next `Take`.
    private static func bus() throws -> FakeBus {
        try FakeBus { client in
            client.welcome()
            var late: [UInt8]?
            while let call = client.readMessage() {
                guard let pair = try? PacketPair() else { return }
                let ends = [pair.near.rawValue, pair.far.rawValue]
                func answer(_ call: [UInt8], claims: Int) -> [UInt8] {
                    FakeBus.answer(call, FakeBus.number(0), signature: "h", descriptors: claims)
                }
                if call.holds("Fewer") {
                    client.send(answer(call, claims: 2), descriptors: [ends[0]])
                } else if call.holds("More") {
                    client.send(answer(call, claims: 1), descriptors: ends)
                } else if call.holds("Long") {
                    // Behind the length of the body.
                    var long = answer(call, claims: 1)
                    long.replaceSubrange(4..<8, with: FakeBus.number(.max))
                    client.send(long, descriptors: [ends[0]])
                } else if call.holds("Late") {
                    late = call
                } else {
                    if let call = late { client.send(answer(call, claims: 1), descriptors: [ends[0]]) }
                    late = nil
                    client.send(answer(call, claims: 1), descriptors: [ends[1]])
                }
            }
        }
    }

    @Test
    func `descriptors come with their message, and those of an answer to a cancelled call are closed`() async {
        await #expect(processExitsWith: .success) {
            let bus = try Self.bus()
            let loop = try EventLoop()
            let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
            func round() async throws {
                let late = try Self.call("Late")
                let link = connection.link
                await loop.run { link.cancel(link.call(late) { _ in }) }
                let reply = try await connection.call(Self.call("Take"))
                #expect(try reply.body() == [.descriptor(0)])
                let descriptor = try reply.takeDescriptor(at: 0)
                #expect(fcntl(descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
            }
            for _ in 0..<5 { try await round() }
            let descriptors = await Process.descriptorsAtFirst()
            for _ in 0..<200 { try await round() }
            #expect(await Process.settles { Process.descriptorCount <= descriptors }, "\(descriptors) at first")
            #expect(await connection.metrics.lateReplies == 205)
            await connection.close()
            await loop.stop()
        }
    }

    @Test(arguments: [
        ("Fewer", "fewer descriptors than a message says"), ("More", "descriptors of no message"),
        ("Long", "a message, or the header of one, that is too long"),
    ])
    func
        `a message that is too long, or has fewer or more descriptors than it says, ends the connection and leaves none open`(
            member: String, reason: String
        ) async
    {
        await #expect(processExitsWith: .success) { [member, reason] in
            let bus = try Self.bus()
            let loop = try EventLoop()
            let address = try BusAddress(bus.address)
            func round() async throws {
                let connection = try await BusConnection.open(address, on: loop)
                let link = connection.link
                let ended = Recorder<DBusError?>()
                await loop.run { link.onDisconnect { ended.add(link.endCause) } }
                _ = await failure { () throws(DBusError) in try await connection.call(wanted) }
                await ended.wait(for: 1)
                let reasons = ended.all.map {
                    if case .malformed(let reason) = $0 { reason } else { "\(String(describing: $0))" }
                }
                #expect(reasons.count == 1 && reasons.allSatisfy { $0.hasPrefix(reason) }, "\(reasons)")
            }
            let wanted = try Self.call(member)
            for _ in 0..<3 { try await round() }
            let descriptors = await Process.descriptorsAtFirst()
            for _ in 0..<50 { try await round() }
            #expect(await Process.settles { Process.descriptorCount <= descriptors }, "\(descriptors) at first")
            await loop.stop()
        }
    }

    @Test
    func `descriptors that came with the beginning of a message are closed when the rest does not come`() async {
        await #expect(processExitsWith: .success) {
            let bus = try FakeBus { client in
                client.welcome()
                guard let call = client.readMessage(), let pair = try? PacketPair() else { return }
                let answer = FakeBus.answer(call, FakeBus.number(0), signature: "h", descriptors: 1)
                client.send(Array(answer.dropLast(4)), descriptors: [pair.near.rawValue])
            }
            let loop = try EventLoop()
            let address = try BusAddress(bus.address)
            let call = try Self.call("Take")
            func round() async throws {
                let connection = try await BusConnection.open(address, on: loop)
                let error = await failure { () throws(DBusError) in try await connection.call(call) }
                #expect(error == .disconnected)
            }
            for _ in 0..<3 { try await round() }
            let descriptors = await Process.descriptorsAtFirst()
            for _ in 0..<50 { try await round() }
            #expect(await Process.settles { Process.descriptorCount <= descriptors }, "\(descriptors) at first")
            await loop.stop()
        }
    }

    @Test
    func `a message whose bytes come one by one is one message; a long one comes whole between short ones`()
        async throws
    {
        let long = [UInt8](repeating: 5, count: 300_000)
        let bus = try FakeBus { client in
            client.welcome()
            guard let call = client.readMessage() else { return }
            for byte in FakeBus.tick(FakeBus.number(1), signature: "u") { client.send([byte]) }
            client.send(FakeBus.tick(FakeBus.number(UInt32(long.count)) + long, signature: "ay"))
            client.send(FakeBus.tick(FakeBus.number(2), signature: "u"))
            client.answer(call)
            client.waitForEnd()
        }
        let loop = try EventLoop()
        let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
        let link = connection.link
        let seen = Recorder<[DBusValue]>()
        await loop.run { _ = link.onSignal(.all, member: "Tick") { seen.add((try? $0.body()) ?? []) } }
        _ = try await connection.call(Self.call("Go"))
        #expect(seen.all == [[.uint32(1)], [.bytes(long)], [.uint32(2)]])
        await connection.close()
        await loop.stop()
    }

    @Test func `what a bus said before it closed is read to the end`() async throws {
        let bus = try FakeBus { client in
            client.welcome()
            guard let call = client.readMessage() else { return }
            for index in 0..<1000 { client.send(FakeBus.tick(FakeBus.number(UInt32(index)), signature: "u")) }
            client.answer(call)
        }
        let loop = try EventLoop()
        let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
        let link = connection.link
        let seen = Recorder<UInt32>()
        await loop.run { _ = link.onSignal(.all) { seen.add((try? $0.body())?.first?.uint32Value ?? 0) } }
        _ = try await connection.call(Self.call("Go"))
        #expect(seen.all == Array(0..<1000))
        await connection.close()
        await loop.stop()
    }

    @Test func `a handler that closes its connection gets nothing more of what has come already`() async throws {
        let bus = try FakeBus { client in
            client.welcome()
            guard client.readMessage() != nil else { return }
            client.send(Array(repeatElement(FakeBus.tick(), count: 100).joined()))
            client.waitForEnd()
        }
        let loop = try EventLoop()
        let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
        let link = connection.link
        let seen = Recorder<Int>()
        let go = try Message.methodCall(to: "a.b", path: "/", interface: nil, member: "Go", expectsReply: false)
        try await loop.run { () throws(DBusError) in
            link.onSignal(.all, member: "Tick") { _ in
                seen.add(0)
                link.close()
            }
            try link.send(go)
        }
        await seen.wait(for: 1)
        await loop.run {}
        #expect(seen.count == 1)
        await loop.stop()
    }
}

extension [UInt8] {
    /// Whether a text's bytes stand anywhere among these.
    fileprivate func holds(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return indices.contains { self[$0...].starts(with: wanted) }
    }
}
#endif
