// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// The connections to one device by its rule, until the rule or the ownership ends.
struct RuledConnection: Sendable {
    /// How long an attempt to connect may take, the discovery after it, and each request then.
    private static let timeout = (
        attempt: Duration.seconds(20), discovery: Duration.seconds(30), request: Duration.seconds(10)
    )
    /// How long after failures the next connection waits; a reading waits no longer than its interval.
    private static let backoff = ReconnectPolicy.Backoff.exponential(initial: .seconds(2), maximum: .seconds(300))

    private static let longConnection = Duration.seconds(600)

    let peripheral: Peripheral
    let rule: ConnectionRule
    let gateway: DeviceGateway
    let slots: ConnectionSlots
    let tools: ConnectionTools
    /// Takes the events, in order.
    let report: @Sendable (GatewayEvent) async -> Void
    let clock: BlueCapClock
    private let commands = CommandQueue()
    private let ending = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        _ peripheral: Peripheral, _ rule: ConnectionRule, _ gateway: DeviceGateway, _ slots: ConnectionSlots,
        _ tools: ConnectionTools, clock: BlueCapClock,
        report: @escaping @Sendable (GatewayEvent) async -> Void
    ) {
        (self.peripheral, self.rule, self.gateway, self.slots) = (peripheral, rule, gateway, slots)
        (self.tools, self.clock, self.report) = (tools, clock, report)
    }

    /// Takes a command.
    ///
    /// - Returns: False where too many of them wait.
    func take(_ command: SetCommand) -> Bool { commands.add(command) }

    /// Makes ``run()`` end its connections and return.
    func end() { ending.continuation.finish() }

    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in ending.stream {} }
            group.addTask { await work() }
            await group.next()
            group.cancelAll()
        }
        for command in commands.close() { await giveUp(command.values[...], "its rule or its owner has changed") }
    }

    /// A device that stays connected has its slot for all of that time.
    private func work() async {
        if rule.isLasting, await !slots.enter() { return }
        defer { if rule.isLasting { slots.leave() } }
        await withTaskGroup(of: Void.self) { group in
            if !(rule.read + rule.subscribe).isEmpty { group.addTask { await follow() } }
            if !rule.write.isEmpty { group.addTask { await commands.forEach(obey) } }
            if rule.isLasting { group.addTask { await watchAttempts() } }
            await group.next()
            group.cancelAll()
        }
    }

    private var id: PeerIdentifier { peripheral.identifier }

    // MARK: Values

    /// Connects again and again: for as long as it may last, or for a reading in each interval.
    private func follow() async {
        let policy =
            rule.isLasting
            ? ReconnectPolicy(maximumTimeouts: nil, maximumDisconnections: nil, backoff: Self.backoff) : .never
        var failures = 0
        while !Task.isCancelled {
            if !rule.isLasting, await !slots.enter() { return }
            let begun = clock.elapsed
            do {
                try await peripheral.stayConnected(policy, timeout: Self.timeout.attempt) { peripheral in
                    try await peripheral.discover(timeout: Self.timeout.discovery)
                    try await visit()
                }
                failures = 0
            } catch {
                // Hours of a good connection are behind a failure that comes late.
                failures = clock.elapsed - begun > Self.longConnection ? 1 : failures + 1
                if !Task.isCancelled { await report(.linkFailed(id, tools.reason(error))) }
            }
            if !rule.isLasting { slots.leave() }
            do { try await clock.sleep(for: pause(after: failures, since: begun)) } catch { return }
        }
    }

    /// How long to wait before the next connection: where a reading succeeded, until its interval has passed.
    private func pause(after failures: Int, since begun: Duration) -> Duration {
        guard failures == 0 else {
            let pause = Self.backoff.delay(beforeAttempt: failures)
            return rule.interval.map { min(pause, $0) } ?? pause
        }
        return rule.interval.map { max(begun + $0 - clock.elapsed, .seconds(1)) } ?? .zero
    }

    private func visit() async throws {
        guard rule.isLasting else {
            try await read()
            return await report(.linkRead(id))
        }
        await gateway.setLinked(true, id, rule)
        await report(.linked(id))
        let result: Result<Void, any Error>
        do { result = .success(try await listen()) } catch { result = .failure(error) }
        await gateway.setLinked(false, id, rule)
        await report(.unlinked(id))
        try result.get()
    }

    /// Reads and subscribes for as long as the link is up.
    private func listen() async throws {
        // A reading that fails is reported, and ends no subscription.
        if !rule.read.isEmpty { try? await read() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for characteristic in try await subscribable() {
                let values = try await characteristic.notifications(timeout: Self.timeout.request)
                group.addTask { for try await value in values { await publish([(characteristic, value)]) } }
            }
            if let interval = rule.interval {
                group.addTask {
                    while true {
                        try await clock.sleep(for: interval)
                        try? await read()
                    }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// The characteristics to subscribe to. Characteristics that the device does not have are reported.
    ///
    /// - Throws: The last error, where it has none of them.
    private func subscribable() async throws -> [Characteristic] {
        var found: [Characteristic] = []
        var missing: CharacteristicError?
        for name in rule.subscribe {
            do throws(CharacteristicError) {
                found.append(try name.find(on: peripheral))
            } catch {
                missing = error
                await report(.linkFailed(id, "\(name.text): \(tools.reason(error))"))
            }
        }
        if found.isEmpty, let missing { throw missing }
        return found
    }

    /// Reads all characteristics, and publishes their values as one state.
    ///
    /// - Throws: The last error, where none of them could be read.
    private func read() async throws {
        var values: [(Characteristic, Bytes)] = []
        var failure: (any Error)?
        for name in rule.read {
            do {
                let characteristic = try name.find(on: peripheral)
                values.append((characteristic, try await characteristic.read(timeout: Self.timeout.request)))
            } catch {
                failure = error
                if peripheral.state == .connected {
                    await report(.linkFailed(id, "\(name.text): \(tools.reason(error))"))
                }
            }
        }
        if values.isEmpty, let failure { throw failure }
        await publish(values)
    }

    private func publish(_ values: [(Characteristic, Bytes)]) async {
        var measurements: [Measurement] = []
        for (characteristic, value) in values {
            if let read = Measurement.all(in: value, of: characteristic.profile) {
                measurements += read
            } else {
                await report(.linkFailed(id, "a value of \(characteristic.profile.name) is none by its profile"))
            }
        }
        await gateway.take(measurements, from: id, name: peripheral.name, rule)
    }

    /// Reports attempts that fail: a connection that lasts is tried again without end.
    private func watchAttempts() async {
        for await event in peripheral.connectionEvents() {
            switch event {
            case .timedOut: await report(.linkFailed(id, "it does not answer"))
            case .disconnected(let error): await report(.linkFailed(id, error.message))
            default: break
            }
        }
    }

    // MARK: Commands

    /// Writes the values of a command: over the connection that lasts, or over one of its own.
    private func obey(_ command: SetCommand) async {
        if !rule.isLasting, await !slots.enter() { return await giveUp(command.values[...], "the gateway ends") }
        defer { if !rule.isLasting { slots.leave() } }
        let services = command.values.map(\.name.service)
        let count = Locked(0)
        do {
            try await peripheral.stayConnected(.never, timeout: Self.timeout.attempt) { peripheral in
                let wanted = services.contains(nil) ? nil : services.compactMap(\.self)
                try await peripheral.discover(wanted, timeout: Self.timeout.discovery)
                for (name, text) in command.values {
                    count.withLock { $0 += 1 }
                    do {
                        try await tools.write(text, try name.find(on: peripheral))
                        await report(.written(id, key: name.text))
                    } catch {
                        await report(.notWritten(id, key: name.text, tools.reason(error)))
                    }
                }
            }
        } catch {
            await giveUp(command.values[count.withLock(\.self)...], tools.reason(error))
        }
    }

    private func giveUp(_ values: ArraySlice<SetCommand.Value>, _ reason: String) async {
        for value in values { await report(.notWritten(id, key: value.name.text, reason)) }
    }
}
#endif
