// SPDX-License-Identifier: MIT

import BlueCap

/// Finds a device, connects, subscribes to characteristics and prints their values.
struct NotifySession: Sendable {
    /// The characteristics to subscribe to, and the format of their values.
    struct Plan: Sendable {
        var characteristics: [CharacteristicSelector]
        /// Only characteristics of this service.
        var service: BluetoothUUID?
        /// How many values to print; nil for no end.
        var count: Int?
        /// How long to listen; nil for no end.
        var duration: Duration?
        var reconnects = false
        var transport = NotificationTransport.standard
        /// The timing to ask for; nil for what the two devices make out.
        var timing: ConnectionParameters?
        var format = ValueFormat.text
    }

    let finder: DeviceFinder
    let plan: Plan
    let output: any LineOutput
    let clock: BlueCapClock

    /// Runs until the count or the duration is reached, the link is lost for good, or the task is cancelled.
    func run() async throws {
        try await finder.central.requireRadio()
        let peripheral = try await finder.find()
        finder.progress("found \(peripheral.label)")
        if plan.reconnects {
            peripheral.reconnectPolicy = ReconnectPolicy(
                maximumTimeouts: nil, maximumDisconnections: nil,
                backoff: .exponential(initial: .milliseconds(500), maximum: .seconds(30)))
        }
        let events = peripheral.connectionEvents()
        try await finder.connect(peripheral)
        finder.progress("connected")
        try await plan.timing?.apply(to: peripheral, progress: finder.progress)
        let characteristics = try chosen(on: peripheral)
        let printer = ValuePrinter(plan.format, of: characteristics, total: plan.count, output: output, clock: clock)
        var subscriptions: [(Characteristic, Notifications)] = []
        for characteristic in characteristics {
            let notifications = try await characteristic.notifications(
                onDisconnect: plan.reconnects ? .resubscribe : .end, transport: plan.transport,
                timeout: finder.timeout)
            let name = KnownProfiles.characteristic(characteristic.uuid, in: characteristic.service?.uuid)
            finder.progress("subscribed to \(name)")
            subscriptions.append((characteristic, notifications))
        }
        try await printer.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (characteristic, notifications) in subscriptions {
                group.addTask {
                    for try await value in notifications {
                        let dropped = notifications.droppedCount
                        guard try await printer.print(value, of: characteristic, dropped: dropped) else { return }
                    }
                }
            }
            if let duration = plan.duration {
                group.addTask {
                    do { try await clock.sleep(for: duration) } catch { return }
                    if await printer.count == 0 { throw Self.silence(duration) }
                }
            }
            if plan.reconnects {
                group.addTask { await follow(events) }
            }
            defer { group.cancelAll() }
            do {
                try await group.next()
            } catch let error as CharacteristicError where error == .disconnected && !plan.reconnects {
                let lost = CommandFailure(error)
                throw CommandFailure(lost.status, lost.message + ", or add --reconnect")
            }
        }
        try await printer.end()
        let dropped = await printer.droppedCount
        if dropped > 0 {
            finder.progress("\(TextLayout.count(dropped, "value")) dropped because the output is too slow")
        }
    }

    private static func silence(_ duration: Duration) -> CommandFailure {
        CommandFailure(
            .tryAgain,
            "no value came within \(TextLayout.seconds(duration)): the device may have to be switched on first "
                + "('bluecap write'), or has nothing to tell")
    }

    /// The characteristics that are meant, each once.
    private func chosen(on peripheral: Peripheral) throws(CommandFailure) -> [Characteristic] {
        var services = peripheral.services
        if let service = plan.service {
            services = services.filter { $0.uuid == service }
            if services.isEmpty {
                let there = peripheral.services.map(\.uuid.description).joined(separator: ", ")
                throw CommandFailure(
                    .refused,
                    "\(peripheral.label) has no service \(service); "
                        + (there.isEmpty ? "it has none" : "it has these: \(there)"))
            }
        }
        var chosen: [Characteristic] = []
        for selector in plan.characteristics {
            let characteristic = try selector.pick(for: .notify, in: services, of: peripheral)
            if !chosen.contains(characteristic) { chosen.append(characteristic) }
        }
        return chosen
    }

    private func follow(_ events: AsyncStream<ConnectionEvent>) async {
        // The first connection is reported too, and is no news.
        var isLost = false
        for await event in events {
            if case .disconnected = event { isLost = true }
            switch event {
            case .connected: if isLost { finder.progress("connected again") }
            case .timedOut: finder.progress("connecting timed out, trying again")
            case .disconnected(let error): finder.progress("link lost (\(error.message)), reconnecting")
            case .forcedDisconnect, .gaveUp: return
            }
        }
    }
}
