// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Scopes that share a link", .timeLimit(.minutes(60)))
struct SharedLinkTests {
    /// A central that has found a strap.
    private struct Gym: Sendable {
        let strap: VirtualPeripheral
        let central: CentralManager
        let peripheral: Peripheral
        let clock: BlueCapClock
    }

    private static let hour = Duration.seconds(3600)

    private func inGym(_ body: @escaping @Sendable (Gym) async throws -> Void) async throws {
        try await VirtualRadio.run { radio in
            let strap = VirtualPeripheral(name: "Strap", services: [VirtualService("180F", characteristics: [])])
            radio.add(strap)
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn()
            let peripheral = try await central.firstDiscovery().peripheral
            try await body(Gym(strap: strap, central: central, peripheral: peripheral, clock: radio.clock))
        }
    }

    @Test func `the first scope to end leaves the link to the other`() async throws {
        try await inGym { gym in
            async let other = gym.peripheral.stayConnected { peripheral in
                try await gym.clock.sleep(for: .seconds(10))
                return peripheral.statistics.connectionCount
            }
            try await gym.peripheral.stayConnected { _ in try await gym.clock.sleep(for: .seconds(1)) }
            #expect(gym.peripheral.isConnected)
            let value = try await other
            #expect(value == 1)
        }
    }

    @Test func `the last scope to end ends the link`() async throws {
        try await inGym { gym in
            async let other: Void = gym.peripheral.stayConnected { _ in try await gym.clock.sleep(for: .seconds(10)) }
            try await gym.peripheral.stayConnected { _ in try await gym.clock.sleep(for: .seconds(1)) }
            try await other
            #expect(gym.peripheral.state == .disconnected)
        }
    }

    @Test func `a scope that begins while the last one disconnects waits for a new link`() async throws {
        try await inGym { gym in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = try? await gym.peripheral.stayConnected { _ in try await gym.clock.sleep(for: Self.hour) }
                }
                try? await gym.clock.sleep(for: .seconds(5))
                // In a cancelled task nothing waits for the end of the link.
                group.cancelAll()
            }
            #expect(gym.peripheral.state == .disconnecting)
            let count = try await gym.peripheral.stayConnected(.never) { $0.statistics.connectionCount }
            #expect(count == 2)
        }
    }

    @Test func `a stricter policy ends its own scope only`() async throws {
        try await inGym { gym in
            async let other = gym.peripheral.stayConnected { peripheral in
                if peripheral.statistics.connectionCount == 2 { return 7 }
                try await gym.clock.sleep(for: Self.hour)
                return 0
            }
            await #expect(throws: PeripheralError.self) {
                try await gym.peripheral.stayConnected(.never) { _ in
                    gym.strap.disconnect()
                    try await gym.clock.sleep(for: Self.hour)
                }
            }
            let value = try await other
            #expect(value == 7)
        }
    }

    @Test func `a shorter timeout ends its own scope only`() async throws {
        try await inGym { gym in
            gym.strap.vanish()
            async let other = gym.peripheral.stayConnected(.never) { _ in 7 }
            await #expect(throws: PeripheralError.connectionTimeout) {
                try await gym.peripheral.stayConnected(.never, timeout: .seconds(5)) { _ in }
            }
            gym.strap.reappear()
            let value = try await other
            #expect(value == 7)
        }
    }

    @Test func `a longest absence ends its own scope only`() async throws {
        try await inGym { gym in
            gym.strap.vanish()
            async let other = gym.peripheral.stayConnected { _ in 7 }
            await #expect(throws: PeripheralError.connectionTimeout) {
                try await gym.peripheral.stayConnected(ReconnectPolicy(maximumAbsence: .seconds(5))) { _ in }
            }
            gym.strap.reappear()
            let value = try await other
            #expect(value == 7)
        }
    }

    @Test func `a cancelled scope leaves the attempt to a call by hand`() async throws {
        try await inGym { gym in
            gym.strap.vanish()
            async let byHand: Void = gym.peripheral.connect()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await gym.peripheral.stayConnected { _ in } }
                try await gym.clock.sleep(for: .seconds(1))
                group.cancelAll()
                await #expect(throws: PeripheralError.cancelled) { try await group.next() }
            }
            gym.strap.reappear()
            try await byHand
            #expect(gym.peripheral.isConnected)
        }
    }

    @Test func `a disconnection by hand ends all scopes`() async throws {
        try await inGym { gym in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        await #expect(throws: PeripheralError.forcedDisconnect) {
                            try await gym.peripheral.stayConnected { _ in try await gym.clock.sleep(for: Self.hour) }
                        }
                    }
                }
                try? await gym.clock.sleep(for: .seconds(5))
                await gym.peripheral.disconnect()
            }
        }
    }

    @Test func `a disconnection by hand between two connections ends all scopes, and sends an event`() async throws {
        try await inGym { gym in
            let policy = ReconnectPolicy(backoff: .constant(.seconds(60)))
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        await #expect(throws: PeripheralError.forcedDisconnect) {
                            try await gym.peripheral.stayConnected(policy) { _ in
                                try await gym.clock.sleep(for: Self.hour)
                            }
                        }
                    }
                }
                try? await gym.clock.sleep(for: .seconds(5))
                gym.strap.disconnect()
                try? await gym.clock.sleep(for: .seconds(5))
                group.addTask {
                    for await event in gym.peripheral.connectionEvents() where event == .forcedDisconnect { break }
                }
                try? await gym.clock.sleep(for: .seconds(1))
                await gym.peripheral.disconnect()
            }
        }
    }

    @Test func `the last scope ends a connection that was made by hand`() async throws {
        try await inGym { gym in
            try await gym.peripheral.connect()
            try await gym.peripheral.stayConnected { _ in }
            #expect(gym.peripheral.state == .disconnected)
        }
    }

    @Test func `an exhausted policy sends an event, unless another scope goes on`() async throws {
        try await inGym { gym in
            let gaveUp = Locked(0)
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await event in gym.peripheral.connectionEvents() where event == .gaveUp {
                        gaveUp.withLock { $0 += 1 }
                    }
                }
                for losses in 0..<3 {
                    group.addTask {
                        let policy = ReconnectPolicy(maximumDisconnections: losses)
                        _ = try? await gym.peripheral.stayConnected(policy) { _ in
                            try await gym.clock.sleep(for: .seconds(5))
                            gym.strap.disconnect()
                            try await gym.clock.sleep(for: Self.hour)
                        }
                    }
                }
                try? await gym.clock.sleep(for: .seconds(60))
                group.cancelAll()
            }
            #expect(gaveUp.withLock { $0 } == 1)
        }
    }

    @Test func `time without the radio is no loss, and a scope connects when the radio is back`() async throws {
        try await VirtualRadio.run { radio in
            radio.add(VirtualPeripheral(name: "Strap", services: []))
            let backend = radio.central()
            let central = CentralManager(backend: backend)
            try await central.whenPoweredOn()
            let peripheral = try await central.firstDiscovery().peripheral
            let count = try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    let policy = ReconnectPolicy(maximumTimeouts: 0, maximumDisconnections: 1)
                    return try await peripheral.stayConnected(policy) { peripheral in
                        let count = peripheral.statistics.connectionCount
                        if count == 3 { return count }
                        backend.adapter.powerOff()
                        try await radio.clock.sleep(for: Self.hour)
                        return count
                    }
                }
                group.addTask {
                    for await state in central.states() where state == .poweredOff {
                        try await radio.clock.sleep(for: .seconds(30))
                        backend.adapter.powerOn()
                    }
                    return 0
                }
                defer { group.cancelAll() }
                return try await group.next()
            }
            #expect(count == 3)
        }
    }
}
