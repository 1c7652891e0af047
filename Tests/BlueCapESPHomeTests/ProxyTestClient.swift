// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapCore
import BlueCapRuntime

@testable import BlueCapESPHome

/// A client of a proxy without a socket, by the same table of messages.
final class ProxyTestClient: ProxyChannel {
    private struct State {
        var number: Int?
        var cutter: FrameCutter
        var handshake: NoiseHandshake?
        var transport: NoiseHandshake.Transport?
        var messages: [any APIMessage] = []
        /// The payloads of frames before the transport.
        var greetings: [[UInt8]] = []
        var bytes: [UInt8] = []
        var pieces: [[UInt8]] = []
        var isClosed = false
        var waitingCount = 0
        var advertisementCount = 0
        var report: (@Sendable ((any APIMessage)?) -> Void)?
    }

    private let state: Locked<State>
    private let server: ProxyServer
    private let clock: BlueCapClock

    init(_ server: ProxyServer, key: NoiseKey? = nil, clock: BlueCapClock) {
        (self.server, self.clock) = (server, clock)
        state = Locked(
            State(cutter: FrameCutter(key == nil ? .clear : .sealed), handshake: key.map { NoiseHandshake($0) }))
    }

    // MARK: The channel

    /// The bytes that a test pretends to wait.
    var waitingCount: Int {
        get { state.withLock { $0.waitingCount } }
        set { state.withLock { $0.waitingCount = newValue } }
    }

    func send(_ bytes: [UInt8]) {
        let (news, report) = state.withLock { state in
            let count = state.messages.count
            Self.take(bytes, &state)
            let news = state.messages[count...]
            state.advertisementCount += news.reduce(0) {
                $0 + (($1 as? RawAdvertisementsResponse)?.advertisements.count ?? 0)
            }
            return (news, state.report)
        }
        if let report { for message in news { report(message) } }
    }

    func close() {
        let report = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed ? nil : state.report
        }
        report?(nil)
    }

    private static func take(_ bytes: [UInt8], _ state: inout State) {
        state.bytes += bytes
        state.pieces.append(bytes)
        state.cutter.append(bytes)
        while let frame = try? state.cutter.next() {
            switch frame {
            case .clear(let raw): state.messages += [(try? APIMessages.decode(raw)) ?? nil].compactMap(\.self)
            case .sealed(let payload):
                if let text = try? state.transport?.receiving.open(payload), let raw = try? RawMessage(text: text[...])
                {
                    state.messages += [(try? APIMessages.decode(raw)) ?? nil].compactMap(\.self)
                } else {
                    state.greetings.append(Array(payload))
                    if payload.first == 0 {
                        state.transport = try? state.handshake?.finish(Array(payload.dropFirst()))
                    }
                }
            }
        }
    }

    // MARK: The client

    var isClosed: Bool { state.withLock { $0.isClosed } }
    var greetings: [[UInt8]] { state.withLock { $0.greetings } }
    /// The bytes of the server as they were sent.
    var pieces: [[UInt8]] { state.withLock { $0.pieces } }
    /// How many advertisements have come.
    var advertisementCount: Int { state.withLock { $0.advertisementCount } }

    /// Calls a function with each message that comes, and with nil at the end.
    func onNews(_ report: @escaping @Sendable ((any APIMessage)?) -> Void) { state.withLock { $0.report = report } }

    /// All bytes of the server.
    var bytes: [UInt8] { state.withLock { $0.bytes } }

    /// Connects, without a word.
    func join() async {
        let number = await server.join(self)
        state.withLock { $0.number = number }
    }

    func leave() async { if let number = state.withLock({ $0.number }) { await server.leave(number) } }

    func send(raw bytes: [UInt8]) async {
        if let number = state.withLock({ $0.number }) { await server.receive(bytes, from: number) }
    }

    func send(_ message: any APIMessage) async { await send(raw: frame(message.raw)) }

    /// Sends two messages in one piece.
    func send(_ first: some APIMessage, _ second: some APIMessage) async {
        await send(raw: frame(first.raw) + frame(second.raw))
    }

    private func frame(_ raw: RawMessage) -> [UInt8] {
        state.withLock { state in
            guard state.handshake != nil else { return Frame.clear(raw).bytes }
            let text = try? state.transport?.sending.seal(raw.text)
            return text.map { Frame.sealed($0[...]).bytes } ?? []
        }
    }

    /// Connects and says hello, as clients do.
    func open(minorVersion: UInt32 = 19) async {
        await join()
        let first = state.withLock { try? $0.handshake?.begin() }
        if let first { await send(raw: Frame.sealed([]).bytes + Frame.sealed(([0] + first)[...]).bytes) }
        var hello = HelloRequest()
        (hello.client, hello.majorVersion, hello.minorVersion) = ("test", 1, minorVersion)
        await send(raw: frame(hello.raw) + frame(AuthenticationRequest().raw))
    }

    /// The numbers of the messages that have come and were not taken yet, in their order.
    var numbers: [UInt16] { state.withLock { $0.messages.map { type(of: $0).number } } }

    /// The messages of a type that have come and were not taken yet.
    func taken<Message: APIMessage>(_ type: Message.Type) -> [Message] {
        state.withLock { state in
            let found = state.messages.compactMap { $0 as? Message }
            state.messages.removeAll { $0 is Message }
            return found
        }
    }

    /// The next message of a type, within a time that passes on the clock of the radio.
    func next<Message: APIMessage>(
        _ type: Message.Type = Message.self, within limit: Duration = .seconds(40)
    ) async throws -> Message {
        let end = clock.elapsed + limit
        while true {
            let found = state.withLock { state -> Message? in
                guard let index = state.messages.firstIndex(where: { $0 is Message }) else { return nil }
                return state.messages.remove(at: index) as? Message
            }
            if let found { return found }
            guard clock.elapsed < end else { throw Missing(type: "\(type)") }
            try await clock.sleep(for: .milliseconds(10))
        }
    }

    /// The next message that is no advertisement, within a time that passes on the clock of the radio.
    func nextAnswer(within limit: Duration = .seconds(40)) async throws -> RawMessage {
        let end = clock.elapsed + limit
        while true {
            let found = state.withLock { state -> RawMessage? in
                let index = state.messages.firstIndex { !($0 is RawAdvertisementsResponse) }
                return index.map { state.messages.remove(at: $0).raw }
            }
            if let found { return found }
            guard clock.elapsed < end else { throw Missing(type: "answer") }
            try await clock.sleep(for: .milliseconds(10))
        }
    }

    struct Missing: Error {
        let type: String
    }

    // MARK: Requests

    func request(_ address: UInt64, _ kind: DeviceRequest.Kind) async {
        var request = DeviceRequest()
        (request.address, request.kind) = (address, kind.rawValue)
        await send(request)
    }

    func connect(_ address: UInt64, hasCache: Bool = false) async throws -> DeviceConnectionResponse {
        await request(address, hasCache ? .connectWithCache : .connectWithoutCache)
        return try await next()
    }

    func services(_ address: UInt64) async throws -> [RemoteService] {
        var request = ServicesRequest()
        request.address = address
        await send(request)
        _ = try await next(ServicesDoneResponse.self)
        return taken(ServicesResponse.self).flatMap(\.services)
    }

    func read(_ address: UInt64, _ handle: UInt32) async {
        var request = ReadRequest()
        (request.address, request.handle) = (address, handle)
        await send(request)
    }
}
#endif
