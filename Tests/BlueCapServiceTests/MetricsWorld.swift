// SPDX-License-Identifier: MIT

#if Metrics
import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import CoreMetrics

/// A virtual sensor and a manager of each role, with metrics of their own, in simulated time.
struct MetricsWorld: Sendable {
    let radio: VirtualRadio
    let tag = VirtualPeripheral(
        name: "Tag",
        services: [
            VirtualService("FFF0") {
                VirtualCharacteristic("FFF1", properties: [.read, .write, .notify], value: [1])
            }
        ])
    let metrics = RecordingMetrics()

    /// Plays in a world whose sensor advertises.
    static func run(_ body: @escaping @Sendable (MetricsWorld) async throws -> Void) async throws {
        try await VirtualRadio.run(seed: 1, limit: .seconds(600)) { radio in
            let world = MetricsWorld(radio: radio)
            radio.add(world.tag)
            try await body(world)
        }
    }

    /// A manager of the central role whose radio is on.
    func central() async throws -> CentralManager {
        let manager = withMetricsFactory(metrics) {
            CentralManager(backend: radio.central())
        }
        try await manager.whenPoweredOn(timeout: .seconds(1))
        return manager
    }

    /// The sensor, connected by a manager, and its characteristic.
    func connect(_ manager: CentralManager) async throws -> (Peripheral, Characteristic) {
        let peripheral = try await manager.firstDiscovery(for: ["FFF0"], timeout: .seconds(10)).peripheral
        try await peripheral.connect(timeout: .seconds(10))
        try await peripheral.discover(timeout: .seconds(10))
        return (peripheral, try peripheral.characteristic("FFF1"))
    }

    /// A manager of the peripheral role that offers FFF1 in FFF2 and advertises it.
    func peripheral() async throws -> (PeripheralManager, MutableCharacteristic) {
        let manager = withMetricsFactory(metrics) {
            PeripheralManager(
                backend: radio.peripheral(on: radio.adapter(address: "C0:DE:00:00:00:77")),
                configuration: .init(clock: radio.clock))
        }
        try await manager.whenPoweredOn(timeout: .seconds(1))
        let characteristic = MutableCharacteristic(uuid: "FFF1", value: [1])
        let service = MutableService(uuid: "FFF2")
        service.characteristics = [characteristic]
        try await manager.add(service, timeout: .seconds(1))
        try await manager.startAdvertising("Ours", serviceUUIDs: ["FFF2"], timeout: .seconds(1))
        return (manager, characteristic)
    }
}
#endif
