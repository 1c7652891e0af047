// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCap
import BlueCapGateway
import BlueCapRuntime

/// A gateway that runs: the radio on one side, the broker on the other.
struct GatewaySession: Sendable {
    struct Plan: Sendable {
        var configuration: GatewayConfiguration
        var gateway: GatewayPlan
        var broker: BrokerSettings
        /// Reads the configuration again.
        var read: @Sendable () throws -> GatewayConfiguration
        /// When to do that; nil for never.
        var hangUps: AsyncStream<Void>?
        /// How long; nil for no end.
        var duration: Duration?
        var isJSON = false
        /// The folder of the file for the next run; nil for none.
        var stateFolder: String?
        /// Nil where none are served.
        var metrics: GatewayMetrics?
    }

    let central: CentralManager
    let plan: Plan
    let output: any LineOutput
    let clock: BlueCapClock
    private let systemd = SystemdNotifier { Environment.value($0) }
    private let news = Locked(BrokerNews())

    init(central: CentralManager, plan: Plan, output: any LineOutput, clock: BlueCapClock) {
        (self.central, self.plan, self.output, self.clock) = (central, plan, output, clock)
    }

    /// Runs until the duration is over or the task is cancelled, and then says farewell.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` when the duration passed without the broker.
    func run() async throws {
        try await central.requireRadio()
        if let metrics = plan.metrics {
            let shown = MetricsEvent(url: metrics.url, date: JSONLine.date(clock.date))
            try show(shown, shown.line)
        }
        // A task that is cancelled takes no more from a stream, and the last write may fail after that.
        let faults = Locked<[String]>([])
        let (faulted, fault) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let state = plan.stateFolder.map {
            StateFile(folder: $0, gateway: plan.gateway.name) { reason in
                faults.withLock { $0.append(reason) }
                fault.yield()
            }
        }
        let restored = state?.restored.messages ?? []
        let broker: Broker
        do throws(BrokerFailure) {
            broker = try Broker(
                plan.broker, subscribingTo: plan.gateway.filters, restoring: restored,
                where: plan.gateway.takesOver)
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
        let gateway = DeviceGateway(plan.gateway, publisher: broker, clock: clock)
        await gateway.restore(state?.restored.counters ?? [])
        let connections = connections(of: gateway)
        let events = (
            broker: broker.events.stream(capacity: .newest(plan.gateway.isOfGroup ? 16_384 : 1024)),
            gateway: gateway.events.stream(capacity: .newest(1024)),
            connections: connections.events.stream(capacity: .newest(1024))
        )
        // A device that was heard by an earlier run is not available until it is heard, and a rule may hide it now.
        for waiting in restored where plan.gateway.takesOver(waiting.message) { await gateway.find(waiting.message) }
        broker.open()
        // Ready without a broker too: it may come later.
        systemd.send("READY=1")
        let result: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await LastingScan(central: central, gateway: gateway, clock: clock).run() }
                group.addTask { try await central.run { try await tick(broker, gateway) } }
                if plan.gateway.isOfGroup { group.addTask { try await tend(gateway) } }
                group.addTask { try await giveBackPages() }
                group.addTask { try await report(broker, gateway) }
                if let state { group.addTask { try await keep(state, broker, gateway) } }
                group.addTask { for await _ in faulted { try showAll(faults) } }
                if let meter = plan.metrics?.meter {
                    group.addTask { try await measure(meter, broker, gateway, connections, state) }
                }
                group.addTask { await central.run { await connections.run() } }
                group.addTask { for await event in events.connections { try show(event) } }
                group.addTask { try await follow(events.broker, gateway, connections) }
                group.addTask { for await event in events.gateway { try show(event) } }
                if let hangUps = plan.hangUps {
                    group.addTask { try await readAgain(hangUps, gateway, broker, connections) }
                }
                if let duration = plan.duration { group.addTask { try? await clock.sleep(for: duration) } }
                defer { group.cancelAll() }
                try await group.next()
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        systemd.send("STOPPING=1")
        broker.publish(plan.gateway.status(isOnline: false))
        var lost = await broker.close()
        let kept = await state?.finish(contents(broker.waitingMessages, gateway))
        try showAll(faults)
        lost -= kept ?? 0
        let counts = broker.statistics
        let file = state.map { (kept: kept ?? 0, unwritten: $0.failedCount) }
        try await show(
            counts, lost: lost, file, gateway.unreadFrames, forgotten: gateway.forgottenCount,
            ignored: gateway.ignoredMessages, gateway.connectsToDevices ? connections.statistics : nil)
        try result.get()
        if counts.connections == 0, !Task.isCancelled {
            throw CommandFailure(.tryAgain, "\(plan.broker.address) was not reached")
        }
    }

    private func connections(of gateway: DeviceGateway) -> DeviceConnections {
        let tools = ConnectionTools { text, characteristic in
            guard let peripheral = characteristic.peripheral else { return }
            let isCommand = !characteristic.properties.contains(.write)
            _ = try await peripheral.write(
                TypedValue(text: text), to: characteristic, isCommand: isCommand, isLong: false, timeout: .seconds(10))
        } reason: {
            // The tool's advice is about commands of its own, and the text may be a secret.
            if $0 is CommandFailure { return "the text is no value of the characteristic" }
            return ($0 as? any BlueCapError)?.message ?? CommandFailure($0).message
        }
        return DeviceConnections(
            central: central, gateway: gateway, tools: tools, limit: plan.configuration.connections, clock: ownClock)
    }

    private func follow(
        _ events: AsyncStream<Broker.Event>, _ gateway: DeviceGateway, _ connections: DeviceConnections
    ) async throws {
        for await event in events {
            let shown: BrokerEvent
            switch event {
            case .connected:
                await gateway.brokerIsBack()
                shown = BrokerEvent(state: .connected, broker: plan.broker.address)
            case .lost(let reason):
                await gateway.brokerIsLost()
                shown = BrokerEvent(state: .lost, broker: plan.broker.address, reason: reason)
            case .refused(let refusal):
                await gateway.brokerIsLost()
                shown = BrokerEvent(state: .refused, broker: plan.broker.address, reason: "\(refusal)")
            case .received(let message):
                if plan.gateway.isCommand(message.topic) {
                    await connections.obey(message)
                } else if message.topic != plan.gateway.birthTopic {
                    await gateway.find(message)
                } else if message.text == "online", !message.isRetained {
                    // Home Assistant has started, and knows nothing.
                    await gateway.publishAgainSoon()
                }
                continue
            case .unsubscribed(let topic):
                shown = denial(topic)
            case .oversized(let topic):
                if plan.gateway.isCommand(topic) { await connections.refuseOversized() }
                continue
            }
            if news.withLock({ $0.isNew(shown, at: clock.elapsed) }) { try show(shown) }
        }
    }

    private func denial(_ topic: String) -> BrokerEvent {
        BrokerEvent(
            state: .unsubscribed, broker: plan.broker.address,
            reason: "this client may not subscribe to \(topic); allow it there")
    }

    private func show(_ event: BrokerEvent) throws(OutputClosed) {
        var event = event
        event.date = JSONLine.date(clock.date)
        try show(event, event.line)
    }

    /// Acts as after a lost connection, where events of the broker were dropped: claims may have been among them.
    private func answer(_ step: MissedEvents.Step, _ broker: Broker, _ gateway: DeviceGateway) async {
        if step != .none { await gateway.brokerIsLost() }
        if step == .askAgain { await broker.askAgain() }
    }

    private func tick(_ broker: Broker, _ gateway: DeviceGateway) async throws {
        var missed = MissedEvents()
        while !Task.isCancelled {
            try await ownClock.sleep(for: .seconds(1))
            await gateway.tick()
            if let topic = await gateway.unansweredFilter {
                let denial = denial(topic)
                if news.withLock({ $0.isNew(denial, at: clock.elapsed) }) { try show(denial) }
            }
            if let lasting = news.withLock({ $0.lasting(at: clock.elapsed) }) { try show(lasting) }
            await answer(missed.step(broker.statistics.missedEvents, at: ownClock.elapsed), broker, gateway)
        }
    }

    /// The clock of tasks on the thread of the radio.
    private var ownClock: BlueCapClock { central.executor.timerClock ?? clock }

    private func tend(_ gateway: DeviceGateway) async throws {
        while !Task.isCancelled {
            try await clock.sleep(for: .milliseconds(100))
            await gateway.tendGroup()
        }
    }

    /// Gives back the memory of code that the start has used, and later that of rare work.
    private func giveBackPages() async throws {
        try await BlueCapClock.continuous.sleep(for: .seconds(10))
        while !Task.isCancelled {
            ProgramPages.giveBack()
            try await BlueCapClock.continuous.sleep(for: .seconds(3600))
        }
    }

    /// Shows the faults of the file that were not shown before.
    private func showAll(_ faults: Locked<[String]>) throws {
        let reasons = faults.withLock { reasons in
            defer { reasons = [] }
            return reasons
        }
        for reason in reasons {
            let shown = StateFileEvent(reason: reason, date: JSONLine.date(clock.date))
            try show(shown, shown.line)
        }
    }

    /// Keeps what the next run needs, also where this one is killed.
    private func keep(_ state: StateFile, _ broker: Broker, _ gateway: DeviceGateway) async throws {
        while !Task.isCancelled {
            try await BlueCapClock.continuous.sleep(for: .seconds(1))
            let now = BlueCapClock.continuous.elapsed
            state.save(await contents(broker.waitingSinceLastCall(), gateway), at: now)
        }
    }

    /// The messages and counters for the next run. It begins with a status of its own.
    private func contents(_ messages: [WaitingMessage], _ gateway: DeviceGateway) async -> GatewayState {
        let isOwn = !plan.gateway.isOfGroup
        let kept = isOwn ? messages.filter { $0.message.topic != plan.gateway.statusTopic } : []
        return GatewayState(messages: kept, counters: await gateway.frameCounters)
    }

    private func show(_ event: DeviceGateway.Event) throws {
        let date = JSONLine.date(clock.date)
        switch event {
        case .device(let identifier, let name):
            let shown = GatewayDeviceEvent(id: identifier.text, name: name, date: date)
            try show(shown, shown.line)
        case .removed(let identifier):
            let shown = GatewayDeviceEvent(event: "removed", id: identifier.text, date: date)
            try show(shown, shown.line)
        case .unread(let identifier, let reason):
            let shown = UnreadFramesEvent(id: identifier.text, reason: reason, date: date)
            try show(shown, shown.line)
        case .radioLost(let reason):
            let shown = RadioEvent(state: .lost, reason: reason, date: date)
            try show(shown, shown.line)
        case .radioReturned:
            let shown = RadioEvent(state: .on, date: date)
            try show(shown, shown.line)
        case .forgotten(let identifier):
            let reason = "there are more than \(plan.gateway.maximumDevices) devices: hide some of them by rules"
            let shown = GatewayDeviceEvent(event: "forgotten", id: identifier.text, reason: reason, date: date)
            try show(shown, shown.line)
        }
    }

    private func show(_ event: DeviceConnections.Event) throws {
        let date = JSONLine.date(clock.date)
        let link = { (state: GatewayLinkEvent.State, device: PeerIdentifier, reason: String?) in
            let shown = GatewayLinkEvent(state: state, id: device.text, reason: reason, date: date)
            try show(shown, shown.line)
        }
        let command = { (state: GatewayCommandEvent.State, device: PeerIdentifier?, key: String?, reason: String?) in
            let shown = GatewayCommandEvent(state: state, id: device?.text, key: key, reason: reason, date: date)
            try show(shown, shown.line)
        }
        switch event {
        case .connected(let device): try link(.connected, device, nil)
        case .disconnected(let device): try link(.disconnected, device, nil)
        case .read(let device): try link(.read, device, nil)
        case .failed(let device, let reason): try link(.failed, device, reason)
        case .written(let device, let key): try command(.written, device, key, nil)
        case .notWritten(let device, let key, let reason): try command(.failed, device, key, reason)
        case .refused(let reason): try command(.refused, nil, nil, reason)
        }
    }

    private func show(_ event: some Encodable, _ line: String) throws(OutputClosed) {
        if plan.isJSON { try output.event(event) } else { try output.line(line) }
    }

    /// Reports to systemd that the radio answers, for as long as it does.
    private func report(_ broker: Broker, _ gateway: DeviceGateway) async throws {
        while !Task.isCancelled {
            // It returns only if the manager's executor gets on. That of the broker may wait for the address of its
            // host.
            await central.run {}
            let devices = await gateway.deviceCount
            let connection = broker.isOpen ? "connected to" : "without"
            let status = "\(devices) devices, radio \(central.state), \(connection) \(plan.broker.address)"
            systemd.send("WATCHDOG=1\nSTATUS=\(status)")
            try await BlueCapClock.continuous.sleep(for: systemd.watchdogInterval ?? .seconds(60))
        }
    }

    /// Takes the numbers of the metrics, once a second.
    private func measure(
        _ meter: GatewayMeter, _ broker: Broker, _ gateway: DeviceGateway, _ connections: DeviceConnections,
        _ state: StateFile?
    ) async throws {
        while !Task.isCancelled {
            var numbers = GatewayMeter.Numbers()
            (numbers.messages, numbers.waiting) = (broker.statistics, broker.waitingCount)
            (numbers.readFrames, numbers.unreadFrames) = (await gateway.readFrameCount, await gateway.unreadFrames)
            numbers.devices = await gateway.deviceCount
            (numbers.isRadioOn, numbers.isBrokerConnected) = (central.state == .poweredOn, broker.isOpen)
            (numbers.connections, numbers.links) = (await connections.statistics, await connections.levels)
            numbers.unwrittenStates = state?.failedCount
            meter.report(numbers)
            try await BlueCapClock.continuous.sleep(for: .seconds(1))
        }
    }

    private func readAgain(
        _ hangUps: AsyncStream<Void>, _ gateway: DeviceGateway, _ broker: Broker, _ connections: DeviceConnections
    ) async throws {
        for await _ in hangUps {
            systemd.send("RELOADING=1\nMONOTONIC_USEC=\(SystemdNotifier.monotonicMicroseconds)")
            defer { systemd.send("READY=1") }
            var shown = ConfigurationEvent(state: .read, date: JSONLine.date(clock.date))
            do {
                let new = try plan.read()
                let later = plan.configuration.keysForNextStart(of: new)
                shown.nextStart = later.isEmpty ? nil : later
                let now = new.plan(on: plan.gateway.name)
                await gateway.adopt(
                    now.rules, shortestInterval: now.shortestInterval, longestInterval: now.longestInterval,
                    connectionLimit: new.connections)
                connections.adopt(limit: new.connections)
                if now.rules.allowsCommands { broker.subscribe(to: plan.gateway.setFilter) }
            } catch {
                (shown.state, shown.reason) = (.refused, CommandFailure(error).message)
            }
            if plan.isJSON { try output.event(shown) } else { for line in shown.lines { try output.line(line) } }
        }
    }

    private func show(
        _ counts: Broker.Counts, lost: Int, _ file: (kept: Int, unwritten: Int)?, _ frames: FrameVault.Counts,
        forgotten: Int, ignored: Int?, _ links: DeviceConnections.Counts?
    ) async throws {
        let event = GatewayEndEvent(
            published: counts.published, replaced: counts.replaced, dropped: counts.dropped, refused: counts.refused,
            lost: lost, connections: counts.connections, missed: counts.missedEvents, encrypted: frames.encrypted,
            unread: frames.refused, replayed: frames.replayed, forgotten: forgotten,
            kept: file?.kept, expired: file.map { _ in counts.expired }, unwritten: file?.unwritten,
            outdated: plan.gateway.isOfGroup ? counts.outdated : nil, ignored: ignored,
            linkFailures: links?.failures, written: links?.written, notWritten: links?.notWritten,
            refusedCommands: links?.refused, date: JSONLine.date(clock.date))
        if plan.isJSON { try output.event(event) } else { for line in event.lines { try output.prose(line) } }
    }
}
#endif
