// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("A scope for a connection", .timeLimit(.minutes(60)))
struct StayConnectedTests {
    private struct Refusal: Error {}

    /// A central that has found a strap, which notifies its level to each that subscribes.
    private struct Gym: Sendable {
        let strap: VirtualPeripheral
        let central: CentralManager
        let peripheral: Peripheral
        let clock: BlueCapClock
        /// The number of times that the body ran, for its tests to count.
        let visits = Locked(0)

        @discardableResult
        func arrive() -> Int {
            visits.withLock {
                $0 += 1
                return $0
            }
        }
    }

    private func inGym(_ body: @escaping @Sendable (Gym) async throws -> Void) async throws {
        try await VirtualRadio.run { radio in
            let level = VirtualCharacteristic("2A19", properties: [.read, .notify], value: [50])
            let strap = VirtualPeripheral(
                name: "Strap", services: [VirtualService("180F", characteristics: [level])])
            radio.add(strap)
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn()
            let peripheral = try await central.firstDiscovery().peripheral
            try await body(Gym(strap: strap, central: central, peripheral: peripheral, clock: radio.clock))
        }
    }

    @Test func `gives what its body returns, and ends the connection`() async throws {
        try await inGym { gym in
            let value = try await gym.peripheral.stayConnected { peripheral in
                #expect(peripheral.state == .connected)
                return 7
            }
            #expect(value == 7)
            #expect(gym.peripheral.state == .disconnected)
        }
    }

    @Test func `discovers the services that it is asked for before the body runs`() async throws {
        try await inGym { gym in
            let value = try await gym.peripheral.stayConnected(discovering: ["180F"]) { peripheral in
                try await peripheral.characteristic("2A19").read()
            }
            #expect(value == [50])
        }
    }

    @Test func `cancels its body when the link is lost, and runs it again after the next connection`() async throws {
        try await inGym { gym in
            let wasCancelled = Locked(false)
            let value = try await gym.peripheral.stayConnected { _ in
                let visit = gym.arrive()
                if visit == 2 { return visit }
                gym.strap.disconnect()
                do { try await gym.clock.sleep(for: .seconds(3600)) } catch { wasCancelled.withLock { $0 = true } }
                return visit
            }
            #expect(value == 2)
            #expect(wasCancelled.withLock { $0 })
        }
    }

    @Test func `runs again when a loop over notifications ends with the link`() async throws {
        try await inGym { gym in
            let value = try await gym.peripheral.stayConnected(discovering: nil) { peripheral in
                let visit = gym.arrive()
                if visit == 3 { return visit }
                let values = try await peripheral.characteristic("2A19").notifications()
                gym.strap.disconnect()
                for try await _ in values {}
                return visit
            }
            #expect(value == 3)
        }
    }

    @Test func `throws what its body throws while the link stands, and ends the connection`() async throws {
        try await inGym { gym in
            await #expect(throws: Refusal.self) {
                try await gym.peripheral.stayConnected { _ in
                    gym.arrive()
                    throw Refusal()
                }
            }
            #expect(gym.visits.withLock { $0 } == 1)
            #expect(gym.peripheral.state == .disconnected)
        }
    }

    @Test func `ends with the policy`() async throws {
        try await inGym { gym in
            let policy = ReconnectPolicy(maximumDisconnections: 2, backoff: .constant(.seconds(1)))
            let error = await #expect(throws: PeripheralError.self) {
                try await gym.peripheral.stayConnected(policy) { _ in
                    gym.arrive()
                    gym.strap.disconnect()
                    try await gym.clock.sleep(for: .seconds(3600))
                }
            }
            #expect(error?.message.contains("the peripheral ended the connection") == true)
            #expect(gym.visits.withLock { $0 } == 3)
        }
    }

    @Test func `ends with the first loss where there is no policy`() async throws {
        try await inGym { gym in
            await #expect(throws: PeripheralError.self) {
                try await gym.peripheral.stayConnected(.never) { _ in
                    gym.arrive()
                    gym.strap.disconnect()
                    try await gym.clock.sleep(for: .seconds(3600))
                }
            }
            #expect(gym.visits.withLock { $0 } == 1)
        }
    }

    @Test func `throws what prevented the first connection`() async throws {
        try await inGym { gym in
            gym.strap.vanish()
            await #expect(throws: PeripheralError.connectionTimeout) {
                try await gym.peripheral.stayConnected(.never, timeout: .seconds(5)) { _ in gym.arrive() }
            }
            #expect(gym.visits.withLock { $0 } == 0)
        }
    }

    @Test func `ends with its task, and the connection with it`() async throws {
        try await inGym { gym in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await gym.peripheral.stayConnected { _ in
                        gym.arrive()
                        try await gym.clock.sleep(for: .seconds(3600))
                    }
                }
                for await event in gym.peripheral.connectionEvents() where event == .connected { break }
                try await gym.clock.sleep(for: .seconds(1))
                group.cancelAll()
                await #expect(throws: (any Error).self) { try await group.next() }
            }
            #expect(gym.visits.withLock { $0 } == 1)
            for await event in gym.peripheral.connectionEvents() where event == .forcedDisconnect { break }
            #expect(gym.peripheral.state == .disconnected)
        }
    }

    @Test func `ends when the program disconnects`() async throws {
        try await inGym { gym in
            await #expect(throws: PeripheralError.forcedDisconnect) {
                try await gym.peripheral.stayConnected { peripheral in
                    await peripheral.disconnect()
                    try await gym.clock.sleep(for: .seconds(3600))
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `ends with the manager, whether or not the body listens`(listens: Bool) async throws {
        try await inGym { gym in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: PeripheralError.invalidated) {
                        try await gym.peripheral.stayConnected(discovering: nil) { peripheral in
                            gym.arrive()
                            if !listens { try await gym.clock.sleep(for: .seconds(3600)) }
                            let rate = try peripheral.characteristic("2A19")
                            for try await _ in try await rate.notifications() {}
                        }
                    }
                }
                for await event in gym.peripheral.connectionEvents() where event == .connected { break }
                try? await gym.clock.sleep(for: .seconds(5))
                await gym.central.invalidate()
            }
        }
    }

    @Test func `ends when the program disconnects between two connections`() async throws {
        try await inGym { gym in
            let policy = ReconnectPolicy(backoff: .constant(.seconds(60)))
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: PeripheralError.forcedDisconnect) {
                        try await gym.peripheral.stayConnected(policy) { _ in
                            gym.strap.disconnect()
                            try await gym.clock.sleep(for: .seconds(3600))
                        }
                    }
                }
                for await event in gym.peripheral.connectionEvents() {
                    if case .disconnected = event { break }
                }
                try? await gym.clock.sleep(for: .seconds(1))
                await gym.peripheral.disconnect()
            }
        }
    }

    @Test func `does not take the end of an earlier connection for its own`() async throws {
        try await inGym { gym in
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await gym.peripheral.stayConnected { _ in try await gym.clock.sleep(for: .seconds(3600)) }
                }
                for await event in gym.peripheral.connectionEvents() where event == .connected { break }
                group.cancelAll()
                _ = await group.nextResult()
            }
            let value = try await gym.peripheral.stayConnected { _ in
                let visit = gym.arrive()
                if visit == 2 { return visit }
                gym.strap.disconnect()
                try await gym.clock.sleep(for: .seconds(3600))
                return visit
            }
            #expect(value == 2)
        }
    }

    @Test func `waits for the end of an earlier connection, and fails no other caller`() async throws {
        try await inGym { gym in
            try await gym.peripheral.connect()
            async let disconnecting: Bool = gym.peripheral.disconnect()
            while gym.peripheral.state != .disconnecting, !Task.isCancelled { await Task.yield() }
            async let other: Void = gym.peripheral.connect(timeout: .seconds(20))
            async let value = gym.peripheral.stayConnected(timeout: .seconds(20)) { _ in
                try await gym.clock.sleep(for: .seconds(1))
                return 7
            }
            #expect(await disconnecting)
            try await other
            #expect(try await value == 7)
        }
    }

    @Test func `leaves the peripheral's own policy alone`() async throws {
        try await inGym { gym in
            let policy = ReconnectPolicy(maximumTimeouts: 7)
            gym.peripheral.reconnectPolicy = policy
            try await gym.peripheral.stayConnected { peripheral in
                #expect(peripheral.reconnectPolicy == policy)
            }
        }
    }
}
