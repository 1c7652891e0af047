// SPDX-License-Identifier: MIT

#if ESPHome && BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
@testable import BlueCapESPHome
import BlueCapLoop
import BlueCapPrivateBus
import BlueCapRuntime
import Testing

@Suite(.timeLimit(.minutes(60)), .enabled(if: PrivateBus.isAvailable, "dbus-daemon is not installed"))
struct AvahiAnnouncementTests {
    private static let identity = ProxyIdentity(
        name: "box", address: "02:03:04:05:06:07", bluetoothAddress: "C0:DE:00:00:00:01", version: "1.2.3")
    private static let service = AnnouncedService(identity, port: 6053, isEncrypted: false)

    /// Runs an announcement on a bus, with its news in their order.
    private func announcing(
        _ body: (_ bus: PrivateBus, _ loop: EventLoop, _ news: News) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let (stream, continuation) = AsyncStream.makeStream(of: AnnouncementEvent.self)
        let announcement = try AvahiAnnouncement(Self.service, bus: bus.address) { continuation.yield($0) }
        announcement.open()
        let result: Result<Void, any Error>
        do { result = .success(try await body(bus, loop, News(stream: stream))) } catch { result = .failure(error) }
        await announcement.stop()
        await loop.stop()
        try result.get()
    }

    @Test func `a service is announced with its type, port and texts once Avahi runs`() async throws {
        try await announcing { bus, loop, news in
            #expect(await news.next() == .withdrawn("Avahi does not run"))
            let avahi = try await ScriptedAvahi(on: bus, loop)
            #expect(await news.next() == .announced("box"))
            #expect(await avahi.added == [["box", "_esphomelib._tcp", "6053"] + Self.service.texts])
            await avahi.end()
        }
    }

    @Test(arguments: [ScriptedAvahi.Collision.local, .onTheNetwork])
    func `a name that is taken gives way to the one that Avahi proposes`(
        collision: ScriptedAvahi.Collision
    ) async throws {
        try await announcing { bus, loop, news in
            _ = await news.next()
            let avahi = try await ScriptedAvahi(on: bus, loop, collision: collision)
            #expect(await news.next() == .announced("box #2"))
            #expect(await avahi.freed == 1)
            await avahi.end()
        }
    }

    @Test func `a service is announced again after Avahi was started again, and with another name of the machine`()
        async throws
    {
        try await announcing { bus, loop, news in
            _ = await news.next()
            let avahi = try await ScriptedAvahi(on: bus, loop)
            #expect(await news.next() == .announced("box"))
            await avahi.end()
            #expect(await news.next() == .withdrawn("Avahi has ended"))
            let next = try await ScriptedAvahi(on: bus, loop)
            #expect(await news.next() == .announced("box"))
            await next.change(to: 3)
            #expect(await news.next() == .withdrawn("Avahi chooses a name for this machine"))
            await next.change(to: 2)
            #expect(await news.next() == .announced("box"))
            #expect(await next.added.count == 2)
            await next.end()
        }
    }

    @Test func `a service is announced once Avahi has found the name of the machine`() async throws {
        try await announcing { bus, loop, news in
            _ = await news.next()
            let avahi = try await ScriptedAvahi(on: bus, loop, state: 1)
            await avahi.stateWasAsked()
            await avahi.change(to: 2)
            #expect(await news.next() == .announced("box"))
            await avahi.end()
        }
    }

    @Test func `the end of the bus is told`() async throws {
        try await announcing { bus, loop, news in
            _ = await news.next()
            let avahi = try await ScriptedAvahi(on: bus, loop)
            #expect(await news.next() == .announced("box"))
            bus.killDaemon()
            #expect(await news.next() == .withdrawn("Avahi has ended"))
            #expect(await news.next() == .withdrawn("the connection to the bus has ended"))
            await avahi.end()
        }
    }
}

/// The news of an announcement, one after the other.
struct News: Sendable {
    let stream: AsyncStream<AnnouncementEvent>

    func next() async -> AnnouncementEvent? { await stream.first { _ in true } }
}

/// An Avahi that behaves as it is told.
actor ScriptedAvahi {
    enum Collision: Sendable, CaseIterable {
        case local, onTheNetwork
    }

    private struct Seen {
        var state: Int32
        var groups = 0
        var added: [[String]] = []
        var freed = 0

        mutating func newGroup() -> Int {
            groups += 1
            return groups
        }
    }

    private static let group = "org.freedesktop.Avahi.EntryGroup"
    private static let server = "org.freedesktop.Avahi.Server"

    nonisolated let connection: BusConnection
    private let seen: Locked<Seen>
    private let asked = AsyncStream.makeStream(of: Void.self)

    // SAFETY: `connection` keeps the loop, and is a `let` of this actor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe connection.loop.asUnownedSerialExecutor() }

    /// Takes Avahi's name on the bus.
    init(on bus: PrivateBus, _ loop: EventLoop, state: Int32 = 2, collision: Collision? = nil) async throws {
        let connection = try await BusConnection.open(try BusAddress(bus.address), on: loop)
        let seen = Locked(Seen(state: state))
        (self.connection, self.seen) = (connection, seen)
        let (link, asked) = (connection.link, asked.continuation)
        try await loop.run { () throws(DBusError) in
            try link.export([Self.interface(link, seen, collision) { asked.yield() }], at: "/")
        }
        #expect(try await connection.requestName("org.freedesktop.Avahi"))
    }

    var added: [[String]] { seen.withLock { $0.added } }
    var freed: Int { seen.withLock { $0.freed } }

    /// Returns when Avahi's state has been asked for.
    nonisolated func stateWasAsked() async { await asked.stream.first { _ in true } }

    /// Has another state, and says so.
    func change(to new: Int32) {
        seen.withLock { $0.state = new }
        try? connection.link.send(
            .signal(path: "/", interface: Self.server, member: "StateChanged", body: [.int32(new), .string("")]))
    }

    func end() { connection.link.close() }

    private static func interface(
        _ link: BusLink, _ seen: Locked<Seen>, _ collision: Collision?, asked: @escaping () -> Void
    ) -> ExportedInterface {
        var server = ExportedInterface(Self.server)
        server.method("GetState", out: "i") { call in
            call.reply(.int32(seen.withLock { $0.state }))
            asked()
        }
        server.method("GetAlternativeServiceName", in: "s", out: "s") { call in
            call.reply(.string("\(call.arguments[0].stringValue ?? "") #2"))
        }
        server.method("EntryGroupNew", out: "o") { [weak link] call in
            let number = seen.withLock { $0.newGroup() }
            let path = "/Client/Group\(number)"
            try? link?.export([group(link, seen, path, number == 1 ? collision : nil)], at: path)
            call.reply(.objectPath(path))
        }
        return server
    }

    private static func group(
        _ link: BusLink?, _ seen: Locked<Seen>, _ path: String, _ collision: Collision?
    ) -> ExportedInterface {
        var group = ExportedInterface(Self.group)
        group.method("AddService", in: "iiussssqaay") { call in
            if collision == .local { return call.fail("org.freedesktop.Avahi.CollisionError", "taken") }
            guard case .uint16(let port) = call.arguments[7], case .array(let texts, _) = call.arguments[8] else {
                return
            }
            let strings = texts.map { text in
                if case .bytes(let bytes) = text { String(decoding: bytes, as: UTF8.self) } else { "" }
            }
            let words = [3, 4].map { call.arguments[$0].stringValue ?? "" } + ["\(port)"] + strings
            seen.withLock { $0.added.append(words) }
            call.reply()
        }
        group.method("Free") { _ in seen.withLock { $0.freed += 1 } }
        group.method("Commit") { [weak link] call in
            call.reply()
            for state in [Int32(1), collision == .onTheNetwork ? 3 : 2] {
                try? link?.send(
                    .signal(
                        path: path, interface: Self.group, member: "StateChanged", body: [.int32(state), .string("")]))
            }
        }
        return group
    }
}
#endif
