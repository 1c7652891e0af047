#if BlueZ && os(Linux)
import BlueCapBlueZ
package import BlueCapCore
package import BlueCapTesting
import DBus
package import PrivateBus

/// A conformance world of the BlueZ backend over a bus of its own with the fake `org.bluez` on it, on a manual clock.
///
/// Short delays, such as the graces of the backend, pass by themselves; the long ones wait for ``elapse(_:)``.
package final class FakeWorld: ConformanceWorld {
    private static let grace = Duration.milliseconds(200)

    package let name = "fake BlueZ"
    package let seed: UInt64 = 0
    package let limits = BlueZLimits.central + BlueZLimits.peripheral(takesScanResponse: false)
    package var clock: BlueCapClock { manual.clock }
    package let deadlineClock = BlueCapClock.continuous
    package let manual = ManualClock()
    package let fake: FakeBlueZ
    package let bus: PrivateBus
    private let centrals = Locked<[CentralManager]>([])
    private let peripheralManagers = Locked<[PeripheralManager]>([])
    private let isClosed = Locked(false)

    package init() async throws {
        bus = try PrivateBus()
        fake = try FakeBlueZ(on: BusAddress(bus.address), clock: manual.clock)
        try await fake.start()
        passGraces()
    }

    package func makeCentral(restoring store: MemoryRestorationStore?) async throws -> CentralManager {
        let backend = BlueZCentralBackend(bus: bus.address)
        let central = CentralManager(
            backend: backend,
            configuration: .init(
                clock: clock, restoreIdentifier: store.map { _ in "conformance" }, restorationStore: store))
        centrals.withLock { $0.append(central) }
        return central
    }

    package func peer(_ index: Int) async throws -> any ConformancePeer { FakePeer(fake: fake, index: index) }

    package func makePeripheralManager(restoring store: MemoryRestorationStore?) async throws -> PeripheralManager {
        let backend = BlueZPeripheralBackend(bus: bus.address)
        let manager = PeripheralManager(
            backend: backend,
            configuration: .init(
                clock: clock, restoreIdentifier: store.map { _ in "conformance" }, restorationStore: store))
        peripheralManagers.withLock { $0.append(manager) }
        return manager
    }

    package func farCentral(_ index: Int) async throws -> any FarCentral {
        FakeFarCentral(fake: fake, index: index)
    }

    /// The first far central, with its address; its ATT packets are of `unit` bytes at most.
    package func farCentral(unit: Int) async throws -> (central: any FarCentral, address: PeripheralIdentifier) {
        let address = try await fake.with { daemon in
            let link = daemon.farCentral(0)
            link.unit = UInt16(unit)
            return link.address
        }
        return (FakeFarCentral(fake: fake, index: 0), address)
    }

    package func begin(_ outage: Outage) async throws {
        switch outage {
        case .restart: await fake.terminate()
        case .crash: await fake.kill()
        case .unplugging: try await fake.with { try $0.setAdapter(present: false) }
        }
    }

    package func end(_ outage: Outage) async throws {
        switch outage {
        case .restart, .crash: try await fake.start()
        case .unplugging: try await fake.with { try $0.setAdapter(present: true) }
        }
    }

    package func setPower(_ isOn: Bool) async throws { try await fake.with { $0.setPower(isOn) } }

    package func elapse(_ duration: Duration) async throws {
        // What was sent before belongs to the time before.
        await fake.settle()
        await manual.waitForTimer(within: duration)
        manual.advance(by: duration)
    }

    package func close() async {
        isClosed.withLock { $0 = true }
        for central in centrals.withLock({ $0 }) { await central.invalidate() }
        for manager in peripheralManagers.withLock({ $0 }) { await manager.invalidate() }
        await fake.stop()
        // Wakes the task that passes graces, so that it ends.
        _ = manual.clock.schedule(after: .zero) {}
    }

    private func passGraces() {
        let (manual, fake, isClosed) = (manual, fake, isClosed)
        Task {
            while !isClosed.withLock({ $0 }) {
                await manual.waitForTimer(within: Self.grace)
                let end = min(manual.nextDeadline ?? .zero, manual.now.elapsed + Self.grace)
                // What a grace waits for was sent behind what began it, often in one turn of the daemon's.
                await fake.settle()
                // Time that has passed meanwhile is not passed again.
                manual.advance(to: end)
            }
        }
    }
}
#endif
