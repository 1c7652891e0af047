// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapRuntime

/// The tasks of a gateway that runs.
extension GatewayService {
    // MARK: The broker

    func follow(_ news: AsyncStream<BrokerEvent>) async {
        for await event in news {
            switch event {
            case .connected:
                await gateway.brokerIsBack()
                report(.brokerConnected)
            case .lost(let reason):
                await gateway.brokerIsLost()
                report(.brokerLost(reason))
            case .refused(let refusal):
                await gateway.brokerIsLost()
                report(.brokerRefused("\(refusal)"))
            case .received(let message): await take(message)
            case .unsubscribed(let topic): report(.topicDenied(topic))
            case .oversized(let topic): if plan.isCommand(topic) { await connections.refuseOversized() }
            }
        }
    }

    private func take(_ message: BrokerMessage) async {
        if plan.isCommand(message.topic) {
            await connections.obey(message)
        } else if message.topic != plan.birthTopic {
            await gateway.find(message)
        } else if message.text == "online", !message.isRetained {
            // Home Assistant has started, and knows nothing.
            await gateway.publishAgainSoon()
        }
    }

    /// Reports a change of the connection to the broker, unless it was reported before.
    private func report(_ event: GatewayEvent) {
        if news.withLock({ $0.isNew(event, at: host.clock.elapsed) }) { events.push(event) }
    }

    /// Acts as after a lost connection, where events of the broker were dropped: claims may have been among them.
    private func answer(_ step: MissedEvents.Step) async {
        if step != .none { await gateway.brokerIsLost() }
        if step == .askAgain { await broker.askAgain() }
    }

    // MARK: The time

    func tick() async throws {
        var missed = MissedEvents()
        while !Task.isCancelled {
            try await host.radioClock.sleep(for: .seconds(1))
            await gateway.tick()
            if let topic = await gateway.unansweredFilter { report(.topicDenied(topic)) }
            if let lasting = news.withLock({ $0.lasting(at: host.clock.elapsed) }) { events.push(lasting) }
            await answer(missed.step(broker.statistics.missedEvents, at: host.radioClock.elapsed))
        }
    }

    func tendGroup() async throws {
        while !Task.isCancelled {
            try await host.clock.sleep(for: .milliseconds(100))
            await gateway.tendGroup()
        }
    }

    // MARK: The process

    /// Keeps the messages and counters for the next start, also where this run is killed.
    func keep(_ state: StateFile) async throws {
        while !Task.isCancelled {
            try await host.processClock.sleep(for: .seconds(1))
            state.save(await contents(broker.waitingSinceLastCall()), at: host.processClock.elapsed)
        }
    }

    /// Reports to systemd that the radio answers, for as long as it does.
    func reportToSystem() async throws {
        while !Task.isCancelled {
            // It returns only if the manager's executor gets on. The broker's may wait for the address of its host.
            await host.central.run {}
            let devices = await gateway.deviceCount
            let connection = broker.isOpen ? "connected to" : "without"
            let status = "\(devices) devices, radio \(host.central.state), \(connection) \(broker.address)"
            host.systemd.send("WATCHDOG=1\nSTATUS=\(status)")
            try await host.processClock.sleep(for: host.systemd.watchdogInterval ?? .seconds(60))
        }
    }

    func takeNumbers(_ measure: @Sendable (GatewayNumbers) -> Void) async throws {
        while !Task.isCancelled {
            measure(await numbers)
            try await host.processClock.sleep(for: .seconds(1))
        }
    }

    func readAgain(_ rereading: GatewayHost.Rereading) async {
        for await _ in rereading.requests {
            host.systemd.send("RELOADING=1\nMONOTONIC_USEC=\(SystemdNotifier.monotonicMicroseconds)")
            defer { host.systemd.send("READY=1") }
            do throws(GatewayHost.Rereading.Refusal) {
                let new = try rereading.read()
                await adopt(new.plan)
                events.push(.configurationRead(keysForNextStart: configuration.keysForNextStart(of: new)))
            } catch {
                events.push(.configurationRefused(error.reason))
            }
        }
    }

    /// Takes the parts of another plan that hold at once.
    private func adopt(_ new: GatewayPlan) async {
        await gateway.adopt(
            new.rules, shortestInterval: new.shortestInterval, longestInterval: new.longestInterval,
            connectionLimit: new.connectionLimit, formats: new.formats)
        connections.adopt(limit: new.connectionLimit)
        if new.rules.allowsCommands { broker.subscribe(to: plan.setFilter) }
    }
}
#endif
