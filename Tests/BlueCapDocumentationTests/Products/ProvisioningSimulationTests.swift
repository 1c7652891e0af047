// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTesting
import Synchronization
import Testing

/// A phone, whose user reads the device's display and types the digits.
private struct Phone: Sendable {
    let central: CentralManager
    let clock: BlueCapClock
    /// The digits that the user types.
    let digits: @Sendable () -> UInt32?

    /// Answers the questions of pairing until the task is cancelled.
    func answer() async throws {
        for await request in central.pairingRequests(capability: .keyboardDisplay) {
            // The time that a user takes to read and type.
            try await clock.sleep(for: .seconds(1))
            if request.kind == .enterPasskey, let passkey = digits() {
                request.accept(passkey: passkey)
            } else {
                request.reject()
            }
        }
    }

    /// Gives the device a network, and returns its status afterwards.
    func provision(_ network: String, password: String) async throws -> ProvisionedDevice.Status? {
        try await central.whenPoweredOn()
        let service = ProvisionedDevice.service
        let lamp = try await central.firstDiscovery(for: [service], timeout: .seconds(20)).peripheral
        return try await lamp.stayConnected(.never, timeout: .seconds(10), discovering: [service]) { lamp in
            do throws(PeripheralError) { try await lamp.pair(timeout: .seconds(60)) } catch {
                if case .pairingFailed = error { try? await lamp.removeBond() }
                throw error
            }
            let status = try lamp.characteristic(ProvisionedDevice.status)
            let values = try await status.notifications(valueTimeout: .seconds(20))
            try await lamp.characteristic(ProvisionedDevice.network).write(Bytes(network.utf8), timeout: .seconds(5))
            try await lamp.characteristic(ProvisionedDevice.password).write(Bytes(password.utf8), timeout: .seconds(5))
            for try await value in values {
                let status = value.first.flatMap { ProvisionedDevice.Status(rawValue: $0) }
                if status == .joined || status == .failed { return status }
            }
            return nil
        }
    }
}

/// The device's display, and the networks that it has joined.
private final class Room: Sendable {
    let display = Mutex<UInt32?>(nil)
    let joined = Mutex<[String]>([])

    func device(_ manager: PeripheralManager, _ clock: BlueCapClock) -> ProvisionedDevice {
        ProvisionedDevice(
            manager, clock: clock, show: { passkey in self.display.withLock { $0 = passkey } },
            join: { network, password in
                self.joined.withLock { $0.append("\(network)/\(password)") }
                try? await clock.sleep(for: .seconds(3))
                return password == "correct horse"
            })
    }
}

/// A device that is provisioned again and again, while everything goes wrong that can.
private struct Home: SimulatedApp {
    struct NotProvisioned: Error { let since: Duration }
    struct WrongStatus: Error {}

    private let phone: Phone
    private let device: ProvisionedDevice
    private let last = Last()

    private actor Last {
        private(set) var time = Duration.zero

        func note(_ time: Duration) { self.time = time }
    }

    init(in world: SimulatedWorld) async throws {
        var configuration = PeripheralManager.Configuration(maximumCentrals: 1)
        configuration.logLevel = .off
        let room = Room()
        device = room.device(world.makePeripheralManager(configuration: configuration), world.clock)
        phone = Phone(
            central: world.makeCentral(address: "C0:DE:00:00:00:01"), clock: world.clock,
            digits: { room.display.withLock { $0 } })
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await device.run() }
            group.addTask { try await phone.answer() }
            group.addTask { try await provision() }
            for try await _ in group {}
        }
    }

    private func provision() async throws {
        while true {
            let status = try? await phone.provision("Home", password: "correct horse")
            if status == .failed { throw WrongStatus() }
            if status == .joined { await last.note(phone.clock.elapsed) }
            try await phone.clock.sleep(for: .seconds(2))
        }
    }

    func check() async throws {
        let since = await phone.clock.elapsed - last.time
        if since > .seconds(180) { throw NotProvisioned(since: since) }
    }
}

@Suite("A device that is given its Wi-Fi", .timeLimit(.minutes(60)))
struct ProvisioningSimulationTests {
    @Test func `a device is provisioned again after every fault`() async {
        await SimulationSeeds.play(Home.self, in: Self.self)
    }

    /// Runs `body` with the device, for phones of these numbers.
    private func run(
        _ body: @escaping @Sendable (VirtualRadio, Room, PeripheralManager) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let manager = PeripheralManager(
                backend: radio.peripheral(on: radio.adapter(address: "C0:DE:00:00:00:77")),
                configuration: .init(clock: radio.clock, maximumCentrals: 1))
            let room = Room()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await room.device(manager, radio.clock).run() }
                defer { group.cancelAll() }
                try await body(radio, room, manager)
            }
            await manager.invalidate()
        }
    }

    private func withPhone(
        _ number: Int, _ radio: VirtualRadio, typing digits: @escaping @Sendable () -> UInt32?,
        _ body: @Sendable (Phone) async throws -> Void
    ) async throws {
        let central = CentralManager(
            backend: radio.central(on: radio.adapter(address: "C0:DE:00:00:00:0\(number)")),
            configuration: .init(clock: radio.clock))
        let phone = Phone(central: central, clock: radio.clock, digits: digits)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await phone.answer() }
            defer { group.cancelAll() }
            try await body(phone)
        }
        await central.invalidate()
    }

    @Test(arguments: [("correct horse", ProvisionedDevice.Status.joined), ("battery staple", .failed)])
    func `a device joins the network when its passkey was typed, or says that it cannot`(
        password: String, status: ProvisionedDevice.Status
    ) async throws {
        try await run { radio, room, _ in
            try await withPhone(1, radio, typing: { room.display.withLock { $0 } }) { phone in
                let reached = try await phone.provision("Home", password: password)
                #expect(reached == status)
            }
            #expect(room.joined.withLock { $0 } == ["Home/\(password)"])
        }
    }

    @Test func `a device takes nothing from a phone on which other digits are typed`() async throws {
        try await run { radio, room, _ in
            try await withPhone(1, radio, typing: { 1_000_000 }) { phone in
                await #expect(throws: (any Error).self) { try await phone.provision("Home", password: "x") }
            }
            #expect(room.joined.withLock { $0.isEmpty })
        }
    }

    @Test func `a device refuses a second phone while it has one, which has its turn afterwards`() async throws {
        try await run { radio, room, manager in
            let digits: @Sendable () -> UInt32? = { room.display.withLock { $0 } }
            try await withPhone(1, radio, typing: digits) { first in
                try await withPhone(2, radio, typing: digits) { second in
                    async let joined = first.provision("Home", password: "correct horse")
                    let events = manager.centralEvents()
                    for await event in events { if event.kind == .connected { break } }
                    await #expect(throws: (any Error).self) {
                        try await second.provision("Other", password: "correct horse")
                    }
                    let statuses = [
                        try await joined, try await second.provision("Other", password: "correct horse"),
                    ]
                    #expect(statuses == [.joined, .joined])
                }
            }
            #expect(room.joined.withLock { $0 } == ["Home/correct horse", "Other/correct horse"])
        }
    }
}
