// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapRuntime
import BlueCapTesting
import BlueCapFakeBlueZ

/// The test bed with our own central, on a second adapter of the same bluetoothd, as the far device of the peripheral
/// role. A second far central, where one is needed, is the bed's.
final class OwnCentralWorld: ConformanceWorld {
    private let bed: BedWorld
    private let central = Locked<(manager: CentralManager, far: ManagerCentral)?>(nil)

    init(_ bed: BedWorld) { self.bed = bed }

    let name = "test bed, our own central"
    var seed: UInt64 { bed.seed }
    var limits: [WorldLimit] { bed.limits }
    var clock: BlueCapClock { bed.clock }
    var deadlineClock: BlueCapClock { bed.deadlineClock }

    func makeCentral(restoring store: MemoryRestorationStore?) async throws -> CentralManager {
        try await bed.makeCentral(restoring: store)
    }

    func peer(_ index: Int) async throws -> any ConformancePeer { try await bed.peer(index) }

    func makePeripheralManager(restoring store: MemoryRestorationStore?) async throws -> PeripheralManager {
        try await bed.makePeripheralManager(restoring: store)
    }

    func farCentral(_ index: Int) async throws -> any FarCentral {
        guard index == 0 else { return try await bed.farCentral(index) }
        return central.withLock { central in
            if let central { return central.far }
            // Agrees to pair, as the other far centrals do.
            let manager = CentralManager(
                backend: BlueZCentralBackend(adapter: .name("hci1")), configuration: .init(acceptsJustWorks: true))
            let far = ManagerCentral(manager, limits: BlueZLimits.central)
            central = (manager, far)
            return far
        }
    }

    func begin(_ outage: Outage) async throws { try await bed.begin(outage) }

    func end(_ outage: Outage) async throws { try await bed.end(outage) }

    func setPower(_ isOn: Bool) async throws { try await bed.setPower(isOn) }

    func elapse(_ duration: Duration) async throws { try await bed.elapse(duration) }

    func close() async {
        if let central = central.withLock({ $0 }) {
            // bluetoothd takes two seconds to end a link by itself.
            try? await bed.dropLinks(ofAdapter: 1)
            // The next behaviour must not find the keys, or this machine as a device that bluetoothd remembers.
            await forget(Self.served, in: central.manager)
            if let near = try? await bed.makeCentral() { await forget(Self.own, in: near) }
            await central.manager.removeAllPeripherals()
            await central.manager.invalidate()
        }
        await bed.close()
    }

    private func forget(_ address: PeerIdentifier, in manager: CentralManager) async {
        try? await manager.whenPoweredOn()
        for peripheral in (try? await manager.retrievePeripherals(withIdentifiers: [address])) ?? [] {
            try? await peripheral.removeBond()
        }
    }

    /// The addresses of the first and of the second adapter.
    private static let served: PeerIdentifier = "C0:DE:00:00:00:01"
    private static let own: PeerIdentifier = "C0:DE:00:00:00:02"
}
#endif
