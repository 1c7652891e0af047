// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCore
import BlueCapRuntime

/// The world in which the recipes of the articles run: a virtual radio with a SensorTag in the air.
struct Lab: Sendable {
    let radio: VirtualRadio
    let tag: VirtualPeripheral
    /// The tag's accelerometer: three samples for each that subscribes.
    let data = VirtualCharacteristic(
        TISensorTag.AccelerometerService.Data.uuid, properties: [.read, .notify], value: [0, 0, 64],
        onSubscribe: { characteristic, isOn in
            if isOn { characteristic.notify([[64, 0, 0], [0, 64, 0], [0, 0, 64]]) }
            return .success(())
        })
    /// The switch of the tag's accelerometer.
    let enabled = VirtualCharacteristic(
        TISensorTag.AccelerometerService.Enabled.uuid, properties: [.read, .write], value: [0])

    /// The managers that were made, which end when they are released.
    private let managers = Locked<[any Actor]>([])

    private init(_ radio: VirtualRadio, pairing: VirtualPairing) {
        self.radio = radio
        tag = VirtualPeripheral(
            name: "SensorTag", pairing: pairing,
            services: [
                VirtualService(TISensorTag.AccelerometerService.uuid, characteristics: [data, enabled])
            ])
        radio.add(tag)
    }

    static func run(
        pairing: VirtualPairing = .justWorks, _ body: @escaping @Sendable (Lab) async throws -> Void
    ) async throws {
        try await VirtualRadio.run { radio in try await body(Lab(radio, pairing: pairing)) }
    }

    func makeCentral(
        profiles: ProfileManager = ProfileManager(), acceptsJustWorks: Bool = false
    ) -> CentralManager {
        let central = CentralManager(
            backend: radio.central(),
            configuration: .init(clock: radio.clock, profiles: profiles, acceptsJustWorks: acceptsJustWorks))
        managers.withLock { $0.append(central) }
        return central
    }

    /// The adapter of the peripheral managers.
    var server: VirtualAdapter { radio.adapter(address: "C0:DE:00:00:00:77") }

    func makePeripheralManager() -> PeripheralManager {
        let manager = PeripheralManager(backend: radio.peripheral(on: server), configuration: .init(clock: radio.clock))
        managers.withLock { $0.append(manager) }
        return manager
    }

    /// A central whose radio is on.
    func central(acceptsJustWorks: Bool = false) async throws -> CentralManager {
        let central = makeCentral(acceptsJustWorks: acceptsJustWorks)
        try await central.whenPoweredOn()
        return central
    }

    /// The tag, connected and discovered.
    func connect(_ central: CentralManager) async throws -> Peripheral {
        try await connect(central, to: TISensorTag.AccelerometerService.uuid)
    }

    /// The first peripheral that advertises a service, connected and discovered.
    func connect(_ central: CentralManager, to service: BluetoothUUID) async throws -> Peripheral {
        let peripheral = try await central.firstDiscovery(for: [service], timeout: .seconds(10)).peripheral
        try await peripheral.connect(timeout: .seconds(5))
        try await peripheral.discover(timeout: .seconds(5))
        return peripheral
    }

    /// A peripheral manager that advertises a service with the characteristics given.
    func serve(_ characteristics: [MutableCharacteristic]) async throws -> PeripheralManager {
        let manager = makePeripheralManager()
        try await manager.whenPoweredOn()
        let service = MutableService(uuid: Self.service)
        service.characteristics = characteristics
        try await manager.add(service)
        try await manager.startAdvertising("Ours", serviceUUIDs: [Self.service])
        return manager
    }

    static let service: BluetoothUUID = "FFF0"

    /// Switches an adapter on after two seconds, and returns when a body has waited for that.
    func switchingOn(_ adapter: VirtualAdapter, _ body: () async throws -> Void) async throws -> Duration {
        adapter.powerOff()
        async let on: Void = {
            try await radio.clock.sleep(for: .seconds(2))
            adapter.powerOn()
        }()
        try await body()
        let elapsed = radio.clock.elapsed
        try await on
        return elapsed
    }

    /// Ends the tag's link a second after a central has subscribed to its accelerometer.
    func endAfterSubscription() async throws {
        try await tag.wait { [data] _ in data.subscriptionCount > 0 }
        try await radio.clock.sleep(for: .seconds(1))
        tag.disconnect()
    }

    /// Runs a recipe that ends with its central, which is invalidated when a condition holds.
    func ended(
        when isMet: @escaping @Sendable () -> Bool, _ central: CentralManager,
        _ recipe: () async throws -> Void
    ) async throws {
        async let ended: Void = {
            while !isMet() { try await radio.clock.sleep(for: .milliseconds(100)) }
            await central.invalidate()
        }()
        try await recipe()
        try await ended
    }

    /// Runs a recipe that never ends by itself beside a body, and cancels it at the body's end.
    func during(
        _ recipe: @escaping @Sendable () async throws -> Void, _ body: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await recipe() }
            // The recipe is at its first wait by then.
            try await radio.clock.sleep(for: .seconds(1))
            try await body()
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}

/// The output of a recipe, in place of the standard output.
final class Printed: Sendable {
    /// The output of a listing in a function of its own.
    @TaskLocal static var inFunctions: Printed?

    private let all = Locked<[String]>([])

    var lines: [String] { all.withLock { $0 } }

    func add(_ items: [Any]) {
        let line = items.map { "\($0)" }.joined(separator: " ")
        all.withLock { $0.append(line) }
    }
}

/// A user who agrees to every question.
struct User: Sendable {
    func agrees(to passkey: UInt32) async -> Bool { passkey < 1_000_000 }
    func agrees(to peer: PeerIdentifier) async -> Bool { true }
}
