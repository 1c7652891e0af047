// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
package import BlueCapCore
import BlueCapRuntime
package import BlueCapTesting
import BlueCapDBus
import BlueCapFakeKernel
import BlueCapKernel
import BlueCapLoop
package import BlueCapPrivateBus

/// A conformance world of the BlueZ backend over a bus of its own with the fake `org.bluez` on it, on a manual clock.
///
/// Short delays, such as the graces of the backend, pass by themselves; the long ones wait for ``elapse(_:)``, unless
/// all time passes by itself.
package final class FakeWorld: ConformanceWorld {
    private static let grace = Duration.milliseconds(200)

    package let name = "fake BlueZ"
    package let seed: UInt64 = 0
    package let limits =
        BlueZLimits.central + BlueZLimits.withoutKernel + BlueZLimits.peripheral(takesScanResponse: false)
    package var clock: BlueCapClock { manual.clock }
    package let deadlineClock = BlueCapClock.continuous
    package let manual = ManualClock()
    package let fake: FakeBlueZ
    package let bus: PrivateBus
    private let centrals = Locked<[CentralManager]>([])
    private let peripheralManagers = Locked<[PeripheralManager]>([])
    /// The kernel's channels to the far devices.
    private let channels: FakeChannels
    private let isClosed = Locked(false)
    /// Set if all time passes by itself: finds out when it may pass. `passing` is the task that advances it.
    private let stillness: Stillness?
    private let passing = Locked<Task<Void, Never>?>(nil)
    /// The program's session there, which its backends share.
    private let session = Locked<BlueZSession?>(nil)

    /// A world in which the long delays wait, or all time passes whenever there is nothing else to do.
    package init(passesTime: Bool = false) async throws {
        bus = try PrivateBus(configuration: passesTime ? Self.takesAnyAnswer : "")
        fake = try FakeBlueZ(on: BusAddress(bus.address), clock: manual.clock, airIsOnClock: passesTime)
        channels = FakeChannels(on: fake.loop) { [weak fake] channel in
            // SAFETY: the loop is the fake's own executor.
            fake?.assumeIsolated { $0.withAir { $0.open(channel) } }
        }
        stillness = passesTime ? try await Stillness(of: fake, on: BusAddress(bus.address)) : nil
        try await fake.start()
        if let stillness { passTime(by: stillness) } else { passGraces() }
    }

    package func makeCentral(restoring store: MemoryRestorationStore?) async throws -> CentralManager {
        let configuration = CentralManager.Configuration(
            clock: clock, restoreIdentifier: store.map { _ in "conformance" }, restorationStore: store)
        return makeCentral(configuration) { $0 }
    }

    package func makeCentral(
        through layer: @escaping @Sendable (any CentralBackend) -> any CentralBackend
    ) async throws -> CentralManager {
        makeCentral(.init(clock: clock), through: layer)
    }

    private func makeCentral(
        _ configuration: CentralManager.Configuration, through layer: (any CentralBackend) -> any CentralBackend
    ) -> CentralManager {
        let backend = BlueZCentralBackend(bus: bus.address)
        prepareSession()
        let central = CentralManager(backend: layer(backend), configuration: configuration)
        centrals.withLock { $0.append(central) }
        return central
    }

    /// Gives the session of the backends a kernel: that of the machine knows nothing of this daemon.
    private func prepareSession() {
        guard let current = try? BlueZSession.shared(at: BusAddress(bus.address)) else { return }
        if stillness != nil { session.withLock { $0 = current } }
        let channels = channels
        current.loop.submit {
            current.openManagement(by: { () throws(ManagementError) in throw .notPermitted })
            current.openChannels(by: channels)
        }
    }

    package func peer(_ index: Int) async throws -> any ConformancePeer { FakePeer(fake: fake, index: index) }

    package func makePeripheralManager(restoring store: MemoryRestorationStore?) async throws -> PeripheralManager {
        let configuration = PeripheralManager.Configuration(
            clock: clock, restoreIdentifier: store.map { _ in "conformance" }, restorationStore: store)
        return makePeripheralManager(configuration) { $0 }
    }

    package func makePeripheralManager(
        through layer: @escaping @Sendable (any PeripheralBackend) -> any PeripheralBackend
    ) async throws -> PeripheralManager {
        makePeripheralManager(.init(clock: clock), through: layer)
    }

    private func makePeripheralManager(
        _ configuration: PeripheralManager.Configuration,
        through layer: (any PeripheralBackend) -> any PeripheralBackend
    ) -> PeripheralManager {
        let backend = BlueZPeripheralBackend(bus: bus.address)
        prepareSession()
        let manager = PeripheralManager(backend: layer(backend), configuration: configuration)
        peripheralManagers.withLock { $0.append(manager) }
        return manager
    }

    package func farCentral(_ index: Int) async throws -> any FarCentral {
        FakeFarCentral(fake: fake, index: index)
    }

    /// The first far central, with its address; its ATT packets have `unit` bytes at most.
    package func farCentral(unit: Int) async throws -> (central: any FarCentral, address: PeerIdentifier) {
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
        // Time that passes by itself only has to be waited for.
        if stillness != nil { return try await clock.sleep(for: duration) }
        // Messages sent before the advance belong to the time before it.
        await fake.settle()
        await manual.waitForTimer(within: duration)
        manual.advance(by: duration)
        // A clock leaps, the air does not: a monitor that counts seconds hears a packet after each leap. A daemon that
        // is away has none.
        try? await fake.with { $0.tellMonitors() }
    }

    package func close() async {
        let managers = (centrals.withLock { $0 }, peripheralManagers.withLock { $0 })
        for central in managers.0 { await central.invalidate() }
        for manager in managers.1 { await manager.invalidate() }
        centrals.withLock { $0 = [] }
        peripheralManagers.withLock { $0 = [] }
        isClosed.withLock { $0 = true }
        // Wakes the task that passes time, so that it ends.
        _ = manual.clock.schedule(after: .zero) {}
        await passing.withLock { $0 }?.value
        // Pending jobs of the program's thread release the managers.
        await stillness?.wait { session.withLock { $0 } }
        session.withLock { $0 = nil }
        await fake.stop()
        await stillness?.end()
    }

    private func passGraces() {
        let (manual, fake, isClosed) = (manual, fake, isClosed)
        Task {
            while !isClosed.withLock({ $0 }) {
                await manual.waitForTimer(within: Self.grace)
                let end = min(manual.nextDeadline ?? .zero, manual.now.elapsed + Self.grace)
                // The message that a grace waits for was sent after the message that began the grace, often in one turn
                // of the daemon's loop.
                await fake.settle()
                // Time that has passed meanwhile is not passed again.
                manual.advance(to: end)
            }
        }
    }

    // MARK: Time that passes by itself

    /// Has the bus pass on answers that were not asked for, or were given before.
    private static let takesAnyAnswer =
        ["method_return", "error"].map {
            """
            <policy context="default">
              <allow send_requested_reply="false" send_type="\($0)"/>
              <allow receive_requested_reply="false" receive_type="\($0)"/>
            </policy>
            """
        }.joined()

    /// Moves the clock to its next timer whenever nothing is under way.
    private func passTime(by stillness: Stillness) {
        let (manual, isClosed, session) = (manual, isClosed, session)
        let task = Task(executorPreference: stillness.loop) {
            while !isClosed.withLock({ $0 }) {
                await manual.waitForTimer(within: .seconds(1_000_000))
                await stillness.wait { session.withLock { $0 } }
                manual.advanceToNext()
            }
        }
        passing.withLock { $0 = task }
    }
}
#endif
