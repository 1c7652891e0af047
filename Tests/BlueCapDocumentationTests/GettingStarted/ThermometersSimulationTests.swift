// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTesting
import Synchronization
import Testing

/// The article about several devices, with two thermometers, while everything goes wrong that can.
private struct Thermometers: SimulatedApp {
    struct NotHeard: Error { let degrees: Double }

    /// The time when each temperature was shown last.
    private final class Shown: Sendable {
        private let times = Mutex<[Double: Duration]>([:])

        func note(_ degrees: Double, at time: Duration) { times.withLock { $0[degrees] = time } }
        func last(_ degrees: Double) -> Duration { times.withLock { $0[degrees] ?? .zero } }
    }

    private let central: CentralManager
    private let degrees = [18.0, 21]
    private let temperatures: [VirtualCharacteristic]
    private let shown = Shown()

    init(in world: SimulatedWorld) async throws {
        central = world.makeCentral()
        temperatures = degrees.map { _ in
            VirtualCharacteristic(EnvironmentalSensingService.Temperature.uuid, properties: [.read, .notify])
        }
        for (degrees, temperature) in zip(degrees, temperatures) {
            world.radio.add(
                VirtualPeripheral(
                    name: "at \(Int(degrees))",
                    services: [VirtualService(EnvironmentalSensingService.uuid, characteristics: [temperature])]))
        }
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await listenToAll(
                    central, show: { shown.note($1, at: central.clock.elapsed) }, report: { _, _ in })
            }
            group.addTask {
                while true {
                    for (degrees, temperature) in zip(degrees, temperatures) {
                        temperature.notify(try EnvironmentalSensingService.Temperature(degrees))
                    }
                    try await central.clock.sleep(for: .seconds(10))
                }
            }
            for try await _ in group {}
        }
    }

    func check() async throws {
        for degrees in degrees where central.clock.elapsed - shown.last(degrees) > .seconds(60) {
            throw NotHeard(degrees: degrees)
        }
    }
}

extension Thermometers {
    func check(pending: PendingWork) async throws {
        if !pending.attempts.isEmpty { throw StillTrying(attempts: pending.attempts) }
    }
}

private struct StillTrying: Error { let attempts: [PeerIdentifier] }

/// The article about several devices, with a thermometer with privacy: it comes back under another address each time.
private struct Wanderer: SimulatedApp {
    struct NotHeard: Error { let addresses: [PeerIdentifier] }

    private static let addressCount = 24

    private let central: CentralManager
    private let wanderer: VirtualPeripheral
    private let temperature = VirtualCharacteristic(
        EnvironmentalSensingService.Temperature.uuid, properties: [.read, .notify])
    /// The addresses under which it was heard.
    private let heard = Heard()

    private final class Heard: Sendable {
        private let state = Mutex<Set<PeerIdentifier>>([])

        func note(_ address: PeerIdentifier) { state.withLock { _ = $0.insert(address) } }
        var addresses: [PeerIdentifier] { state.withLock { $0.sorted() } }
    }

    init(in world: SimulatedWorld) async throws {
        central = world.makeCentral()
        wanderer = VirtualPeripheral(
            name: "Wanderer",
            services: [VirtualService(EnvironmentalSensingService.uuid, characteristics: [temperature])])
        world.radio.add(wanderer)
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await listenToAll(
                    central, show: { _, _ in heard.note(wanderer.identifier) }, report: { _, _ in })
            }
            group.addTask {
                while true {
                    temperature.notify(try EnvironmentalSensingService.Temperature(21))
                    try await central.clock.sleep(for: .seconds(10))
                }
            }
            for number in 10..<10 + Self.addressCount - 1 {
                try await central.clock.sleep(for: .seconds(90))
                wanderer.changeAddress(to: "5A:DE:5E:ED:00:\(number)")
                wanderer.disconnect()
            }
            for try await _ in group {}
        }
    }

    func check() async throws {
        if heard.addresses.count < Self.addressCount { throw NotHeard(addresses: heard.addresses) }
    }

    func check(pending: PendingWork) async throws {
        if !pending.attempts.isEmpty { throw StillTrying(attempts: pending.attempts) }
    }
}

@Suite("Several devices under simulation", .timeLimit(.minutes(60)))
struct ThermometersSimulationTests {
    @Test func `all thermometers are heard again after every fault`() async {
        await SimulationSeeds.play(Thermometers.self, in: Self.self)
    }

    @Test func `a thermometer that changes its address is heard under each, and none is waited for`() async throws {
        try await Simulation(duration: .seconds(24 * 90), faultCount: 0, shrinkingLimit: 0).run(Wanderer.self, seed: 1)
    }
}
