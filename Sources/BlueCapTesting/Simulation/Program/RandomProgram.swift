// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual

/// A program of both roles that makes the calls of its steps and checks the results against the library's promises.
///
/// Its central manager talks to two far devices and, on the virtual radio, to its peripheral manager on another
/// adapter. In other worlds a far central talks to the peripheral manager.
final class RandomProgram: SimulatedApp {
    static let deviceCount = 3

    struct State {
        var registers = [[ProgramRegister: RegisterHistory]](repeating: [:], count: deviceCount)
        /// The last number that was written, or sent.
        var lastNumber: UInt64 = 0
        /// Whether each peripheral is connected, according to the manager's last event.
        var isConnected: [PeerIdentifier: Bool] = [:]
        /// The channels that were opened, and the units that devices sent by themselves.
        var channels: [ChannelLog] = []
        var deviceUnits: [ChannelKey: [UInt64]] = [:]
        /// Whether the platform joins and cuts the units of a channel.
        var isStream = false
        /// Whether a device has broken a rule of channels, so that units without a number may come.
        var hasLiars = false
        /// How many times longer than usual the calls of the program itself may take.
        var patience = 1.0
    }

    let journal: RunJournal
    let steps: [SimulationStep]
    let central: CentralManager
    let watch: SeamWatch
    let served: ServedDevice
    let devices: [any ProgramDevice]
    /// The far central that talks to the served device if the central manager cannot.
    let far: FarProgram?
    let users: PairingUsers
    /// The time from one connection event to the next of the links to the devices.
    private let linkInterval: Duration
    /// The abilities that the platform does not have.
    let missing: Set<SimulationAbility>
    let state = Locked(State())

    init(in world: SimulatedWorld) async throws {
        journal = world.journal
        steps = world.steps
        (central, watch) = world.makeWatchedCentral()
        let virtual = [VirtualDevice(0), VirtualDevice(1)]
        for device in virtual { world.radio.add(device.peripheral) }
        let address = "00:00:5E:00:53:02"
        served = ServedDevice(
            world.makePeripheralManager(address: address), identifier: PeerIdentifier(address), seed: world.seed,
            journal: journal)
        devices = virtual + [served]
        far = nil
        linkInterval = .milliseconds(100)
        missing = []
        users = PairingUsers(devices: devices, seed: world.seed, journal: journal)
    }

    init(in scene: WorldScene, seed: UInt64) async throws {
        journal = scene.journal
        steps = scene.steps
        (central, watch) = (scene.central, scene.watch)
        let world = scene.world
        served = ServedDevice(
            scene.server, identifier: PeerIdentifier("00:00:00:00:00:00"), seed: seed, journal: journal)
        devices = scene.peers
        missing = world.missingAbilities
        linkInterval = world.linkInterval
        far = FarProgram(try await world.farCentral(0), served: served, journal: journal, missing: missing)
        users = PairingUsers(devices: devices, seed: seed, journal: journal)
        state.withLock { $0.isStream = world.limit(.unitBoundaries) != nil }
    }

    func makeNumber() -> UInt64 {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// The time that a call of the last check may take, or one that is made for another call.
    func limit(_ usual: Duration) -> Duration { usual * state.withLock { $0.patience } }

    /// Gives the calls of the last check the time that they take on slow links. The usual one suffices for links of up
    /// to 300 ms.
    func becomePatient() {
        let patience = max(linkInterval / .milliseconds(300), 1)
        state.withLock { $0.patience = patience }
    }

    /// Does every lane's calls, each in its turn.
    func run() async throws {
        try? await central.whenPoweredOn()
        try? await served.manager.whenPoweredOn()
        await served.serve(true)
        await served.advertise(true)
        let lanes = Dictionary(grouping: steps.filter(\.isCall), by: \.lane).sorted { $0.key < $1.key }
        await withTaskGroup { group in
            group.addTask { await self.served.answerWrites() }
            group.addTask { await self.served.followCentrals() }
            group.addTask { await self.served.followFailures() }
            group.addTask { await self.followConnections() }
            for (_, steps) in lanes { group.addTask { await self.make(steps) } }
            group.addTask {
                await self.journal.healed()
                self.limitPolicies()
                // Offers again the service and the advertisement that the last steps may have removed; without them the
                // device would not be found. The platform needs a moment to be there.
                try? await self.served.manager.whenPoweredOn(timeout: .seconds(30))
                await self.served.serve(true)
                await self.served.advertiseAgain()
                // No call that knows an address from before begins after that.
                guard (try? await self.journal.clock.sleep(for: .seconds(20))) != nil else { return }
                await self.endHopelessAttempts()
            }
        }
    }

    /// Ends attempts to connect to addresses that a device does not use any more: they would last as long as the app
    /// waits.
    private func endHopelessAttempts() async {
        for device in devices {
            for identifier in device.identifiers where identifier != device.identifier {
                guard let peripheral = central.peripheral(withIdentifier: identifier), !peripheral.isConnected else {
                    continue
                }
                await peripheral.disconnect()
            }
        }
    }

    /// Limits the policies: one without limits retries for ever with a timeout that is too short for the device, as it
    /// should.
    private func limitPolicies() {
        for device in devices.indices {
            for peripheral in peripherals(of: device) where peripheral.reconnectPolicy != .never {
                peripheral.reconnectPolicy = ReconnectPolicy(maximumTimeouts: 10, maximumDisconnections: 10)
            }
        }
    }

    private func make(_ steps: [SimulationStep]) async {
        for step in steps {
            let rest = step.time - journal.clock.elapsed
            // Calls that a task has not made by the end of the faults are dropped.
            guard (try? await journal.clock.sleep(for: max(rest, .zero))) != nil, !journal.isHealed else { return }
            if case .call(let call) = step.action { await make(call) }
        }
    }

    private func make(_ call: ProgramCall) async {
        if let far, call.device == devices.count { return await far.make(call, makeNumber) }
        switch call {
        case .connect(let device, let timeout, let cancellation):
            guard let peripheral = await peripheral(device) else { return }
            await connect(peripheral, device, timeout: timeout, cancellation: cancellation)
        case .reconnect(let device, let delay): await reconnect(device, after: delay)
        case .disconnect(let device): await disconnect(device)
        case .policy(let device, let policy): known(device)?.reconnectPolicy = policy
        case .discover(let device): if let peripheral = await linked(device) { await discover(peripheral, device) }
        case .read(let device, let register, let timeout, let cancellation):
            await read(device, register, timeout: timeout, cancellation: cancellation)
        case .write(let device, let register, let timeout, let cancellation):
            await write(device, register, timeout: timeout, cancellation: cancellation)
        case .command(let device, let count, let isOverSocket):
            await command(device, count, isOverSocket ? .withoutResponseOverSocket : .withoutResponse)
        case .signalStrength(let device): await measure(device)
        case .measure(let device, let duration): await measure(device, for: duration)
        case .listen(let device, let listening): await listen(device, listening)
        case .hold(let device, let duration): await hold(device, duration)
        case .forget(let device): await forget(device)
        case .pair(let device, let timeout, let cancellation):
            await pair(device, timeout: timeout, cancellation: cancellation)
        case .cancelPairing(let device): await cancelPairing(device)
        case .removeBond(let device): await removeBond(device)
        case .answerPairing(let role, let capability, let duration): await answerPairing(role, capability, duration)
        case .scan(let duration): await scan(duration)
        case .retrieve(let isConnected): await retrieve(connected: isConnected)
        case .resetCentral: await resetCentral()
        case .serve(let isOn): await served.serve(isOn)
        case .advertise(let isOn): await served.advertise(isOn)
        case .advertiseMore(let duration): await served.advertiseMore(duration)
        case .resetServer: await served.reset()
        case .dismissCentrals: await served.dismissCentrals()
        case .send(let device, let count, let isIndicated, let isSingle):
            let values = (0..<count).map { _ in Bytes(number: makeNumber()) }
            try? await devices[device].send(values, isIndicated: isIndicated, isSingle: isSingle)
        case .channel(let device, let use): if hasChannels { await useChannel(device, use) }
        case .publish(let place, let pause, let duration):
            if hasChannels, place != .none { await served.publish(place, pause: pause, for: duration, self) }
        case .channelAction(let device, let action): if hasChannels { await act(device, action) }
        case .greet(let device, let isOn): try? await devices[device].greet(isOn ? [Bytes(number: 0)] : [])
        }
    }
}

extension SimulationStep {
    fileprivate var isCall: Bool { if case .call = action { true } else { false } }
}
