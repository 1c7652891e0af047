// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@testable import BlueCapTesting

/// A program in the peripheral role under simulation, with a central that uses it.
private struct Served: SimulatedApp {
    struct NotServed: Error {}
    struct OtherLinks: Error { let connection: VirtualConnection }

    private static let connection = VirtualConnection(interval: .milliseconds(20), maximumConnections: 2)

    /// When the central was served last.
    private actor Record {
        private(set) var last = Duration.zero

        func note(_ time: Duration) { last = time }
    }

    private let server: PeripheralManager
    private let central: CentralManager
    private let adapter: VirtualAdapter
    private let clock: BlueCapClock
    private let record = Record()

    init(in world: SimulatedWorld) async throws {
        adapter = world.radio.adapter(configuration: .init(connection: Self.connection))
        server = world.makePeripheralManager()
        central = world.makeCentral(address: "C0:DE:00:00:00:01")
        clock = world.clock
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await serve() }
            group.addTask { try await use() }
            for try await _ in group {}
        }
    }

    /// Offers a value, however often that takes.
    private func serve() async throws {
        let service = MutableService(uuid: "FFF0")
        service.characteristics = [MutableCharacteristic(uuid: "FFF1", value: [1])]
        while true {
            try? await server.whenPoweredOn()
            if server.services.isEmpty { try? await server.add(service, timeout: .seconds(5)) }
            if !server.isAdvertising {
                try? await server.startAdvertising("Served", serviceUUIDs: ["FFF0"], timeout: .seconds(5))
            }
            try await clock.sleep(for: .seconds(1))
        }
    }

    private func use() async throws {
        while true {
            do {
                try await central.whenPoweredOn()
                let found = try await central.firstDiscovery(for: ["FFF0"], timeout: .seconds(10)).peripheral
                let value = try await found.stayConnected(.never, timeout: .seconds(5), discovering: ["FFF0"]) {
                    try await $0.characteristic("FFF1").read(timeout: .seconds(5))
                }
                if value == [1] { await record.note(clock.elapsed) }
            } catch {
                try await clock.sleep(for: .seconds(1))
            }
            try await clock.sleep(for: .seconds(1))
        }
    }

    func check() async throws {
        if await clock.elapsed - record.last > .seconds(60) { throw NotServed() }
        // The faults of its links were taken back, to the parameters that the program gave them.
        if adapter.connection != Self.connection { throw OtherLinks(connection: adapter.connection) }
    }
}

/// A program in the peripheral role that gives up when it may not advertise.
private struct Hasty: SimulatedApp {
    private let server: PeripheralManager
    private let clock: BlueCapClock

    init(in world: SimulatedWorld) async throws {
        server = world.makePeripheralManager()
        clock = world.clock
    }

    func run() async throws {
        while true {
            try await server.whenPoweredOn()
            try await server.startAdvertising("Hasty", timeout: .seconds(5))
            try await clock.sleep(for: .seconds(5))
            try? await server.stopAdvertising()
        }
    }

    func check() async throws {}
}

/// A program without a radio.
private struct Deaf: SimulatedApp {
    init(in world: SimulatedWorld) async throws {}
    func run() async throws {}
    func check() async throws {}
}

@Suite("A program in the peripheral role under simulation", .timeLimit(.minutes(60)))
struct ServedProgramSimulationTests {
    @Test func `has faults of its own, and serves again after each`() async throws {
        var tally = FaultTally()
        var lines: [String] = []
        for seed in 1...50 as ClosedRange<UInt64> {
            let trace = try await Simulation().run(Served.self, seed: seed)
            tally = tally + trace.tally
            lines += trace.lines
        }
        // Seven in a hundred are such as only virtual peripherals have.
        #expect(tally.played * 10 >= tally.all * 9)
        #expect(tally.all == 50 * 12)
        for text in [
            "goes out of range", "answers no more", "longer to answer", "% of the packets", "refuses connections",
            "m away", "disconnects its centrals", "refuses advertisements", "an interval of", "takes packets of",
            "is switched off", "is pulled out",
        ] {
            #expect(lines.contains { $0.contains("adapter ") && $0.contains(text) }, "\(text)")
        }
        #expect(lines.contains { $0.contains("adapter C0:DE:00:00:00:01 goes out of range") })
    }

    @Test func `is told with the fault that it takes, by the name of its adapter`() async throws {
        let failure = await #expect(throws: SimulationFailure.self) {
            try await Simulation().run(Hasty.self, seeds: 1...50)
        }
        let told = try #require(failure)
        #expect(told.steps.first?.subject == "adapter 00:00:5E:00:53:01")
        #expect(told.description.contains("of 12 faults had a device or an adapter to befall"))
    }

    @Test func `a world without a radio has faults that befall nobody, and its run says so`() async throws {
        let trace = try await Simulation().run(Deaf.self, seed: 1)
        #expect(trace.effectiveFaultCount == 0)
        #expect(trace.faultCount == 12)
        #expect(trace.lines.contains { $0.contains("which befalls nobody") })
    }
}

@Suite("A world with virtual peripherals under simulation", .timeLimit(.minutes(60)))
struct NamedFaultTests {
    @Test func `names the device, its attribute, its service and its address in the steps of a run`() async throws {
        let steps: [(DeviceFault, String)] = [
            (.error(1, .read, .outOfRange), "Device 1 answers read of "),
            (.hold(0, .write), "Device 1 holds write of "),
            (.service(1, isThere: false), "Device 1 takes service "),
            (.address(1), "Device 1 uses the address C0:DE:5E:ED:01:"),
            (.vanish, "Device 1 goes out of range"),
        ]
        let faults = steps.enumerated().map { index, step in
            SimulationStep(time: .seconds(index), lane: 0, action: .fault(.device(21, step.0)))
        }
        let outcome = await Simulation().play(RandomProgram.self, seed: 1, steps: faults)
        let named = try #require(outcome.steps)
        for (step, (fault, text)) in zip(named, steps) {
            #expect(step.what.hasPrefix(text), "\(fault): \(step)")
            #expect(step.subject == "Device 1")
        }
        let address = SimulationStep(time: .zero, lane: 0, action: .fault(.adapter(1, .powerOff)))
        let other = await Simulation().play(RandomProgram.self, seed: 1, steps: [address])
        #expect(other.steps?.first?.what == "adapter 00:00:5E:00:53:02 is switched off")
    }
}
