// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual

/// A program of both roles that is killed again and again. Each life restores the state of the life before, and
/// continues its unfinished work.
///
/// Its central manager listens to two virtual peripherals, its peripheral manager on another adapter offers a service
/// to a far central on a third. It follows the article Restoration, and does no more than an app does there.
final class RestoredProgram: SimulatedApp {
    struct Life: Sendable {
        let central: CentralManager
        let watch: SeamWatch
        let server: PeripheralManager
        let restoredCentral: RestoredCentralState?
        let restoredServer: RestoredPeripheralState?
    }

    struct State {
        var life: Life?
        var lastNumber: UInt64 = 0
        /// The last number that came from each device, in whichever life.
        var heard: [Int: UInt64] = [:]
        /// The time since which the present life has listened to each device.
        var listening: [Int: Duration] = [:]
        /// The handle at which the far central found the service at first.
        var place: AttributeID?
    }

    static let fixed: BluetoothUUID = "FFF7"
    static let name = "Restored"
    private static let identifier = "program"

    let world: SimulatedWorld
    let devices = [VirtualDevice(0), VirtualDevice(1)]
    let far: CentralManager
    let state = Locked(State())
    private let kills: [(time: Duration, pause: Duration)]

    var journal: RunJournal { world.journal }

    init(in world: SimulatedWorld) async throws {
        self.world = world
        for device in devices { world.radio.add(device.peripheral) }
        far = world.makeCentral(address: "00:00:5E:00:53:03")
        kills = world.steps.compactMap { step in
            if case .kill(let pause) = step.action { (step.time, pause) } else { nil }
        }
    }

    func run() async throws {
        await withTaskGroup { group in
            group.addTask { await self.send() }
            group.addTask { await self.visit() }
            group.addTask {
                for kill in self.kills { await self.live(until: kill.time, andBeGoneFor: kill.pause) }
                await self.live(until: nil, andBeGoneFor: .zero)
            }
        }
    }

    /// The devices' firmware notifies numbers.
    private func send() async {
        while (try? await journal.clock.sleep(for: .milliseconds(700))) != nil {
            for device in devices {
                device.send([Bytes(number: makeNumber())], isIndicated: false, isSingle: false)
            }
        }
    }

    func makeNumber() -> UInt64 {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// Lives one life, until the program is killed or the task is cancelled.
    private func live(until end: Duration?, andBeGoneFor pause: Duration) async {
        if let end, end <= journal.clock.elapsed { return }
        await withTaskGroup { group in
            group.addTask { await self.begin() }
            group.addTask { [journal] in
                // The last life lasts until the task is cancelled.
                let rest = end.map { $0 - journal.clock.elapsed } ?? .seconds(100_000)
                try? await journal.clock.sleep(for: rest)
            }
            await group.next()
            // The process ends with all of its threads: nothing that its tasks do by their cancellation matters any
            // more.
            if !Task.isCancelled, let life = state.withLock({ $0.life }) { kill(life) }
            group.cancelAll()
        }
        state.withLock { state in
            if !Task.isCancelled { state.life = nil }
        }
        try? await journal.clock.sleep(for: pause)
    }

    private func kill(_ life: Life) {
        journal.note("the program is killed")
        world.kill(life.central)
        world.kill(life.server)
    }

    private func begin() async {
        journal.note("the program starts")
        let (listening, now) = state.withLock { state in
            defer { state.listening = [:] }
            return (state.listening, journal.clock.elapsed)
        }
        let (central, watch) = world.makeWatchedCentral(
            configuration: .init(logger: SimulatedWorld.silent, restoreIdentifier: Self.identifier))
        let server = world.makePeripheralManager(
            address: "00:00:5E:00:53:02",
            configuration: .init(logger: SimulatedWorld.silent, restoreIdentifier: Self.identifier))
        let restoredCentral = await journal.call("restore the central manager", timeout: .seconds(1)) {
            () async throws(CentralManagerError) in
            try await central.restoredState()
        }
        let restoredServer = await journal.call("restore the peripheral manager", timeout: .seconds(1)) {
            () async throws(PeripheralManagerError) in
            try await server.restoredState()
        }
        if case .failure(let error) = restoredCentral { journal.violate("the central is not restored: \(error)") }
        if case .failure(let error) = restoredServer { journal.violate("the server is not restored: \(error)") }
        let life = Life(
            central: central, watch: watch, server: server, restoredCentral: (try? restoredCentral.get()) ?? nil,
            restoredServer: (try? restoredServer.get()) ?? nil)
        state.withLock { $0.life = life }
        // A subscription of the last second before the kill may be missing.
        for (device, since) in listening where now - since > .seconds(1) { checkRestored(device, in: life) }
        await withTaskGroup { group in
            for device in devices.indices { group.addTask { await self.follow(device, in: life) } }
            group.addTask { await self.serve(in: life) }
        }
    }

    private func checkRestored(_ device: Int, in life: Life) {
        let restored = life.restoredCentral?.characteristics ?? []
        let isRestored = restored.contains { one in
            one.uuid == ProgramLayout.notified
                && devices[device].identifiers.contains { $0 == one.peripheral?.identifier }
        }
        if !isRestored { journal.violate("the program listened to device \(device), which is not restored") }
    }
}
