// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// The scene of one run of the random program in any world that is made for it.
final class WorldScene: SimulationScene {
    private struct State {
        var outage: Outage?
        var faults: [ServiceFault] = []
    }

    let world: any SimulationGround
    let journal: RunJournal
    let steps: [SimulationStep]
    let central: CentralManager
    let watch: SeamWatch
    let server: PeripheralManager
    private let serverWatch: ServerWatch
    let peers: [PeerDevice]
    /// The executor of the central role's backend, and of the program.
    let executor: any TaskExecutor
    private let state = Locked(State())

    /// Plays in a world, all of it on the executor of the world's backend: where the clock moves when that has nothing
    /// to do, it does not move while the scene is set either.
    static func play<Value: Sendable>(
        in world: any SimulationGround, steps: [SimulationStep], journal: RunJournal,
        _ body: (WorldScene) async -> Value
    ) async throws -> Value {
        let watch = SeamWatch(journal: journal)
        let executor = Locked<(any TaskExecutor)?>(nil)
        @Sendable func watched(_ backend: some CentralBackend) -> any CentralBackend {
            executor.withLock { $0 = backend.executor }
            return WatchedCentral(backend, watch: watch)
        }
        let central = try await world.makeCentral { watched($0) }
        let own = try require(executor.withLock { $0 }, "the executor of the world's backend")
        return try await withTaskExecutorPreference(own) {
            await body(try await WorldScene(world, central, watch, on: own, steps: steps, journal: journal))
        }
    }

    private init(
        _ world: any SimulationGround, _ central: CentralManager, _ watch: SeamWatch, on executor: any TaskExecutor,
        steps: [SimulationStep], journal: RunJournal
    ) async throws {
        (self.world, self.central, self.watch) = (world, central, watch)
        (self.executor, self.steps, self.journal) = (executor, steps, journal)
        let serverWatch = ServerWatch(journal: journal)
        server = try await world.makePeripheralManager { backend in
            func watched(_ backend: some PeripheralBackend) -> any PeripheralBackend {
                WatchedPeripheral(backend, watch: serverWatch)
            }
            return watched(backend)
        }
        self.serverWatch = serverWatch
        var peers: [PeerDevice] = []
        for (index, capability) in [PairingCapability.noInputNoOutput, .displayYesNo].enumerated() {
            let pairing = PeerPairing(capability: capability)
            peers.append(try await PeerDevice(world.peer(index), name: "Device \(index)", pairing: pairing))
        }
        self.peers = peers
    }

    // MARK: Faults

    func play(_ fault: SimulatedFault) async -> PlayedFault? {
        do {
            switch fault {
            case .device(let index, let fault):
                try await peers[index % peers.count].play(fault)
                return PlayedFault(subject: "device \(index % peers.count)", text: "\(fault)")
            case .adapter(_, .powerOff), .adapter(_, .forbid): try await setPower(false)
            case .adapter(_, .powerOn): try await setPower(true)
            case .adapter(_, .unplug): try await begin(.unplugging)
            case .adapter(_, .plugIn): try await end(.unplugging)
            case .outage(let outage, let isOver): if isOver { try await end(outage) } else { try await begin(outage) }
            case .service(let fault, let isOver): try await play(fault, isOver: isOver)
            }
        } catch {
            journal.violate("the world cannot play: \(fault): \(error)")
        }
        return PlayedFault(text: "\(fault)")
    }

    /// Without the platform's service, or its adapter, there is no switch.
    private func setPower(_ isOn: Bool) async throws {
        if state.withLock({ $0.outage }) == nil { try await world.setPower(isOn) }
    }

    private func begin(_ outage: Outage) async throws {
        let isFirst = state.withLock { state in
            defer { state.outage = state.outage ?? outage }
            return state.outage == nil
        }
        if isFirst { try await world.begin(outage) }
    }

    private func end(_ outage: Outage) async throws {
        let isThis = state.withLock { state in
            defer { if state.outage == outage { state.outage = nil } }
            return state.outage == outage
        }
        if isThis { try await world.end(outage) }
    }

    private func play(_ fault: ServiceFault, isOver: Bool) async throws {
        state.withLock { state in
            if isOver { state.faults.removeAll { $0 == fault } } else { state.faults.append(fault) }
        }
        if isOver { try await world.end(fault) } else { try await world.begin(fault) }
    }

    func heal() async {
        let (outage, faults) = state.withLock { ($0.outage, $0.faults) }
        do {
            if let outage { try await end(outage) }
            for fault in faults { try await play(fault, isOver: true) }
            try await setPower(true)
            for peer in peers { try await peer.heal() }
        } catch {
            journal.violate("the world cannot be healed: \(error)")
        }
    }

    // MARK: The end

    var pending: PendingWork { get async { await PendingWork(of: [central], and: [server]) } }

    func close() async -> [WeakObject] {
        serverWatch.checkThatAllWereAnswered(within: .seconds(30))
        let objects =
            [WeakObject(central, "the central manager"), WeakObject(server, "the peripheral manager")]
            + central.peripherals.map { WeakObject($0, "the handle of \($0.identifier)") }
        await central.invalidate(timeout: nil)
        await server.invalidate(timeout: nil)
        try? await journal.clock.sleep(for: .seconds(5))
        await check(central.remains, of: "the central manager")
        await check(server.remains, of: "the peripheral manager")
        do { try await check(world.remains(), of: "the platform") } catch { journal.violate("\(error)") }
        for (index, peer) in peers.enumerated() where (try? await peer.connectionCount ?? 0) != 0 {
            journal.violate("device \(index) has a link that nobody has made")
        }
        return objects
    }
}

/// A misbehaviour of the service of a platform, such as bluetoothd. The number of a call counts modulo the number of
/// the service's calls.
public enum ServiceFault: Sendable, Hashable, CustomStringConvertible {
    /// The service refuses a call whenever it is made.
    case refuses(call: Int)
    /// The service delays a call until the fault ends.
    case holdsBack(call: Int)
    /// The service answers a call a second time, with an error.
    case answersTwice(call: Int)
    /// The service reports each change twice.
    case repeatsItself
    /// The service delays all calls until the fault ends, and then handles them in order.
    case standsStill

    /// A sentence about the behaviour of the service.
    public var description: String {
        switch self {
        case .refuses(let call): "refuses call \(call)"
        case .holdsBack(let call): "holds call \(call) back"
        case .answersTwice(let call): "answers call \(call) twice"
        case .repeatsItself: "says all twice"
        case .standsStill: "stands still"
        }
    }
}
