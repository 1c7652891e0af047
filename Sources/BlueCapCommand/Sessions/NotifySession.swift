// SPDX-License-Identifier: MIT

import BlueCap

/// Finds a peripheral, connects, subscribes to a characteristic and prints its values.
struct NotifySession: Sendable {
    /// Whose values to print and how.
    struct Plan: Sendable {
        /// An identifier, or the whole name.
        var peripheral: String
        var characteristic: BluetoothUUID
        var service: BluetoothUUID?
        /// How many values to print; nil for no end.
        var count: Int?
        /// How long to listen; nil for no end.
        var duration: Duration?
        /// How long finding, connecting, discovering and subscribing may take, each.
        var timeout = Duration.seconds(10)
        var reconnects = false
        var transport = NotificationTransport.standard
        var isJSON = false
    }

    let central: CentralManager
    let plan: Plan
    let output: any LineOutput
    let clock: BlueCapClock
    /// Takes lines of progress.
    var progress: @Sendable (String) -> Void = { report($0) }

    /// Runs until the count or the duration is reached, the link is lost for good, or the task is cancelled.
    func run() async throws {
        try await central.requireRadio()
        let peripheral = try await find()
        try step("found", peripheral, "found \(label(peripheral))")
        if plan.reconnects {
            peripheral.reconnectPolicy = ReconnectPolicy(
                maximumTimeouts: nil, maximumDisconnections: nil,
                backoff: .exponential(initial: .milliseconds(500), maximum: .seconds(30)))
        }
        let events = peripheral.connectionEvents()
        try await peripheral.connect(timeout: plan.timeout)
        try step("connected", peripheral, "connected")
        let characteristic = try await discover(on: peripheral)
        let notifications = try await characteristic.notifications(
            onDisconnect: plan.reconnects ? .resubscribe : .end, transport: plan.transport, timeout: plan.timeout)
        try step("subscribed", peripheral, "subscribed to \(KnownUUIDs.name(characteristic.uuid))")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await print(notifications, of: characteristic) }
            if let duration = plan.duration {
                group.addTask { try? await clock.sleep(for: duration) }
            }
            if plan.reconnects {
                group.addTask { try await follow(events, of: peripheral) }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
        let dropped = notifications.droppedCount
        if dropped > 0 { progress("\(dropped) values were dropped because the output is too slow") }
    }

    // MARK: The way to the characteristic

    private func find() async throws -> Peripheral {
        let wanted = PeripheralIdentifier(plan.peripheral)
        // What the platform knows already, or is connected to and so does not advertise, needs no scan.
        if let known = try? await central.retrievePeripherals(withIdentifiers: [wanted]).first { return known }
        if let connected = try? await central.retrieveConnectedPeripherals(),
            let match = connected.first(where: { $0.name == plan.peripheral })
        {
            return match
        }
        progress("scanning for \(plan.peripheral)")
        do throws(CentralManagerError) {
            for try await discovery in central.scan(timeout: plan.timeout) {
                if discovery.peripheral.identifier == wanted || discovery.displayName == plan.peripheral {
                    return discovery.peripheral
                }
            }
        } catch {
            // Nothing at all was sighted: the same to the user as not having sighted this one.
            if error != .serviceScanTimeout { throw error }
        }
        if Task.isCancelled { throw CentralManagerError.cancelled }
        throw CommandFailure(
            .tryAgain,
            "no peripheral with the identifier or name '\(plan.peripheral)' was found within \(text(plan.timeout)): "
                + "'bluecap scan' lists what is there; a device that is connected elsewhere does not advertise")
    }

    private func discover(on peripheral: Peripheral) async throws -> Characteristic {
        try await peripheral.discover(plan.service.map { [$0] }, timeout: plan.timeout)
        var services = peripheral.services
        if let service = plan.service { services = services.filter { $0.uuid == service } }
        if services.isEmpty, let service = plan.service {
            throw CommandFailure(.refused, "\(label(peripheral)) has no service \(service)")
        }
        let found = services.flatMap { $0.characteristics(withUUID: plan.characteristic) }
        guard let characteristic = found.first else {
            let there = services.flatMap(\.characteristics).filter(\.canNotify).map { $0.uuid.description }
            let advice =
                there.isEmpty
                ? "none of its characteristics notifies" : "these notify: \(there.joined(separator: ", "))"
            throw CommandFailure(
                .refused, "\(label(peripheral)) has no characteristic \(plan.characteristic); \(advice)")
        }
        if found.count > 1 {
            let owners = found.compactMap { $0.service?.uuid.description }
            throw CommandFailure(
                .refused,
                "\(found.count) characteristics have the UUID \(plan.characteristic): choose one with --service "
                    + owners.joined(separator: " or "))
        }
        return characteristic
    }

    // MARK: Values

    private func print(_ notifications: Notifications, of characteristic: Characteristic) async throws {
        var index = 0
        for try await value in notifications {
            index += 1
            try output.line(line(value, index: index, of: characteristic.uuid))
            if index == plan.count { return }
        }
    }

    private func line(_ value: Bytes, index: Int, of uuid: BluetoothUUID) -> String {
        let text = KnownUUIDs.text(value, of: uuid) ?? KnownUUIDs.utf8Text(value)
        if plan.isJSON {
            return JSONLine.text(
                ValueEvent(
                    index: index, characteristic: uuid.fullDescription, value: value.hex, text: text,
                    date: JSONLine.date(clock.date)))
        }
        let hex = value.isEmpty ? "(empty)" : value.hex
        return text.map { "\(hex)  \($0)" } ?? hex
    }

    private func follow(_ events: AsyncStream<ConnectionEvent>, of peripheral: Peripheral) async throws {
        for await event in events {
            switch event {
            case .connected: try step("reconnected", peripheral, "connected again")
            case .timedOut: try step("timedOut", peripheral, "connecting timed out, trying again")
            case .disconnected(let error): try step("disconnected", peripheral, "link lost (\(error)), reconnecting")
            case .forcedDisconnect, .gaveUp: return
            }
        }
    }

    // MARK: Progress

    private func step(_ event: String, _ peripheral: Peripheral, _ message: String) throws {
        progress(message)
    }

    private func label(_ peripheral: Peripheral) -> String {
        "\(TextLayout.printable(peripheral.name)) (\(peripheral.identifier))"
    }

    private func text(_ duration: Duration) -> String {
        let parts = duration.components
        return "\(TextLayout.decimal(Double(parts.seconds) + Double(parts.attoseconds) / 1e18, digits: 0)) s"
    }
}
