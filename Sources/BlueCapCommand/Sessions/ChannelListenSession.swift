// SPDX-License-Identifier: MIT

import BlueCap

/// Publishes a channel, advertises, and serves one central after the other: prints its units, and sends it an input, or
/// its own units.
struct ChannelListenSession: EmulationSession {
    /// The channel to publish, and its use.
    struct Plan: Sendable {
        /// Nil for one that the platform chooses.
        var psm: UInt16?
        var isEncrypted = false
        /// Whether each unit is sent back, and the input is not read.
        var echoes = false
        /// The name to advertise.
        var name = "BlueCap"
        /// How long; nil for no end.
        var duration: Duration?
    }

    let manager: PeripheralManager
    let plan: Plan
    let input: any UnitInput
    let report: ChannelReport
    let clock: BlueCapClock

    func serve() async throws {
        try await manager.serve(for: plan.duration, on: clock) { try await offer() }
    }

    func stopped() throws(OutputClosed) { try report.stopped() }

    private func offer() async throws {
        // Before a central can do anything.
        let pairings = plan.isEncrypted ? manager.pairingRequests(capability: .noInputNoOutput) : nil
        try await manager.requireRadio()
        let published = try await manager.publishChannel(
            psm: plan.psm, encrypted: plan.isEncrypted, timeout: .seconds(10))
        try report.published(published.psm)
        try await manager.startAdvertising(Advertisement(localName: plan.name), timeout: .seconds(10))
        try report.advertising(plan.name)
        try await Race.run(
            { try await serve(published) },
            {
                if let pairings { for await request in pairings { request.accept() } }
                // The end of the questions is not the end of the device.
                try await clock.sleepUntilCancelled()
            },
            { try await manager.watch { try report.state($0) } })
    }

    /// Serves each channel until it ends. Another one that is opened meanwhile waits, and its central with it.
    private func serve(_ published: PublishedChannels) async throws {
        for try await channel in published {
            try report.opened(channel, name: nil)
            do {
                try await ChannelTraffic(
                    channel: channel, input: plan.echoes ? Greeting("") : input, echoes: plan.echoes, report: report,
                    clock: clock
                ).run()
            } catch let error as OutputClosed {
                throw error
            } catch {
                // The failure of one channel, which is reported, is not the end of the device.
            }
        }
    }
}

extension ChannelListenSession {
    /// Listens on a virtual radio, with a central on the same radio that opens the channel, says hello and sends back
    /// each unit.
    static func run(
        on radio: VirtualRadio, plan: Plan, input: any UnitInput, report: ChannelReport
    ) async throws {
        var plan = plan
        // The central has to know it.
        let psm = plan.psm ?? 0x80
        plan.psm = psm
        let ours = plan
        try await run(
            on: radio, as: VirtualAdapter.Configuration(name: plan.name), output: report.output
        ) { manager, output in
            ChannelListenSession(
                manager: manager, plan: ours, input: input, report: report.of(.peripheral, output), clock: radio.clock)
        } beside: { central, output in
            let visit = report.of(.central, output)
            var finder = DeviceFinder(central: central, device: ours.name, progress: visit.progress)
            if ours.isEncrypted { finder.pairing = PairSession.step(PairSession.Plan(accepts: true)) }
            // Of two that send back everything neither would ever be silent.
            let plan = ChannelOpenSession.Plan(
                psm: psm, isEncrypted: ours.isEncrypted, echoes: !ours.echoes, patience: nil)
            try await ChannelOpenSession(
                finder: finder, plan: plan, input: Greeting("hello\n"), report: visit, clock: radio.clock
            ).run()
        }
    }
}

extension ChannelReport {
    /// The same of one of two sides in a process: only the peripheral's bytes are written.
    fileprivate func of(_ role: Role, _ output: any LineOutput) -> ChannelReport {
        let (name, progress, write) = (role == .central ? "central" : "peripheral", progress, write)
        return ChannelReport(
            role: role, isJSON: isJSON, output: output,
            write: { (unit) throws(OutputClosed) in if role == .peripheral { try write(unit) } },
            progress: { progress(TextLayout.pad(name, to: 12) + $0) }, clock: clock)
    }
}
