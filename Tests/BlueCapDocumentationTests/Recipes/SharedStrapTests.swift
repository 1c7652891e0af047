// SPDX-License-Identifier: MIT

// What the article shows stands here as it stands there.
// swift-format-ignore-file
import BlueCap
import Synchronization
import Testing

/// Sends the heart rates of a strap to one client of a server, until the task is cancelled because the client has left,
/// or the strap was away for a minute.
func serve(_ strap: Peripheral, send: @escaping @Sendable (Int) async -> Void) async throws {
    let policy = ReconnectPolicy(maximumTimeouts: nil, maximumDisconnections: nil, maximumAbsence: .seconds(60))
    try await strap.stayConnected(policy, timeout: .seconds(10), discovering: [HeartRateService.uuid]) { strap in
        let measurement = try strap.characteristic(HeartRateService.Measurement.self)
        for try await value in try await measurement.notifications(capacity: .newest(1)) {
            await send(Int(value.beatsPerMinute))
        }
    }
}

/// How many values each client has received.
private final class Tally: Sendable {
    private let counts = Mutex([Int](repeating: 0, count: 10))

    var all: [Int] { counts.withLock { $0 } }
    func add(_ client: Int) { counts.withLock { $0[client] += 1 } }
}

@Suite("A strap with several users", .timeLimit(.minutes(60)))
struct SharedStrapTests {
    @Test func `ten clients of a server get the heart rates of one strap over one link`() async throws {
        try await VirtualRadio.run { radio in
            let rate = VirtualCharacteristic(HeartRateService.Measurement.uuid, properties: [.notify])
            radio.add(VirtualPeripheral(name: "Strap", services: [VirtualService(HeartRateService.uuid, characteristics: [rate])]))
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn()
            let strap = try await central.firstDiscovery(for: [HeartRateService.uuid]).peripheral
            let received = Tally()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while true {
                        rate.notify(HeartRateService.Measurement(beatsPerMinute: 60))
                        try await radio.clock.sleep(for: .seconds(1))
                    }
                }
                for number in 0..<10 {
                    group.addTask {
                        try await withThrowingTaskGroup(of: Void.self) { client in
                            client.addTask { try await serve(strap) { _ in received.add(number) } }
                            try await radio.clock.sleep(for: .seconds(10 + number))
                            client.cancelAll()
                        }
                    }
                }
                for _ in 0..<10 { try await group.next() }
                group.cancelAll()
            }
            #expect(strap.statistics.connectionCount == 1)
            #expect(received.all.allSatisfy { $0 > 5 })
        }
    }
}
