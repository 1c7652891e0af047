// SPDX-License-Identifier: MIT

import BlueCap

/// Finds a device, connects, opens a channel, sends an input and prints the device's units.
struct ChannelOpenSession: Sendable {
    /// The channel to open, and when to end.
    struct Plan: Sendable {
        var psm: UInt16
        var isEncrypted = false
        /// Whether each unit is sent back.
        var echoes = false
        /// How long to receive after the end of the input; nil for as long as the channel is open.
        var patience: Duration? = .zero
    }

    let finder: DeviceFinder
    let plan: Plan
    let input: any UnitInput
    let report: ChannelReport
    let clock: BlueCapClock

    /// Runs until the input is sent and the time after it is over, the channel ends, or the task is cancelled; the link
    /// goes down with the manager.
    func run() async throws {
        let peripheral = try await finder.connect()
        let channel = try await open(peripheral)
        try report.opened(channel, name: peripheral.displayName)
        try await ChannelTraffic(
            channel: channel, input: input, echoes: plan.echoes, patience: plan.patience, report: report, clock: clock
        ).run()
    }

    private func open(_ peripheral: Peripheral) async throws(ChannelError) -> Channel {
        WaitingLine.shared.begin("opening a channel to \(peripheral.label)")
        defer { WaitingLine.shared.end() }
        return try await peripheral.openChannel(
            psm: plan.psm, encrypted: plan.isEncrypted, timeout: finder.timeout)
    }
}
