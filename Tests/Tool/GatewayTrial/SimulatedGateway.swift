// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapGateway
import BlueCapRuntime
import BlueCapVirtual

/// A gateway in a simulated house: a process that may be killed and started again, with an adapter of its own.
final class SimulatedGateway: Sendable {
    /// A listener has ended that was not cancelled.
    private struct ListenerEnded: Error {}

    private struct State {
        var plan: GatewayPlan
        var gateway: DeviceGateway?
        var client: ScriptedClient?
        var central: CentralManager?
        /// The messages of the runs that have ended.
        var ended = ScriptedClient.Counts()
        var mistakes: [String] = []
        /// Takes the time from the end of this run to the next one; nil for none.
        var end: AsyncStream<Duration?>.Continuation?
    }

    /// For how many topics a message may wait.
    static let capacity = 64

    let adapter: VirtualAdapter
    private let radio: VirtualRadio
    private let broker: ScriptedBroker
    private let clock: BlueCapClock
    private let gain: @Sendable (PeerIdentifier) -> Int?
    private let state: Locked<State>

    /// - Parameter gain: How well it hears a sensor; see ``CentralInReach``.
    init(
        _ plan: GatewayPlan, _ radio: VirtualRadio, _ adapter: VirtualAdapter, _ broker: ScriptedBroker,
        _ clock: BlueCapClock, gain: @escaping @Sendable (PeerIdentifier) -> Int?
    ) {
        self.gain = gain
        (self.radio, self.adapter, self.broker, self.clock) = (radio, adapter, broker, clock)
        state = Locked(State(plan: plan))
    }

    var plan: GatewayPlan { state.withLock { $0.plan } }

    /// The messages of all runs.
    var counts: ScriptedClient.Counts { state.withLock { $0.ended + ($0.client?.counts ?? .init()) } }

    /// The expectations that failed in runs that have ended.
    var mistakes: [String] { state.withLock { $0.mistakes } }

    /// Whether each message of this run is somewhere, and there are no more than may wait.
    var isCounted: Bool {
        guard let counts = state.withLock({ $0.client })?.counts else { return true }
        return counts.isComplete && counts.waiting <= Self.capacity + 20
    }

    var deviceCount: Int { get async { await state.withLock { $0.gateway }?.deviceCount ?? 0 } }

    /// How many requests the manager has.
    var requestCount: Int {
        get async { await state.withLock { $0.central }?.remains.values.reduce(0, +) ?? 0 }
    }

    func adopt(_ rules: GatewayRules, shortestInterval: Duration, longestInterval: Duration) async {
        let gateway = state.withLock { state in
            state.plan.rules = rules
            (state.plan.shortestInterval, state.plan.longestInterval) = (shortestInterval, longestInterval)
            return state.gateway
        }
        await gateway?.adopt(rules, shortestInterval: shortestInterval, longestInterval: longestInterval)
    }

    /// Ends the connection to the broker, which comes back.
    func cut() { state.withLock { $0.client }?.cut() }

    /// Kills the process, which is started again after a time.
    func kill(for pause: Duration) { state.withLock { $0.end }?.yield(pause) }

    /// Ends the process for good.
    func stop() { state.withLock { $0.end }?.yield(nil) }

    /// Runs the process, again and again, until ``stop()``.
    func run() async throws { while let pause = try await live() { try await clock.sleep(for: pause) } }

    private func live() async throws -> Duration? {
        let plan = plan
        let client = ScriptedClient(broker, plan, capacity: Self.capacity, clock: clock)
        let gateway = DeviceGateway(plan, publisher: client, clock: clock)
        let backend = CentralInReach(radio.central(on: adapter), gain: gain)
        let central = CentralManager(backend: backend, configuration: .init(clock: clock))
        let events = client.events.stream(capacity: .newest(16_384))
        let (ends, end) = AsyncStream.makeStream(of: Duration?.self)
        state.withLock { ($0.gateway, $0.client, $0.central, $0.end) = (gateway, client, central, end) }
        client.connect()
        let pause = try await withThrowingTaskGroup(of: Duration?.self) { group in
            group.addTask { [clock] in
                await LastingScan(central: central, gateway: gateway, clock: clock).run()
                if !Task.isCancelled { throw ListenerEnded() }
                return nil
            }
            group.addTask { [self] in try await self.repeat(.seconds(1)) { await gateway.tick() } }
            if plan.group != nil {
                group.addTask { [self] in try await self.repeat(.milliseconds(100)) { await gateway.tendGroup() } }
            }
            group.addTask { [self] in
                for await event in events { await take(event, gateway, plan) }
                try await clock.sleep(for: .seconds(1_000_000))
                return nil
            }
            group.addTask {
                for await pause in ends { return pause }
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        client.close()
        await central.invalidate()
        let remains = await central.remains
        let counts = client.counts
        state.withLock { state in
            if !remains.isEmpty { state.mistakes.append("the manager keeps \(remains)") }
            if !counts.isComplete { state.mistakes.append("messages are missing: \(counts)") }
            state.ended = state.ended + counts
            (state.gateway, state.client, state.central, state.end) = (nil, nil, nil, nil)
        }
        return pause
    }

    private func `repeat`(_ interval: Duration, _ body: () async -> Void) async throws -> Duration? {
        while true {
            try await clock.sleep(for: interval)
            await body()
        }
    }

    /// Passes an event of the broker on, as the session of the command does.
    private func take(_ event: ScriptedClient.Event, _ gateway: DeviceGateway, _ plan: GatewayPlan) async {
        switch event {
        case .connected: await gateway.brokerIsBack()
        case .lost: await gateway.brokerIsLost()
        case .received(let message):
            if message.topic != plan.birthTopic {
                await gateway.find(message)
            } else if message.text == "online", !message.isRetained {
                await gateway.publishAgainSoon()
            }
        }
    }
}
