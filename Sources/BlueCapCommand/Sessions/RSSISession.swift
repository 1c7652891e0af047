// SPDX-License-Identifier: MIT

import BlueCap

/// Shows how strong a device's signal is, again and again.
struct RSSISession: Sendable {
    /// The readings to take, and their format.
    struct Plan: Sendable {
        /// How many readings to show; nil for no end.
        var count: Int?
        /// How long to measure; nil for no end.
        var duration: Duration?
        /// The time from reading to reading.
        var period = Duration.seconds(1)
        /// Whether to take the strength of the advertisements instead of that of a connection.
        var isPassive = false
        var isJSON = false
    }

    let finder: DeviceFinder
    let plan: Plan
    let output: any LineOutput
    let clock: BlueCapClock

    /// Runs until the count or the duration is reached, the link is lost, or the task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` where nothing could be measured.
    func run() async throws {
        try await finder.central.requireRadio()
        let peripheral = try await finder.find()
        let printer = SignalPrinter(
            of: peripheral, total: plan.count, isJSON: plan.isJSON, output: output, clock: clock)
        if !plan.isPassive {
            WaitingLine.shared.begin("connecting to \(peripheral.label)")
            defer { WaitingLine.shared.end() }
            try await peripheral.connect(timeout: finder.timeout)
        }
        try await Race.run(for: plan.duration, on: clock) {
            if plan.isPassive { try await listen(to: peripheral, printer) } else { try await poll(peripheral, printer) }
        }
        if await printer.count == 0, !Task.isCancelled {
            throw CommandFailure(
                .tryAgain, "\(peripheral.label) was not heard: it may be out of reach, or not advertise while connected"
            )
        }
    }

    private func poll(_ peripheral: Peripheral, _ printer: SignalPrinter) async throws {
        while true {
            do {
                guard try await printer.print(try await peripheral.readRSSI(timeout: finder.timeout)) else { return }
            } catch PeripheralError.rssiUnavailable {
                if await printer.count == 0 {
                    throw CommandFailure(
                        .refused,
                        "the platform does not measure the connection to \(peripheral.label) (over BlueZ that needs "
                            + "CAP_NET_ADMIN): --passive shows the strength of what it advertises")
                }
            }
            try await clock.sleep(for: plan.period)
        }
    }

    /// Takes the newest sighting of each period.
    private func listen(to peripheral: Peripheral, _ printer: SignalPrinter) async throws {
        var next = clock.elapsed
        for try await discovery in finder.central.scan(options: ScanOptions(allowsDuplicates: true)) {
            guard discovery.peripheral == peripheral, let rssi = discovery.rssi, SignalBars.count(rssi) != nil,
                clock.elapsed >= next
            else { continue }
            next = clock.elapsed + plan.period
            guard try await printer.print(rssi) else { return }
        }
    }
}
