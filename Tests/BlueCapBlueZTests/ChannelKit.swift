// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapFakeKernel
import BlueCapKernel
import BlueCapLoop
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTestExecutor

/// The kernel's channels under a backend, as a test plays them, and the events that the backend makes of them.
final class ChannelKit<Backend: ChannelRole>: Sendable {
    let fake: FakeChannels
    /// The far ends of the channels that the program opens.
    let opened: Recorder<FakeChannel>
    private let loop: EventLoop
    private let backend: Backend
    /// The bus and the daemon under the backend.
    private let stage: any Sendable
    private let box = Mailbox<ChannelEvent, Never>(capacity: .unbounded)
    private let lastRequest = Locked<UInt64>(0)

    init(_ backend: Backend, on stage: any Sendable) async throws {
        let (loop, opened) = (try EventLoop(), Recorder<FakeChannel>())
        (self.loop, self.opened, self.backend, self.stage) = (loop, opened, backend, stage)
        fake = FakeChannels(on: loop) { opened.add($0) }
        let sink = ChannelEventSink { [box] in box.push($0) }
        await run { [fake] in
            $0.activateChannels(sink)
            $0.session?.openChannels(by: fake)
        }
    }

    private func run(_ body: @Sendable (isolated Backend) -> Void) async {
        await Self.run(body, on: backend)
    }

    private static func run(_ body: @Sendable (isolated Backend) -> Void, on backend: isolated Backend) {
        body(backend)
    }

    /// Runs `body` where the far ends are.
    func far<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value { try await loop.run(body) }

    @discardableResult
    func request(_ operation: ChannelOperation) async -> RequestID {
        let number = lastRequest.withLock { number in
            number += 1
            return number
        }
        let request = ChannelRequest(id: RequestID(rawValue: number), operation: operation)
        await run { $0.performOnChannels(request) }
        return request.id
    }

    func command(_ command: ChannelCommand) async { await run { $0.command(command) } }

    /// The number of events that were not taken yet, behind all that the loops have done.
    func eventCount() async -> Int {
        await far {}
        await run { _ in }
        return box.count
    }

    func next() async throws -> ChannelEvent {
        guard let event = await box.next() else { throw CancellationError() }
        return event
    }

    func answer(to id: RequestID) async throws -> Result<ChannelReply, ChannelError> {
        guard case .reply(id, let result) = try await next() else { throw Unexpected("another event") }
        return result
    }

    func perform(_ operation: ChannelOperation) async throws -> Result<ChannelReply, ChannelError> {
        try await answer(to: await request(operation))
    }

    func received() async throws -> Bytes {
        guard case .received(_, let unit) = try await next() else { throw Unexpected("no unit") }
        return unit
    }

    func end(of id: ChannelID) async throws -> ChannelError? {
        guard case .closed(id, let error) = try await next() else { throw Unexpected("no end") }
        return error
    }

    /// The next far end of a channel that the program opens.
    func farEnd(_ number: Int = 1) async -> FakeChannel {
        await opened.wait(for: number)
        return opened.all[number - 1]
    }

    func end() async {
        await far { [opened] in for channel in opened.all { channel.close() } }
        await loop.stop()
    }
}
#endif
