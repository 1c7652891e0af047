// SPDX-License-Identifier: MIT

import BlueCap

/// A scan that is shown: as a live table on a terminal, as a line for each event elsewhere.
actor ScanSession {
    /// The devices to scan for, and their format.
    struct Plan: Sendable {
        var services: [BluetoothUUID] = []
        var options = ScanOptions()
        var duration: Duration?
        /// The scan ends when it has found so many devices; nil for no end.
        var limit: Int?
        var order = ScanOrder.rssi
        /// How to inspect each device; nil where none is connected to.
        var inspection: Inspector.Plan?
        var isJSON = false
    }

    /// Beyond this many devices the longest unseen gives way; random addresses would let the table grow for ever.
    private static let usualMaximumCount = 2048

    private let central: CentralManager
    private let plan: Plan
    private let output: any LineOutput
    private let clock: BlueCapClock
    private let start: Duration
    /// How many devices are kept: as many as the scan is to find, if that is more than usual.
    private let maximumCount: Int
    private var rows: [PeerIdentifier: ScanRow] = [:]
    /// The devices of the rows, whose state changes without a packet.
    private var peripherals: [PeerIdentifier: Peripheral] = [:]
    /// The devices that count for the limit; none where there is no limit.
    private var found: Set<PeerIdentifier> = []
    private var drawnAt: Duration?
    private var inspector: Inspector?

    init(central: CentralManager, plan: Plan, output: any LineOutput, clock: BlueCapClock) {
        self.central = central
        self.plan = plan
        self.output = output
        self.clock = clock
        start = clock.elapsed
        maximumCount = max(plan.limit ?? 0, Self.usualMaximumCount)
    }

    /// Scans until the plan's duration is over, its limit is reached, or the task is cancelled. Inspections that are
    /// under way when the limit is reached are brought to their end.
    func run() async throws {
        try await central.requireRadio()
        if isLive { try draw() }
        let inspector = plan.inspection.map { inspection in
            Inspector(plan: inspection, maximumCount: maximumCount, clock: clock) { try await self.take($0) }
        }
        self.inspector = inspector
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await self.scan() }
            if let inspector {
                group.addTask {
                    try await inspector.run()
                    return true
                }
            }
            if isLive { group.addTask { try await self.redraw() } }
            defer { group.cancelAll() }
            // The end of the scan by its limit is not the end of the inspections.
            while let isOver = try await group.next(), !isOver {}
        }
        if isLive { try draw(isOver: true) }
    }

    private var isLive: Bool { output.screen != nil && !plan.isJSON }

    /// - Returns: Whether nothing goes on after it.
    private func scan() async throws -> Bool {
        var options = plan.options
        // The table shows how strong each device is now and when it was last heard, so it needs every packet.
        if isLive { options.allowsDuplicates = true }
        let scan = central.scan(for: plan.services, options: options, timeout: plan.duration)
        do {
            for try await discovery in scan {
                try await take(discovery)
                if let limit = plan.limit, found.count >= limit {
                    await inspector?.close()
                    return inspector == nil
                }
            }
        } catch let error as CentralManagerError where error.reason == .timeout && !filters.isEmpty {
            throw CommandFailure(
                .status(for: error),
                "no device \(filters.joined(separator: " and ")) was heard: 'bluecap scan --all' lists what is there")
        }
        return true
    }

    /// The filters of the plan, for people.
    private var filters: [String] {
        let names = plan.services.map { KnownProfiles.service($0) }
        var filters = names.isEmpty ? [] : ["that advertises \(names.joined(separator: " or "))"]
        if let prefix = plan.options.namePrefix { filters.append("whose name starts with '\(prefix)'") }
        if let least = plan.options.minimumRSSI { filters.append("of at least \(least) dBm") }
        return filters
    }

    private func redraw() async throws -> Bool {
        while !Task.isCancelled {
            do { try await clock.sleep(for: .milliseconds(250)) } catch { break }
            try draw()
        }
        return true
    }

    private func take(_ discovery: Discovery) async throws {
        let id = discovery.peripheral.identifier
        // Devices beyond the limit are not shown.
        if let limit = plan.limit {
            if found.count >= limit, !found.contains(id) { return }
            found.insert(id)
        }
        if discovery.kind != .lost, discovery.advertisements.isConnectable != false {
            await inspector?.add(discovery.peripheral)
        }
        if plan.isJSON { return try output.event(ScanEvent(discovery)) }
        if output.screen == nil { return try output.line(Self.line(discovery)) }
        let now = clock.elapsed - start
        if discovery.kind == .lost {
            (rows[id], peripherals[id]) = (nil, nil)
        } else {
            (rows[id], peripherals[id]) = (ScanRow(discovery, before: rows[id], now: now), discovery.peripheral)
            if rows.count > maximumCount, let oldest = rows.min(by: { $0.value.lastSeen < $1.value.lastSeen }) {
                (rows[oldest.key], peripherals[oldest.key]) = (nil, nil)
            }
        }
        if let drawnAt, now - drawnAt < .milliseconds(100) { return }
        try draw()
    }

    private func take(_ event: InspectionEvent) throws(OutputClosed) {
        if plan.isJSON { return try output.event(event) }
        if output.screen == nil { return try output.line(event.line) }
        rows[PeerIdentifier(event.id)]?.inspection = event.text
        try draw()
    }

    private func draw(isOver: Bool = false) throws(OutputClosed) {
        guard let screen = output.screen else { return }
        let now = clock.elapsed - start
        drawnAt = now
        for (id, peripheral) in peripherals { rows[id]?.state = DeviceState(peripheral) }
        let table = ScanTable(columns: screen.columns, rows: screen.rows - 2, order: plan.order)
        let count = TextLayout.count(rows.count, "device")
        let seconds = "\(now.components.seconds) s"
        let heading =
            isOver ? "Scanned for \(seconds), \(count)." : "Scanning for \(seconds), \(count). Ctrl-C ends it."
        try output.draw([TextLayout.truncate(heading, to: screen.columns)] + table.lines(Array(rows.values), now: now))
    }

    /// `"discovered  C0:DE:00:00:00:01  ▁▂▄··  -63  SensorTag  TI Accelerometer"`.
    static func line(_ discovery: Discovery) -> String {
        let services = discovery.advertisements.serviceUUIDs.map(KnownProfiles.service)
        let fields = [
            TextLayout.pad(discovery.kind.rawValue, to: 10), discovery.peripheral.identifier.text,
            SignalBars.text(discovery.rssi), TextLayout.printable(discovery.displayName ?? "-"),
            (services + ScanRow.details(discovery.advertisements)).joined(separator: ", "),
        ]
        return fields.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
