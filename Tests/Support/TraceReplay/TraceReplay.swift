#if BlueZ && canImport(CDBus) && os(Linux)
import BlueCapCore
package import BlueCapTesting
import DBus
import Foundation

/// Does what the client of a trace did, and compares what the daemon says with what it said then.
///
/// The same on the fake and on the real daemon: that is what keeps the fake from saying what its authors assume.
package actor TraceReplay {
    private let trace: Trace
    private let connection: BusConnection
    private let peer: @Sendable (Int) async throws -> any ConformancePeer
    /// Recorded address text and the one of this run, with colons and with underscores.
    private var aliases: [(recorded: String, actual: String)] = []
    private var expected: [String: [String]] = [:]
    private var observed: [String: [String]] = [:]
    private var waits: [PeerCommand] = []
    private let clearing: Duration
    /// Whether the trace has the end of a link since the last `Connect`.
    private var hasEnded = false
    private let messages: AsyncStream<Trace.Message>
    private let sink: AsyncStream<Trace.Message>.Continuation

    /// Replays a trace against `org.bluez` on a bus.
    ///
    /// - Parameter clearing: How long to wait before a `Connect` that follows the end of a link: bluetoothd takes an earlier
    ///   one for part of that link, now and then.
    /// - Throws: ``ReplayError`` with the first difference, or when the daemon falls silent for `limit`.
    package static func run(
        _ trace: Trace, on bus: String, limit: Duration = .seconds(120),
        clearing: Duration = .zero, peer: @escaping @Sendable (Int) async throws -> any ConformancePeer
    ) async throws {
        let loop = try EventLoop()
        let connection = try await BusConnection.open(BusAddress(bus), on: loop)
        let replay = TraceReplay(trace, connection, clearing, peer)
        let outcome: Result<Void, any Error>
        do {
            try await replay.listen()
            try await replay.exportAgent()
            outcome = .success(try await replay.run(limit: limit))
        } catch {
            outcome = .failure(error)
        }
        await connection.close()
        await loop.stop()
        try outcome.get()
    }

    private init(
        _ trace: Trace, _ connection: BusConnection, _ clearing: Duration,
        _ peer: @escaping @Sendable (Int) async throws -> any ConformancePeer
    ) {
        self.trace = trace
        self.connection = connection
        self.clearing = clearing
        self.peer = peer
        (messages, sink) = AsyncStream.makeStream(of: Trace.Message.self)
    }

    private func listen() async throws {
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

    /// What the trace's agent answered is answered again, in that order.
    private func exportAgent() async throws {
        let (lines, sink, link) = (trace.lines, sink, connection.link)
        try await connection.loop.run {
            Result {
                for case .answer(let path, let name, _, _, _) in lines {
                    guard let dot = name.lastIndex(of: "."), !link.isExported(path) else { continue }
                    let agent = ReplayedAgent(path: path, interface: String(name[..<dot]), lines, sink)
                    try link.export([agent.interface], at: path)
                }
            }
        }.get()
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
        for line in trace.lines {
            switch line {
            case .reply(let message), .signal(let message), .question(let message): expect(message)
            case .answer: break
            case .call(_, let path, let interface, let member, let signature, let body):
                try await catchUp(&iterator)
                try await call(path, interface, member, signature, body)
            case .peer(let note):
                let command = PeerCommand(note: note)
                if command.waits {
                    waits.append(command)
                    continue
                }
                try await catchUp(&iterator)
                try await perform(command)
            }
        }
        try await catchUp(&iterator)
    }

    private func expect(_ message: Trace.Message) {
        expected[message.sequence, default: []] += message.normal
        if message.normal.contains(#"changed org.bluez.Device1.Connected {"b":false}"#) { hasEnded = true }
    }

    /// Takes messages until all that the trace has up to here have come; each has to be the one that came then.
    private func catchUp(_ iterator: inout AsyncStream<Trace.Message>.AsyncIterator) async throws {
        while let (sequence, missing) = firstMissing {
            guard let message = await iterator.next(isolation: self) else {
                throw ReplayError("\(trace.name): \(sequence): never came: \(missing)")
            }
            let recorded = asRecorded(message)
            for line in recorded.normal {
                observed[recorded.sequence, default: []].append(line)
                try compare(recorded.sequence)
            }
        }
    }

    private var firstMissing: (String, String)? {
        for (sequence, lines) in expected.sorted(by: { $0.key < $1.key }) {
            let count = observed[sequence]?.count ?? 0
            if count < lines.count { return (sequence, lines[count]) }
        }
        return nil
    }

    private func compare(_ sequence: String) throws {
        guard let seen = observed[sequence], let wanted = expected[sequence], seen.count <= wanted.count else { return }
        let (last, then) = (seen[seen.count - 1], wanted[seen.count - 1])
        if last != then { throw ReplayError("\(trace.name): \(sequence): came: \(last)\nrecorded: \(then)") }
    }

    // MARK: The client's and the peer's part

    private func perform(_ command: PeerCommand) async throws {
        for wait in waits { _ = try await wait.perform(on: peer(wait.device)) }
        waits = []
        guard let address = try await command.perform(on: peer(command.device)) else { return }
        let recorded = "C0:00:00:00:00:0\(command.device)"
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
        await connection.loop.run {
            _ = link.call(message) { result in
                _ = sink.yield(Self.reply(result, path: now, name: "\(interface).\(member)"))
            }
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
