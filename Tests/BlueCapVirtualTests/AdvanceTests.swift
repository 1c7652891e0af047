// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Advancing the radio until a condition holds", .timeLimit(.minutes(60)))
struct AdvanceTests {
    private static func world() -> (VirtualRadio, CentralManager) {
        let radio = VirtualRadio(clock: ManualClock())
        return (radio, CentralManager(backend: radio.central()))
    }

    @Test func `stops the clock when it does, and does not move it when it does already`() async throws {
        let radio = VirtualRadio(clock: ManualClock())
        let clock = radio.clock
        let hasRung = Locked(false)
        _ = clock.schedule(after: .seconds(3)) { hasRung.withLock { $0 = true } }
        _ = clock.schedule(after: .seconds(9)) {}
        try await radio.advance(until: { hasRung.withLock { $0 } })
        #expect(clock.elapsed == .seconds(3))
        try await radio.advance(until: { true })
        #expect(clock.elapsed == .seconds(3))
    }

    @Test func `waits for a call that begins late, on another thread`() async throws {
        let (radio, central) = Self.world()
        radio.add(VirtualPeripheral(name: "Tag"))
        let found = Locked(false)
        let gate = AsyncStream<Void>.makeStream()
        async let discovery: Discovery = {
            for await _ in gate.stream { break }
            defer { found.withLock { $0 = true } }
            try await central.whenPoweredOn()
            return try await central.firstDiscovery()
        }()
        // The radio has nothing to do, and its limit is over, long before the call begins.
        async let isFound: Void = radio.advance(
            until: { found.withLock { $0 } }, limit: .seconds(10), patience: .seconds(3600))
        for _ in 0..<100 { await Task.yield() }
        gate.continuation.finish()
        try await isFound
        #expect(try await discovery.peripheral.name == "Tag")
    }

    @Test func `gives a call its timeout, whenever the call begins`() async throws {
        let (radio, central) = Self.world()
        let tag = VirtualPeripheral(name: "Tag")
        radio.add(tag)
        let peripheral = try await radio.run { _ in
            try await central.whenPoweredOn()
            return try await central.firstDiscovery().peripheral
        }
        tag.stopAdvertising()
        let start = radio.clock.elapsed
        async let connecting: Void = peripheral.connect(timeout: .seconds(5))
        try await radio.advance(until: { peripheral.state == .connecting })
        try await radio.advance(until: { peripheral.state == .disconnected }, limit: .seconds(5))
        do {
            try await connecting
            Issue.record("a device that does not advertise was connected")
        } catch PeripheralError.connectionTimeout {}
        #expect(radio.clock.elapsed - start == .seconds(5))
    }

    @Test func `gives up with the reason when nothing is left to happen or the limit passes`() async throws {
        let radio = VirtualRadio(clock: ManualClock())
        await #expect(throws: VirtualRunError.stalled(at: .zero)) {
            try await radio.advance(until: { false }, patience: .milliseconds(20))
        }
        _ = radio.clock.schedule(after: .seconds(20)) {}
        await #expect(throws: VirtualRunError.limitReached(.seconds(10))) {
            try await radio.advance(until: { false }, limit: .seconds(10), patience: .milliseconds(20))
        }
        #expect(radio.clock.elapsed < .seconds(20))
    }

    @Test func `ends with its task`() async throws {
        let radio = VirtualRadio(clock: ManualClock())
        let task = Task { try await radio.advance(until: { false }) }
        task.cancel()
        await #expect(throws: VirtualRunError.cancelled) { try await task.value }
        try await radio.settle()
    }

    @Test func `on a clock that is not manual waits for as long as its limit`() async throws {
        let radio = VirtualRadio()
        let central = CentralManager(backend: radio.central())
        try await radio.advance(until: { central.isPoweredOn }, limit: .seconds(3600))
        await #expect(throws: VirtualRunError.limitReached(.milliseconds(20))) {
            try await radio.advance(until: { false }, limit: .milliseconds(20))
        }
    }
}
