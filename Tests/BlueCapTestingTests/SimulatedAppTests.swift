// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import BlueCapVirtual
import Testing

@Suite("An app under simulation", .timeLimit(.minutes(60)))
struct SimulatedAppTests {
    actor Latest {
        private(set) var value: Bytes?

        func set(_ value: Bytes?) { self.value = value }
    }

    struct NoTemperature: Error {}

    struct Gateway: SimulatedApp {
        let central: CentralManager
        let clock: BlueCapClock
        let latest = Latest()

        init(in world: SimulatedWorld) async throws {
            central = world.makeCentral()
            clock = world.clock
            world.radio.add(
                VirtualPeripheral(name: "Thermometer") {
                    VirtualService("1809") { VirtualCharacteristic("2A1E", properties: .read, value: [21]) }
                })
        }

        func run() async throws {
            while !Task.isCancelled {
                do {
                    try await central.whenPoweredOn()
                    let found = try await central.firstDiscovery(for: ["1809"], timeout: .seconds(10))
                    try await found.peripheral.connect(timeout: .seconds(5))
                    try await found.peripheral.discover(timeout: .seconds(10))
                    await latest.set(try await found.peripheral.characteristic("2A1E").read(timeout: .seconds(5)))
                } catch {
                    await latest.set(nil)
                }
                // After an error too: a device with a link is not found by a scan.
                await central.disconnectAllPeripherals()
                try? await clock.sleep(for: .seconds(5))
            }
        }

        func check() async throws {
            if await latest.value == nil { throw NoTemperature() }
        }
    }

    /// Keeps trying to connect to an address that its device does not use any more.
    struct Patient: SimulatedApp {
        let central: CentralManager
        let device = VirtualPeripheral(name: "Thermometer") { VirtualService("1809") {} }

        init(in world: SimulatedWorld) async throws {
            central = world.makeCentral()
            world.radio.add(device)
        }

        func run() async throws {
            try await central.whenPoweredOn()
            let peripheral = try await central.firstDiscovery(for: ["1809"]).peripheral
            device.changeAddress(to: "5A:DE:5E:ED:00:01")
            try await peripheral.connect()
        }

        func check() async throws {}

        func check(pending: PendingWork) async throws {
            if !pending.attempts.isEmpty { throw StillTrying(attempts: pending.attempts) }
        }
    }

    @Test func `that waits for what never comes is given what is pending, and fails by its own check`() async throws {
        let failure = await #expect(throws: SimulationFailure.self) {
            try await Simulation(faultCount: 0, shrinkingLimit: 0).run(Patient.self, seed: 1)
        }
        #expect(failure?.description.contains("StillTrying") == true)
    }

    @Test func `that tries again passes`() async throws {
        try await Simulation().run(Gateway.self, seeds: 1...20)
    }

    /// Gives up at the first error.
    struct Hasty: SimulatedApp {
        let gateway: Gateway

        init(in world: SimulatedWorld) async throws { gateway = try await Gateway(in: world) }

        func run() async throws {
            try await gateway.central.whenPoweredOn()
            let peripheral = try await gateway.central.firstDiscovery(for: ["1809"]).peripheral
            try await peripheral.connect()
            try await peripheral.discover()
            let temperature = try peripheral.characteristic("2A1E")
            while !Task.isCancelled { await gateway.latest.set(try await temperature.read()) }
        }

        func check() async throws {}
    }

    @Test func `that gives up fails, and is told with the few steps that it takes`() async throws {
        let failure = await #expect(throws: SimulationFailure.self) {
            try await Simulation().run(Hasty.self, seeds: 1...20)
        }
        let told = try #require(failure)
        #expect(told.steps.count < told.stepCount)
        #expect(told.description.contains("run it again: Simulation().run(Hasty.self, seed: \(told.seed))"))
    }

    @Test func `that fails in a run of its own length is told with that length`() async throws {
        let failure = await #expect(throws: SimulationFailure.self) {
            try await Simulation(duration: .seconds(90), faultCount: 20, shrinkingLimit: 0).run(
                Hasty.self, seeds: 1...20)
        }
        let told = try #require(failure)
        let call = "Simulation(duration: .milliseconds(90000), faultCount: 20).run(Hasty.self, seed: \(told.seed))"
        #expect(told.description.contains("run it again: \(call)"))
    }
}

private typealias Gateway = SimulatedAppTests.Gateway

extension Gateway {
    func check(pending: PendingWork) async throws {
        if pending.attempts.count > 1 { throw StillTrying(attempts: pending.attempts) }
    }
}

struct StillTrying: Error { let attempts: [PeerIdentifier] }
