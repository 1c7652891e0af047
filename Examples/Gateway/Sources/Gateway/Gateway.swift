// SPDX-License-Identifier: MIT

import BlueCap

/// Both roles at once: reads a thermometer, and offers its temperature to centrals that are not in reach of it, until
/// Ctrl-C. With `--virtual` a virtual phone takes twenty values from it.
@main
struct Gateway {
    typealias Temperature = EnvironmentalSensingService.Temperature

    private static let name = "Gateway"
    private static let service = EnvironmentalSensingService.uuid

    static func main() async throws {
        guard CommandLine.arguments.contains("--virtual") else {
            let (central, manager) = (CentralManager(), PeripheralManager())
            // On the radio's thread, which both roles share: nothing in it blocks that or computes for long.
            try await Interruption.ends { try await central.run { try await run(central, manager) } }
            // Side by side, as each waits for a bluetoothd that does not answer.
            async let unended = central.invalidate()
            async let unremoved = manager.invalidate()
            return _ = await (unended, unremoved)
        }
        let world = VirtualOffice()
        // Both roles on one adapter, as on a real machine.
        let (central, manager) = (
            CentralManager(backend: world.radio.central()), PeripheralManager(backend: world.radio.peripheral())
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await world.measure() }
            group.addTask { try await central.run { try await run(central, manager) } }
            group.addTask { try await world.readByPhone(name) }
            // The phone is finished, or something failed.
            try await group.next()
            group.cancelAll()
        }
    }

    static func run(_ central: CentralManager, _ manager: PeripheralManager) async throws {
        let offered = TypedMutableCharacteristic<Temperature>()
        try await offer(offered.characteristic, with: manager)
        try await central.whenPoweredOn(timeout: .seconds(5))
        let policy = ReconnectPolicy(
            maximumTimeouts: nil, maximumDisconnections: nil,
            backoff: .exponential(initial: .seconds(1), maximum: .seconds(30)))
        try await thermometer(central).stayConnected(policy, discovering: [service]) { thermometer in
            let measured = try thermometer.characteristic(Temperature.self)
            for try await value in try await measured.notifications(capacity: .newest(1)) {
                // All subscribers and all readers get the value.
                try offered.update(value)
            }
        }
    }

    private static func offer(_ characteristic: MutableCharacteristic, with manager: PeripheralManager) async throws {
        let offered = MutableService(EnvironmentalSensingService.self, characteristics: [characteristic])
        try await manager.whenPoweredOn(timeout: .seconds(5))
        try await manager.add(offered, timeout: .seconds(10))
        try await manager.startAdvertising(name, serviceUUIDs: [service], timeout: .seconds(10))
        print("advertising as \(name)")
    }

    /// The first thermometer that is no gateway; a device whose name is not known yet may be one.
    private static func thermometer(_ central: CentralManager) async throws -> Peripheral {
        for try await discovery in central.scan(for: [service]) {
            if let found = discovery.peripheral.name, found != name { return discovery.peripheral }
        }
        throw CancellationError()
    }
}
