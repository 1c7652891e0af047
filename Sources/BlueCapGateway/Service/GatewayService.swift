// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapRuntime

/// A gateway that runs: the radio on one side, the broker on the other.
///
/// Without ``GatewayConfiguration/state`` nothing outlives it.
package struct GatewayService: Sendable {
    let configuration: GatewayConfiguration
    let host: GatewayHost
    let broker: any BrokerConnection
    let gateway: DeviceGateway
    let connections: DeviceConnections
    /// Nil where nothing is kept for the next start.
    let state: StateFile?
    let news = Locked(BrokerNews())

    /// Opens the file of the last run, and makes the broker.
    ///
    /// - Parameters:
    ///   - configuration: The settings, with which a later configuration is compared.
    ///   - host: The program around the gateway.
    ///   - broker: Makes the broker, with the messages that the last run has left.
    /// - Throws: The error of `broker`.
    package init(
        _ configuration: GatewayConfiguration, on host: GatewayHost,
        broker: ([WaitingMessage]) throws(BrokerFailure) -> any BrokerConnection
    ) throws(BrokerFailure) {
        let events = GatewayEvents()
        let state = configuration.state.map {
            StateFile(folder: $0, gateway: configuration.plan.name) { events.push(.stateFault($0)) }
        }
        let broker = try broker(state?.restored.messages ?? [])
        let gateway = DeviceGateway(configuration.plan, publisher: broker, clock: host.clock, events: events)
        connections = DeviceConnections(
            central: host.central, gateway: gateway, tools: host.tools, limit: configuration.plan.connectionLimit,
            clock: host.radioClock)
        (self.configuration, self.host) = (configuration, host)
        (self.broker, self.gateway, self.state) = (broker, gateway, state)
    }

    var events: GatewayEvents { gateway.events }
    var plan: GatewayPlan { configuration.plan }

    /// Runs until the duration is over or the task is cancelled, and then says farewell. Once.
    ///
    /// - Parameters:
    ///   - duration: How long; nil for no end.
    ///   - report: Takes the events one after the other, ``GatewayEvent/ended(_:)`` last. Its error ends the gateway.
    /// - Throws: The error of `report`; ``BrokerFailure/unreached(_:)`` when the duration passed without the broker.
    package func run(
        for duration: Duration? = nil, report: @escaping @Sendable (GatewayEvent) throws -> Void
    ) async throws {
        let restored = state?.restored ?? GatewayState()
        await gateway.restore(restored.counters)
        let news = broker.events.stream(capacity: .newest(plan.isOfGroup ? 16_384 : 1024))
        // A device that was heard by an earlier run is not available until it is heard, and a rule may hide it now.
        for waiting in restored.messages where plan.takesOver(waiting.message) { await gateway.find(waiting.message) }
        broker.open()
        // Ready without a broker too: it may come later.
        host.systemd.send("READY=1")
        let result: Result<Void, any Error>
        do { result = .success(try await work(news, duration, report)) } catch { result = .failure(error) }
        host.systemd.send("STOPPING=1")
        broker.publish(plan.status(isOnline: false))
        let end = await end(lost: await broker.close(within: .seconds(2)))
        // The cause of any other event may be the end itself.
        for event in events.taken() { if case .stateFault = event { try report(event) } }
        try report(.ended(end))
        try result.get()
        if end.numbers.messages.connections == 0, !Task.isCancelled { throw BrokerFailure.unreached(broker.address) }
    }

    /// Does all work until the first part of it ends.
    private func work(
        _ news: AsyncStream<BrokerEvent>, _ duration: Duration?,
        _ report: @escaping @Sendable (GatewayEvent) throws -> Void
    ) async throws {
        let (central, clock) = (host.central, host.clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await LastingScan(central: central, gateway: gateway, clock: clock).run() }
            group.addTask { try await central.run { try await tick() } }
            group.addTask { await central.run { await connections.run() } }
            group.addTask { await follow(news) }
            group.addTask { try await events.forEach(report) }
            group.addTask { try await reportToSystem() }
            group.addTask { try await ProgramPages.giveBack(on: host.processClock) }
            if plan.isOfGroup { group.addTask { try await tendGroup() } }
            if let state { group.addTask { try await keep(state) } }
            if let measure = host.measure { group.addTask { try await takeNumbers(measure) } }
            if let rereading = host.rereading { group.addTask { await readAgain(rereading) } }
            if let duration { group.addTask { try? await clock.sleep(for: duration) } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Writes the file for the next start, and takes the numbers.
    private func end(lost: Int) async -> GatewayEnd {
        var end = GatewayEnd()
        end.kept = await state?.finish(contents(broker.waitingMessages))
        end.lost = lost - (end.kept ?? 0)
        end.numbers = await numbers
        (end.forgotten, end.ignored) = (await gateway.forgottenCount, await gateway.ignoredMessages)
        end.connectsToDevices = await gateway.connectsToDevices
        return end
    }

    /// The numbers of now.
    var numbers: GatewayNumbers {
        get async {
            var numbers = GatewayNumbers()
            (numbers.messages, numbers.waiting) = (broker.statistics, broker.waitingCount)
            (numbers.readFrames, numbers.unreadFrames) = (await gateway.readFrameCount, await gateway.unreadFrames)
            numbers.devices = await gateway.deviceCount
            (numbers.isRadioOn, numbers.isBrokerConnected) = (host.central.state == .poweredOn, broker.isOpen)
            (numbers.connections, numbers.links) = (await connections.statistics, await connections.levels)
            numbers.unwrittenStates = state?.failedCount
            return numbers
        }
    }

    /// The messages and counters for the next start. It begins with a status of its own.
    func contents(_ messages: [WaitingMessage]) async -> GatewayState {
        let kept = plan.isOfGroup ? [] : messages.filter { $0.message.topic != plan.statusTopic }
        return GatewayState(messages: kept, counters: await gateway.frameCounters)
    }
}
#endif
