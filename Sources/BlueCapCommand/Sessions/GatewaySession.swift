// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCap
import BlueCapGateway

/// A gateway that runs: the radio on one side, the broker on the other.
struct GatewaySession: Sendable {
    struct Plan: Sendable {
        var gateway: GatewayPlan
        var broker: BrokerSettings
        /// How long; nil for no end.
        var duration: Duration?
        var isJSON = false
    }

    let central: CentralManager
    let plan: Plan
    let output: any LineOutput
    let clock: BlueCapClock

    /// Runs until the duration is over or the task is cancelled, and then says farewell.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` when the duration passed without the broker.
    func run() async throws {
        try await central.requireRadio()
        let broker: Broker
        do throws(BrokerFailure) {
            broker = try Broker(plan.broker, subscribingTo: plan.gateway.birthTopic.map { [$0] } ?? [])
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
        let gateway = DeviceGateway(plan.gateway, publisher: broker, clock: clock)
        let events = (
            broker: broker.events.stream(capacity: .newest(1024)),
            gateway: gateway.events.stream(capacity: .newest(1024))
        )
        await broker.open()
        let result: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await DeviceListener(central: central, gateway: gateway, clock: clock).run() }
                group.addTask {
                    while !Task.isCancelled {
                        try await clock.sleep(for: .seconds(1))
                        await gateway.tick()
                    }
                }
                group.addTask { try await follow(events.broker, gateway) }
                group.addTask { for await event in events.gateway { try show(event) } }
                if let duration = plan.duration { group.addTask { try? await clock.sleep(for: duration) } }
                defer { group.cancelAll() }
                try await group.next()
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        broker.publish(plan.gateway.status(isOnline: false))
        let lost = await broker.close()
        let counts = await broker.statistics
        await broker.stop()
        try await show(counts, lost: lost, encrypted: gateway.encryptedCount)
        try result.get()
        if counts.connections == 0, !Task.isCancelled {
            throw CommandFailure(.tryAgain, "\(plan.broker.address) was not reached")
        }
    }

    private func follow(_ events: AsyncStream<Broker.Event>, _ gateway: DeviceGateway) async throws {
        var last: BrokerEvent?
        for await event in events {
            var shown: BrokerEvent
            switch event {
            case .connected:
                await gateway.publishAgain()
                shown = BrokerEvent(state: .connected, broker: plan.broker.address)
            case .lost(let reason): shown = BrokerEvent(state: .lost, broker: plan.broker.address, reason: reason)
            case .refused(let refusal):
                shown = BrokerEvent(state: .refused, broker: plan.broker.address, reason: "\(refusal)")
            case .received(let message):
                // Home Assistant has started, and knows nothing.
                if message.text == "online", !message.isRetained { await gateway.publishAgain() }
                continue
            }
            // Once, and not for each attempt.
            if shown == last { continue }
            last = shown
            shown.date = JSONLine.date(clock.date)
            if plan.isJSON { try output.event(shown) } else { try output.line(shown.line) }
        }
    }

    private func show(_ event: DeviceGateway.Event) throws {
        let date = JSONLine.date(clock.date)
        switch event {
        case .device(let identifier, let name):
            let shown = GatewayDeviceEvent(id: identifier.text, name: name, date: date)
            if plan.isJSON { try output.event(shown) } else { try output.line(shown.line) }
        case .radioLost(let reason):
            let shown = RadioEvent(state: .lost, reason: reason, date: date)
            if plan.isJSON { try output.event(shown) } else { try output.line(shown.line) }
        case .radioReturned:
            let shown = RadioEvent(state: .on, date: date)
            if plan.isJSON { try output.event(shown) } else { try output.line(shown.line) }
        case .forgotten: return
        }
    }

    private func show(_ counts: Broker.Counts, lost: Int, encrypted: Int) async throws {
        let event = GatewayEndEvent(
            published: counts.published, replaced: counts.replaced, dropped: counts.dropped, refused: counts.refused,
            lost: lost, connections: counts.connections, encrypted: encrypted, date: JSONLine.date(clock.date))
        if plan.isJSON { try output.event(event) } else { for line in event.lines { try output.prose(line) } }
    }
}
#endif
