// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapPrivateBus
import BlueCapTesting
import BlueCapDBus
import Foundation

/// Repeats the calls of a trace's client, and compares the daemon's messages with the recorded ones.
///
/// The same replay runs on the fake and on the real daemon, so that the fake cannot drift into assumptions of its
/// authors.
package actor TraceReplay {
    private let trace: Trace
    private let connection: BusConnection
    private let world: any ReplayWorld
    /// Recorded address text and the one of this run, with colons and with underscores.
    private var aliases: [(recorded: String, actual: String)] = []
    private var comparison: TraceComparison
    /// The conditions at the peer that the client waited for while the call that follows was under way.
    private var waits: [PeerCommand] = []
    private var isWaitedFor = false
    private var central: ReplayedCentral?
    /// The last result that the far central saw.
    private var sight: ReplayedCentral.Sight?
    private let objects: ReplayedObjects
    private let clearing: Duration
    /// The passkey that the daemon showed last; it differs from run to run.
    private var shownPasskey: Int?
    /// Whether the trace has the end of a link since the last `Connect`.
    private var hasEnded = false
    private let messages: AsyncStream<Trace.Message>
    private let sink: AsyncStream<Trace.Message>.Continuation

    /// Replays a trace against the `org.bluez` of a world.
    ///
    /// - Parameter clearing: How long to wait before a `Connect` that follows the end of a link: bluetoothd takes an
    ///   earlier one for part of that link, now and then.
    /// - Throws: ``ReplayError`` with the first difference, or when the daemon falls silent for `limit`.
    package static func run(
        _ trace: Trace, in world: any ReplayWorld, limit: Duration = .seconds(120), clearing: Duration = .zero
    ) async throws {
        let loop = try EventLoop()
        let connection = try await BusConnection.open(BusAddress(world.busAddress), on: loop)
        let replay = TraceReplay(trace, connection, clearing, world)
        let outcome: Result<Void, any Error>
        do {
            try await replay.listen()
            try await replay.exportObjects()
            outcome = .success(try await replay.run(limit: limit))
        } catch {
            outcome = .failure(error)
        }
        await replay.close()
        await loop.stop()
        try outcome.get()
    }

    private init(
        _ trace: Trace, _ connection: BusConnection, _ clearing: Duration, _ world: any ReplayWorld
    ) {
        self.trace = trace
        self.connection = connection
        self.clearing = clearing
        self.world = world
        comparison = TraceComparison(trace)
        (messages, sink) = AsyncStream.makeStream(of: Trace.Message.self)
        objects = ReplayedObjects(trace.lines, on: connection.link, sink)
    }

    private func listen() async throws {
        // Messages that the daemon still sends because an earlier client left come before this answer; but that
        // client's discovery ends only when the kernel has ended it.
        while try await isDiscovering() { try await ContinuousClock().sleep(for: .milliseconds(20)) }
        try await connection.addMatch(MatchRule(sender: "org.bluez"))
        let sink = sink
        let link = connection.link
        await connection.loop.run {
            _ = link.onSignal(.all) { message in
                guard let path = message.path, path == "/" || path.hasPrefix("/org/bluez") else { return }
                _ = sink.yield(
                    Self.message(message, path: path, name: "\(message.interface ?? "").\(message.member ?? "")"))
            }
        }
    }

    private func isDiscovering() async throws -> Bool {
        let objects = try await connection.call(Self.roundTrip()).body().first?.json
        return objects?["/org/bluez/hci0"]?["org.bluez.Adapter1"]?["Discovering"] == .object(["b": .bool(true)])
    }

    private func exportObjects() async throws {
        let objects = objects
        try await connection.loop.run { Result { try objects.export() } }.get()
    }

    private func close() async {
        let objects = objects
        await connection.loop.run { objects.close() }
        await connection.close()
    }

    private static func roundTrip() throws -> Message {
        try .methodCall(
            to: "org.bluez", path: "/", interface: "org.freedesktop.DBus.ObjectManager", member: "GetManagedObjects")
    }

    private static func message(_ message: Message, path: String, name: String) -> Trace.Message {
        let body = (try? message.body()) ?? []
        return Trace.Message(path: path, name: name, body: .list(body.map(\.json)))
    }

    private func run(limit: Duration) async throws {
        var iterator = messages.makeAsyncIterator()
        // A daemon that says less than it did then would be waited for without end.
        let sink = sink
        let watchdog = Task {
            try await ContinuousClock().sleep(for: limit)
            sink.finish()
        }
        defer { watchdog.cancel() }
        for (index, line) in trace.lines.enumerated() {
            switch line {
            case .reply(let message), .signal(let message), .question(_, let message), .packet(let message):
                try expect(message)
            case .answer: break
            case .emission(let path, let interface, let member, let signature, let body):
                try await catchUp(&iterator)
                try await emit(path, interface, member, signature, body)
            case .sending(let path, let packet):
                try await catchUp(&iterator)
                try await send(packet, from: path)
            case .saw(let note): try compareSight(note)
            case .call(let path, let interface, let member, let signature, let body):
                try await catchUp(&iterator)
                if isWaitedFor { try await waitAtPeer() }
                isWaitedFor = !waits.isEmpty
                try await call(path, interface, member, signature, body)
            case .peer(let note) where ReplayedCentral.takes(note):
                try await catchUp(&iterator)
                try await performAsCentral(note, givesUp: trace.leavesUnanswered(after: index))
            case .peer(let note):
                let command = PeerCommand(note: note)
                if command.waits {
                    waits.append(command)
                    continue
                }
                try await catchUp(&iterator)
                if command.name == "type_passkey", let shownPasskey {
                    try await perform(command.typing(shownPasskey))
                    continue
                }
                if note["cmd"]?.text == "rssi", let strength = note["value"]?.integer {
                    comparison.setStrength(strength, of: command.device)
                }
                if command.name == "restart_daemon" { comparison.endDaemon() }
                try await perform(command)
            case .closing(let path):
                try await catchUp(&iterator)
                let (objects, path) = (objects, asNow(path))
                await connection.loop.run { objects.close(path) }
            case .pause(let duration):
                try await catchUp(&iterator)
                try await world.elapse(duration)
            case .wait(let duration):
                try await catchUp(&iterator)
                try await world.letKernelFinish(within: duration)
            }
        }
        try await catchUp(&iterator)
        try await waitAtPeer()
        try await finish(&iterator)
    }

    private func expect(_ message: Trace.Message) throws {
        try comparison.expect(message)
        if message.normal().contains(#"changed org.bluez.Device1.Connected {"b":false}"#) { hasEnded = true }
    }

    /// Takes messages until all messages of the trace up to here have come; each has to equal the recorded one.
    private func catchUp(_ iterator: inout AsyncStream<Trace.Message>.AsyncIterator) async throws {
        while let missing = comparison.missing {
            guard let message = await iterator.next(isolation: self) else { throw ReplayError(missing) }
            if message.name == "call org.bluez.Agent1.DisplayPasskey" {
                shownPasskey = message.body.list?.dropFirst().first?.integer
            }
            try comparison.observe(asRecorded(message))
        }
    }

    /// Collects the daemon's messages until it has answered another call: the trace has no more lines.
    private func finish(_ iterator: inout AsyncStream<Trace.Message>.AsyncIterator) async throws {
        let (sink, link, call) = (sink, connection.link, try Self.roundTrip())
        let end = Trace.Message(path: "/", name: "the end", body: .list([]))
        await connection.loop.run { _ = link.call(call) { _ in sink.yield(end) } }
        while true {
            guard let message = await iterator.next(isolation: self) else {
                throw ReplayError("\(trace.name): the daemon does not answer any more")
            }
            if message.name == end.name { break }
            try comparison.observe(asRecorded(message))
        }
        if let surplus = comparison.surplus { throw ReplayError(surplus) }
    }

    private func compareSight(_ note: JSONValue) throws {
        let then = try ReplayedCentral.Sight(note: note)
        guard sight == then else {
            throw ReplayError("\(trace.name): the peer saw: \(sight.map { "\($0)" } ?? "nothing")\nrecorded: \(then)")
        }
        sight = nil
    }

    // MARK: The client's and the peer's part

    private func waitAtPeer() async throws {
        for wait in waits { _ = try await wait.perform(in: world) }
        (waits, isWaitedFor) = ([], false)
    }

    private func perform(_ command: PeerCommand) async throws {
        try await waitAtPeer()
        guard let address = try await command.perform(in: world) else { return }
        alias("C0:00:00:00:00:0\(command.device)", address)
    }

    /// The far device as a central, which is put on the air before its first command.
    private func performAsCentral(_ note: JSONValue, givesUp: Bool) async throws {
        if central == nil {
            let (central, address) = try await world.farCentral(unit: trace.centralUnit)
            self.central = ReplayedCentral(central)
            alias("C0:00:00:00:00:00", address)
        }
        guard let central else { return }
        async let sight = central.perform(note)
        if givesUp { try await world.elapse(.seconds(6)) }
        self.sight = try await sight
    }

    private func alias(_ recorded: String, _ address: PeerIdentifier) {
        for (old, new) in [(recorded, address.text), (Self.pathText(recorded), Self.pathText(address.text))] {
            aliases.removeAll { $0.recorded == old }
            aliases.append((old, new))
        }
    }

    private func call(
        _ path: String, _ interface: String, _ member: String, _ signature: String, _ body: JSONValue
    ) async throws {
        guard let values = DBusValue.body(try JSONValue(text: asNow(body.canonical)), signature: signature) else {
            throw ReplayError("\(trace.name): a call of \(member) with (\(signature)) cannot be made")
        }
        if member == "Connect", hasEnded {
            try await ContinuousClock().sleep(for: clearing)
            hasEnded = false
        }
        let message = try Message.methodCall(
            to: "org.bluez", path: asNow(path), interface: interface, member: member, body: values)
        let sink = sink
        let link = connection.link
        let now = asNow(path)
        let objects = objects
        await connection.loop.run {
            _ = link.call(message) { result in
                if case .success(let reply) = result { objects.keepSocket(of: reply, path: now) }
                _ = sink.yield(Self.reply(result, path: now, name: "\(interface).\(member)"))
            }
        }
    }

    private func emit(
        _ path: String, _ interface: String, _ member: String, _ signature: String, _ body: JSONValue
    ) async throws {
        guard let values = DBusValue.body(body, signature: signature) else {
            throw ReplayError("\(trace.name): a signal \(member) with (\(signature)) cannot be sent")
        }
        try await connection.send(.signal(path: path, interface: interface, member: member, body: values))
    }

    private func send(_ packet: JSONValue, from path: String) async throws {
        let (objects, now) = (objects, asNow(path))
        guard case .bytes(let bytes) = DBusValue(packet, signature: "ay") else { return }
        guard await connection.loop.run({ objects.send(bytes, from: now) }) else {
            throw ReplayError("\(trace.name): \(path): the socket did not take \(packet.canonical)")
        }
    }

    private static func reply(_ result: Result<Message, DBusError>, path: String, name: String) -> Trace.Message {
        switch result {
        case .success(let reply): Self.message(reply, path: path, name: "return \(name)")
        case .failure(.remote(let error, let text)):
            Trace.Message(path: path, name: "error=\(error) \(name)", body: .list([.text(text)]))
        case .failure(let error): Trace.Message(path: path, name: "error \(error) \(name)", body: .list([]))
        }
    }

    // MARK: Addresses

    private func asNow(_ text: String) -> String {
        aliases.reduce(text) { $0.replacing($1.recorded, with: $1.actual) }
    }

    private func asRecorded(_ message: Trace.Message) -> Trace.Message {
        let restore = { (text: String) in self.aliases.reduce(text) { $0.replacing($1.actual, with: $1.recorded) } }
        var message = message
        message.path = restore(message.path)
        if let body = try? JSONValue(text: restore(message.body.canonical)) { message.body = body }
        return message
    }

    private static func pathText(_ address: String) -> String { address.replacing(":", with: "_") }
}
#endif
