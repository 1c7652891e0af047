// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTesting
import Synchronization
import Testing

/// The server of the article, with ten clients of one strap that come and go, while everything goes wrong that can.
private struct HeartRateServer: SimulatedApp {
    struct NotServed: Error { let client: Int }

    /// When each client got a value last.
    private final class Served: Sendable {
        private let times = Mutex<[Int: Duration]>([:])

        func note(_ client: Int, at time: Duration) { times.withLock { $0[client] = time } }
        func last(_ client: Int) -> Duration { times.withLock { $0[client] ?? .zero } }
    }

    /// The strap that was heard last.
    private final class Found: Sendable {
        private let newest = Mutex<Peripheral?>(nil)

        var strap: Peripheral? { newest.withLock { $0 } }
        func note(_ strap: Peripheral) { newest.withLock { $0 = strap } }
    }

    private let central: CentralManager
    private let found = Found()
    private let rate = VirtualCharacteristic(HeartRateService.Measurement.uuid, properties: [.read, .notify])
    private let served = Served()
    private let clients = 0..<10

    init(in world: SimulatedWorld) async throws {
        central = world.makeCentral()
        world.radio.add(
            VirtualPeripheral(
                name: "Strap", services: [VirtualService(HeartRateService.uuid, characteristics: [rate])]))
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    rate.notify(HeartRateService.Measurement(beatsPerMinute: 60))
                    try await central.clock.sleep(for: .seconds(1))
                }
            }
            group.addTask { try await scan() }
            for client in clients { group.addTask { try await visit(as: client) } }
            for try await _ in group {}
        }
    }

    /// Hears every packet: a strap may also return to an address that it had before.
    private func scan() async throws {
        let options = ScanOptions(allowsDuplicates: true)
        while true {
            do {
                try await central.whenPoweredOn()
                for try await discovery in central.scan(for: [HeartRateService.uuid], options: options)
                where discovery.kind != .lost { found.note(discovery.peripheral) }
            } catch let error {
                if Task.isCancelled { throw error }
            }
            try await central.clock.sleep(for: .seconds(5))
        }
    }

    /// A client that comes, asks again when its stream ends, leaves after a while and comes again, for ever.
    private func visit(as client: Int) async throws {
        while true {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while true {
                        if let strap = found.strap {
                            try? await serve(strap) { _ in served.note(client, at: central.clock.elapsed) }
                        }
                        try await central.clock.sleep(for: .seconds(5))
                    }
                }
                try await central.clock.sleep(for: .seconds(30 + 7 * client))
                group.cancelAll()
            }
            try await central.clock.sleep(for: .seconds(client))
        }
    }

    func check() async throws {
        for client in clients where central.clock.elapsed - served.last(client) > .seconds(60) {
            throw NotServed(client: client)
        }
    }
}

@Suite("A strap with several users under simulation", .timeLimit(.minutes(60)))
struct SharedStrapSimulationTests {
    @Test func `every client is served again after every fault`() async {
        await SimulationSeeds.play(HeartRateServer.self, in: Self.self)
    }
}
