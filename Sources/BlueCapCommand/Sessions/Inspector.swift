// SPDX-License-Identifier: MIT

import BlueCap

/// Connects to devices one after the other, reads their services, and disconnects.
actor Inspector {
    struct Plan: Sendable {
        /// How many devices are connected to at the same time.
        var connections = 1
        /// How long connecting and discovering may take, each.
        var timeout = Duration.seconds(10)
        /// How many attempts of a device may time out before it is given up; nil for any number.
        var maximumTimeouts: Int? = 5
        /// How many links to a device may be lost before it is given up; nil for any number.
        var maximumDisconnections: Int? = 5
        /// The time before a device is tried again.
        var wait = Duration.seconds(1)
    }

    /// The failures of a device so far.
    struct Tally: Sendable, Hashable {
        var timeouts = 0
        var disconnections = 0
    }

    private let plan: Plan
    /// Beyond this many devices none is added: random addresses would let the queue grow for ever.
    private let maximumCount: Int
    private let clock: BlueCapClock
    private let report: @Sendable (InspectionEvent) async throws -> Void
    private let queue: AsyncStream<Peripheral>
    private let line: AsyncStream<Peripheral>.Continuation
    /// The devices in the queue or under inspection.
    private var outstanding: Set<PeerIdentifier> = []
    private var known: Set<PeerIdentifier> = []
    private var tallies: [PeerIdentifier: Tally] = [:]
    private var isClosed = false

    init(
        plan: Plan, maximumCount: Int, clock: BlueCapClock,
        report: @escaping @Sendable (InspectionEvent) async throws -> Void
    ) {
        (self.plan, self.maximumCount, self.clock, self.report) = (plan, maximumCount, clock, report)
        (queue, line) = AsyncStream.makeStream(of: Peripheral.self)
    }

    /// Puts a device at the end of the queue, the first time that it is added.
    func add(_ peripheral: Peripheral) {
        guard !isClosed, known.count < maximumCount, known.insert(peripheral.identifier).inserted else { return }
        outstanding.insert(peripheral.identifier)
        line.yield(peripheral)
    }

    /// No device is added any more: ``run()`` returns when those that were are through.
    func close() {
        isClosed = true
        finishWhenDone()
    }

    /// Inspects until it is closed and all are through, or the task is cancelled.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var running = 0
            for await peripheral in queue {
                if running == plan.connections {
                    try await group.next()
                    running -= 1
                }
                running += 1
                group.addTask {
                    do { try await self.inspect(peripheral) } catch {
                        // An error ends all inspections: the end of the queue wakes the loop, which waits for devices.
                        self.line.finish()
                        throw error
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func inspect(_ peripheral: Peripheral) async throws {
        let id = peripheral.identifier
        try await report(InspectionEvent(.inspecting, peripheral, tallies[id] ?? Tally()))
        do throws(PeripheralError) {
            try await peripheral.connect(timeout: plan.timeout)
            try await peripheral.discover(timeout: plan.timeout)
        } catch {
            await peripheral.disconnect(timeout: plan.timeout)
            if Task.isCancelled { return }
            var tally = tallies[id] ?? Tally()
            if case .timeout = error.reason { tally.timeouts += 1 } else { tally.disconnections += 1 }
            tallies[id] = tally
            if exceeds(tally) || !Self.isWorthAnotherTry(error) {
                return try await finish(InspectionEvent(.gaveUp, peripheral, tally, error: error), peripheral)
            }
            try await report(InspectionEvent(.retrying, peripheral, tally, error: error))
            try? await clock.sleep(for: plan.wait)
            // Behind those that wait already.
            line.yield(peripheral)
            return
        }
        let event = InspectionEvent(.inspected, peripheral, tallies[id] ?? Tally())
        await peripheral.disconnect(timeout: plan.timeout)
        try await finish(event, peripheral)
    }

    private static func isWorthAnotherTry(_ error: PeripheralError) -> Bool {
        switch error.reason {
        case .timeout, .disconnected, .backend, .att: true
        default: false
        }
    }

    private func exceeds(_ tally: Tally) -> Bool {
        tally.timeouts > plan.maximumTimeouts ?? .max || tally.disconnections > plan.maximumDisconnections ?? .max
    }

    private func finish(_ event: InspectionEvent, _ peripheral: Peripheral) async throws {
        outstanding.remove(peripheral.identifier)
        try await report(event)
        finishWhenDone()
    }

    private func finishWhenDone() {
        if isClosed, outstanding.isEmpty { line.finish() }
    }
}

/// A step of `scan --inspect`.
struct InspectionEvent: Encodable, Sendable, Hashable {
    enum Kind: String, Encodable, Sendable {
        case inspecting
        /// Its services were read, and it is disconnected.
        case inspected
        /// The link was not made, or lost; it is tried again.
        case retrying = "inspectionFailed"
        /// It is not tried again.
        case gaveUp = "inspectionGivenUp"
    }

    var event: Kind
    var id: String
    var name: String?
    /// UUIDs; nil before they were read.
    var services: [String]?
    /// The same UUIDs as people know them.
    var shortServices: [String]?
    var characteristics: Int?
    /// How many attempts have timed out so far.
    var timeouts: Int
    /// How many links were lost, or not made for another reason, so far.
    var disconnections: Int
    var error: String?

    init(_ event: Kind, _ peripheral: Peripheral, _ tally: Inspector.Tally, error: (any Error)? = nil) {
        self.event = event
        id = peripheral.identifier.text
        name = peripheral.name
        (timeouts, disconnections) = (tally.timeouts, tally.disconnections)
        self.error = error.map { CommandFailure($0).message }
        if event == .inspected {
            services = peripheral.services.map(\.uuid.fullDescription)
            shortServices = peripheral.services.map(\.uuid.description)
            characteristics = peripheral.services.reduce(0) { $0 + $1.characteristics.count }
        }
    }

    /// The text in the table's row, and behind the name on a line.
    var text: String {
        let failures = [
            timeouts > 0 ? TextLayout.count(timeouts, "timeout") : nil,
            disconnections > 0 ? TextLayout.count(disconnections, "lost link") : nil,
        ].compactMap(\.self).joined(separator: ", ")
        switch event {
        case .inspecting: return "connecting" + (failures.isEmpty ? "" : " (\(failures))")
        case .inspected:
            let names = (services ?? []).map { text in
                (try? BluetoothUUID(text: text)).map { KnownProfiles.service($0) } ?? text
            }
            let counts =
                TextLayout.count(names.count, "service") + ", "
                + TextLayout.count(characteristics ?? 0, "characteristic")
            return ([counts] + (names.isEmpty ? [] : [names.joined(separator: ", ")])).joined(separator: ": ")
        case .retrying: return "again after " + (failures.isEmpty ? error ?? "a failure" : failures)
        case .gaveUp: return "gave up: " + (failures.isEmpty ? error ?? "it failed" : failures)
        }
    }

    /// `"inspected   C0:DE:00:00:00:02  Heart Strap  3 services, 7 characteristics: Heart Rate, Battery"`.
    var line: String {
        let word =
            switch event {
            case .inspecting: "inspecting"
            case .inspected: "inspected"
            case .retrying: "failed"
            case .gaveUp: "gave up"
            }
        return [TextLayout.pad(word, to: 10), id, TextLayout.printable(name ?? "-"), text].joined(separator: "  ")
    }
}
