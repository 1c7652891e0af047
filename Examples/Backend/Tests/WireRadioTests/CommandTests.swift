// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapTesting
import Synchronization
import Testing
import WireRadio

@Suite("A command", .timeLimit(.minutes(60)))
struct CommandTests {
    struct Command: Sendable, CustomStringConvertible {
        let description: String
        let run: @Sendable (isolated WireCentralBackend) -> Void

        init(_ description: String, run: @escaping @Sendable (isolated WireCentralBackend) -> Void) {
            self.description = description
            self.run = run
        }

        init(_ operation: CentralOperation) {
            self.init("\(operation)") { backend in
                backend.perform(CentralRequest(id: RequestID(rawValue: 1), operation: operation))
            }
        }
    }

    private static let peripheral: PeerIdentifier = "C0:DE:00:00:00:01"
    private static let attribute = AttributeID(rawValue: 2)

    private static let commands: [Command] = [
        Command("scan") { $0.scan(ScanRequest()) },
        Command("connect") { $0.connect(peripheral) },
        Command("disconnect") { $0.disconnect(peripheral) },
        Command(.retrieve([peripheral])),
        Command(.retrieveConnected(services: [])),
        Command(.readRSSI(peripheral)),
        Command(.discoverServices(peripheral, nil)),
        Command(.read(peripheral, attribute)),
        Command(.write(peripheral, attribute, [], .withoutResponse)),
        Command(.pair(peripheral)),
        Command(.removeBond(peripheral)),
    ]

    @Test(arguments: commands)
    func `reports no event before it has returned`(command: Command) async throws {
        let backend = WireCentralBackend()
        let count = EventCount()
        let (events, report) = AsyncStream.makeStream(of: CentralEvent.self)
        await backend.activate(
            clock: .continuous,
            sink: CentralEventSink { event in
                count.value.add(1, ordering: .relaxed)
                report.yield(event)
            })
        // A device in range is sighted, so that the scan has a result.
        let device = WireDevice(index: 0, backend: backend)
        _ = try await device.configure(Twin(address: Self.peripheral, name: "Device"))
        try await device.advertise(true)
        await backend.scan(ScanRequest())
        _ = await events.first { if case .sighted = $0 { true } else { false } }
        #expect(await backend.eventCount(count, during: command) == 0)
        await backend.invalidate()
    }
}

private final class EventCount: Sendable {
    let value = Atomic(0)
}

extension WireCentralBackend {
    /// The number of events that a command reports while it runs.
    fileprivate func eventCount(_ count: EventCount, during command: CommandTests.Command) -> Int {
        let before = count.value.load(ordering: .relaxed)
        command.run(self)
        return count.value.load(ordering: .relaxed) - before
    }
}
