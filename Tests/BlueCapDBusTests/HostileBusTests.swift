// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus
import BlueCapTestExecutor
import Testing

/// Buses that end early, refuse, or send messages that a bus should not send.
@Suite(.timeLimit(.minutes(60)))
struct HostileBusTests {
    /// The point at which a bus ends the connection while it is being opened.
    enum Place: CaseIterable, CustomTestStringConvertible {
        case atOnce, authentication, acceptance, negotiation, hello

        var testDescription: String {
            switch self {
            case .atOnce: "before a word"
            case .authentication: "after AUTH"
            case .acceptance: "after its OK"
            case .negotiation: "after it let the client in"
            case .hello: "after Hello"
            }
        }

        func play(_ client: FakeBus.Client) {
            if self == .atOnce { return }
            if self == .hello || self == .negotiation {
                client.authenticate()
                if self == .hello { _ = client.readMessage() }
                return
            }
            client.readLine()
            if self == .acceptance { client.send(line: "OK 0123456789abcdef0123456789abcdef") }
        }
    }

    @Test(arguments: Place.allCases)
    func `a bus that ends while the connection is opened is an error of opening`(place: Place) async throws {
        let bus = try FakeBus { place.play($0) }
        let loop = try EventLoop()
        let error = await failure { () throws(DBusError) in
            try await BusConnection.open(BusAddress(bus.address), on: loop)
        }
        guard case .openFailed(let name, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(name == "org.freedesktop.DBus.Error.AuthFailed")
        await loop.stop()
    }

    @Test func `a bus that refuses the client is an error of opening`() async throws {
        let bus = try FakeBus { client in
            while client.readLine() != nil { client.send(line: "REJECTED") }
        }
        let loop = try EventLoop()
        let error = await failure { () throws(DBusError) in
            try await BusConnection.open(BusAddress(bus.address), on: loop)
        }
        guard case .openFailed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await loop.stop()
    }

    @Test func `a bus that answers Hello with something else is an error`() async throws {
        let bus = try FakeBus { client in
            client.authenticate()
            guard let hello = client.readMessage() else { return }
            client.answer(hello, FakeBus.string("no unique name"), signature: "s")
            client.waitForEnd()
        }
        let loop = try EventLoop()
        let error = await failure { () throws(DBusError) in
            try await BusConnection.open(BusAddress(bus.address), on: loop)
        }
        #expect(error == .malformed("the reply to Hello"))
        await loop.stop()
    }

    @Test
    func `a bus that dies around the time of close ends every call once, with disconnected, and later ones at once`()
        async throws
    {
        for round in 0..<20 {
            let held = HeldCalls()
            let pair = try await CallTests.pair(held)
            let (bus, client, link) = (pair.bus, pair.client, pair.client.link)
            let log = Recorder<Bool>()
            let calls = try (0..<120).map { try TestPair.call("Hold", .uint32($0)) }
            await pair.loop.run {
                for call in calls { link.call(call) { log.add($0.isDisconnected) } }
            }
            if round % 2 == 0 { await held.wait(for: 96, on: pair.loop) }
            async let killed: Void = bus.killDaemon()
            await client.close()
            await killed
            await log.wait(for: 120)
            let late = await failure { () throws(DBusError) in try await client.call(calls[0]) }
            #expect(late == .disconnected)
            await pair.close()
            #expect(log.all == Array(repeating: true, count: 120))
        }
    }

    @Test
    func `a descriptor for a bus that passes none is refused with a reason, and the connection stays`() async throws {
        let bus = try FakeBus { client in
            client.welcome(passesDescriptors: false)
            while let call = client.readMessage() { client.answer(call) }
        }
        let loop = try EventLoop()
        let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
        var builder = try MessageBuilder.methodCall(to: "a.b", path: "/", interface: nil, member: "Take")
        let pair = try PacketPair()
        try builder.append(pair.near)
        let call = builder.finish()
        let error = await failure { () throws(DBusError) in try await connection.call(call) }
        #expect(error == .invalidArgument("this bus passes no descriptors"))
        await #expect(throws: DBusError.self) { try await connection.send(call) }
        let plain = try Message.methodCall(to: "a.b", path: "/", interface: nil, member: "Take")
        #expect(try await connection.call(plain).body().isEmpty)
        #expect(await connection.metrics.inFlight == 0)
        await connection.close()
        await loop.stop()
    }

    @Test(arguments: [32 * 1024 * 1024, .max])
    func `a message that claims more than 32 MiB ends the connection, before it has been taken in`(length: UInt32)
        async throws
    {
        let bus = try FakeBus { client in
            client.welcome()
            _ = client.readMessage()
            let body = [UInt8](repeating: 0, count: 64)
            client.send(FakeBus.tick(body, signature: "ay", bodyLength: length))
            client.waitForEnd()
        }
        let loop = try EventLoop()
        let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
        let call = try Message.methodCall(to: "a.b", path: "/", interface: nil, member: "Take")
        let error = await failure { () throws(DBusError) in try await connection.call(call) }
        #expect(error == .disconnected)
        #expect(await connection.isMalformed)
        await connection.close()
        await loop.stop()
    }

    @Test func `bytes that are no message end the connection`() async throws {
        let bus = try FakeBus { client in
            client.welcome()
            client.send([UInt8](repeating: 0x5A, count: 64))
            client.waitForEnd()
        }
        let loop = try EventLoop()
        let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
        let call = try Message.methodCall(to: "a.b", path: "/", interface: nil, member: "Take")
        let error = await failure { () throws(DBusError) in try await connection.call(call) }
        #expect(error == .disconnected)
        #expect(await connection.isMalformed)
        await connection.close()
        await loop.stop()
    }

    @Test func `a message of the other byte order is read as one of ours`() async throws {
        let body = FakeBus.number(0x0102_0304, isBigEndian: true) + FakeBus.string("hi", isBigEndian: true)
        let bus = try FakeBus { client in
            client.welcome()
            _ = client.readMessage()
            client.send(FakeBus.tick(body, signature: "us", isBigEndian: true))
            client.waitForEnd()
        }
        let loop = try EventLoop()
        let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
        let link = connection.link
        let seen = Recorder<[DBusValue]>()
        let call = try Message.methodCall(to: "a.b", path: "/", interface: nil, member: "Take", expectsReply: false)
        try await loop.run { () throws(DBusError) in
            link.onSignal(.all, member: "Tick") { seen.add((try? $0.body(expecting: "us")) ?? []) }
            try link.send(call)
        }
        await seen.wait(for: 1)
        #expect(seen.all == [[.uint32(0x0102_0304), .string("hi")]])
        await connection.close()
        await loop.stop()
    }

    @Test
    func `the longest body that may be sent goes through the bus and back; one byte more is refused here`() async throws
    {
        let pair = try await TestPair(interfaces: {
            var interface = ExportedInterface(TestPair.interface)
            interface.method("Echo", in: "ay", out: "ay") { call in call.reply(call.arguments[0]) }
            return [interface]
        })
        var bytes = [UInt8](repeating: 7, count: DBusValue.maximumBodyLength - 8)
        bytes[bytes.count - 1] = 9
        let reply = try await pair.client.call(TestPair.call("Echo", .bytes(bytes)))
        #expect(try reply.body(expecting: "ay").first?.bytesValue == bytes)
        #expect(throws: DBusError.invalidArgument("longer than the bus allows")) {
            try TestPair.call("Echo", .bytes(bytes + [0]))
        }
        await pair.close()
    }
}

extension Result<Message, DBusError> {
    var isDisconnected: Bool {
        if case .failure(.disconnected) = self { true } else { false }
    }
}
#endif
