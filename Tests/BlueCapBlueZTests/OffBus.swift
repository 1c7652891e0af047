// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapRuntime

/// A backend of the peripheral role that has no bus, for tests of its rooms.
final class OffBus: Sendable {
    typealias Command = @Sendable (isolated BlueZPeripheralBackend) -> Void

    private let backend = BlueZPeripheralBackend(bus: "nowhere")
    private let events = Mailbox<PeripheralEvent, Never>(capacity: .unbounded)

    /// Activates the backend, and takes its report that there is no bus.
    init() async {
        await run({ [events] in $0.activate(clock: .continuous, sink: PeripheralEventSink { events.push($0) }) })
        _ = await events.next()
    }

    /// Runs a command, and returns the failure of its answer; nil if the answer is another one.
    func failure(of command: Command) async -> OperationFailure? {
        await run(command)
        if case .reply(_, .failure(let failure)) = await events.next() { return failure }
        return nil
    }

    private func run(_ command: Command) async { await run(command, on: backend) }

    private func run(_ command: Command, on backend: isolated BlueZPeripheralBackend) { command(backend) }
}
#endif
