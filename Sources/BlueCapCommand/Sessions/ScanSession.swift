// SPDX-License-Identifier: MIT

import BlueCap

/// A scan that is shown: as a live table on a terminal, as a line for each event elsewhere.
actor ScanSession {
    /// What to scan for and how to show it.
    struct Plan: Sendable {
        var services: [BluetoothUUID] = []
        var options = ScanOptions()
        var duration: Duration?
        var order = ScanOrder.rssi
        var isJSON = false
    }

    /// Beyond this many devices the longest unseen gives way; random addresses would let the table grow for ever.
    private static let maximumRows = 2048

    private let central: CentralManager
    private let plan: Plan
    private let output: any LineOutput
    private let clock: BlueCapClock
    private let start: Duration
    private var rows: [PeerIdentifier: ScanRow] = [:]
    private var drawnAt: Duration?

    init(central: CentralManager, plan: Plan, output: any LineOutput, clock: BlueCapClock) {
        self.central = central
        self.plan = plan
        self.output = output
        self.clock = clock
        start = clock.elapsed
    }

    /// Scans until the plan's duration is over or the task is cancelled.
    func run() async throws {
        try await central.requireRadio()
        if output.screen == nil || plan.isJSON {
            try await scan()
        } else {
            try await scanOnScreen()
        }
    }

    private func scan() async throws {
        var options = plan.options
        // The table tells how strong a device is now and when it was last heard, so it needs every packet.
        if output.screen != nil, !plan.isJSON { options.allowsDuplicates = true }
        let scan = central.scan(for: plan.services, options: options, timeout: plan.duration)
        for try await discovery in scan { try take(discovery) }
    }

    private func scanOnScreen() async throws {
        try draw()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.scan() }
            group.addTask {
                while !Task.isCancelled {
                    do { try await self.clock.sleep(for: .milliseconds(250)) } catch { return }
                    try await self.draw()
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
        try draw()
    }

    private func take(_ discovery: Discovery) throws(OutputClosed) {
        if plan.isJSON { return try output.line(JSONLine.text(ScanEvent(discovery))) }
        if output.screen == nil { return try output.line(Self.line(discovery)) }
        let now = clock.elapsed - start
        let id = discovery.peripheral.identifier
        if discovery.kind == .lost {
            rows[id] = nil
        } else {
            let row = ScanRow(
                id: id.text, name: discovery.displayName ?? "", rssi: discovery.rssi,
                services: discovery.advertisements.serviceUUIDs, discovered: rows[id]?.discovered ?? now, lastSeen: now)
            rows[id] = row
            if rows.count > Self.maximumRows, let oldest = rows.min(by: { $0.value.lastSeen < $1.value.lastSeen }) {
                rows[oldest.key] = nil
            }
        }
        if let drawnAt, now - drawnAt < .milliseconds(100) { return }
        try draw()
    }

    private func draw() throws(OutputClosed) {
        guard let screen = output.screen else { return }
        let now = clock.elapsed - start
        drawnAt = now
        let table = ScanTable(columns: screen.columns, rows: screen.rows - 2, order: plan.order)
        let count = TextLayout.count(rows.count, "device")
        let heading = "Scanning for \(now.components.seconds) s, \(count). Ctrl-C ends it."
        try output.draw([TextLayout.truncate(heading, to: screen.columns)] + table.lines(Array(rows.values), now: now))
    }

    /// `"discovered  C0:DE:00:00:00:01  ▁▂▄··  -63  SensorTag  TI Accelerometer"`.
    static func line(_ discovery: Discovery) -> String {
        let services = discovery.advertisements.serviceUUIDs.map(KnownProfiles.service).joined(separator: ", ")
        let fields = [
            TextLayout.pad(discovery.kind.rawValue, to: 10), discovery.peripheral.identifier.text,
            SignalBars.text(discovery.rssi), TextLayout.printable(discovery.displayName ?? "-"), services,
        ]
        return fields.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
