// SPDX-License-Identifier: MIT

import BlueCap

/// Advertises as a sensor of a world's file.
struct EmulateSensorSession: EmulationSession {
    /// The sensor, and the format of the reports.
    struct Plan: Sendable {
        var sensor: PlayedSensor
        /// How long; nil for no end.
        var duration: Duration?
        var seed: UInt64 = 1
        var isJSON = false
    }

    let manager: PeripheralManager
    let plan: Plan
    let output: any LineOutput
    let clock: BlueCapClock

    private var accesses: AccessReport { AccessReport(isJSON: plan.isJSON, output: output) }

    /// Advertises on a virtual radio, with a central on the same radio that scans.
    static func run(on radio: VirtualRadio, plan: Plan, output: any LineOutput) async throws {
        let adapter = VirtualAdapter.Configuration(proximity: .metres(2))
        try await run(on: radio, address: plan.sensor.address, as: adapter, output: output) { manager, output in
            EmulateSensorSession(manager: manager, plan: plan, output: output, clock: radio.clock)
        } beside: { central, output in
            let plan = ScanSession.Plan(isJSON: plan.isJSON)
            try await ScanSession(central: central, plan: plan, output: output, clock: radio.clock).run()
        }
    }

    func serve() async throws {
        try await manager.serve(for: plan.duration, on: clock) { try await play() }
    }

    func stopped() throws(OutputClosed) { try accesses.stopped() }

    private func play() async throws {
        try await manager.requireRadio()
        let first = plan.sensor.first
        try await manager.startAdvertising(first.advertisement, timeout: .seconds(10))
        try report("advertising", "Advertising as", first)
        try await Race.run(
            { try await manager.watch { try accesses.state($0) } },
            {
                try await plan.sensor.run(on: clock, seed: plan.seed) { frame in
                    try await manager.updateAdvertisement(frame.advertisement, timeout: .seconds(10))
                    try report("set", "Changed", frame)
                }
                // Without a move it stays as it is.
                try await clock.sleepUntilCancelled()
            })
    }

    private func report(_ event: String, _ verb: String, _ frame: SensorFrame) throws(OutputClosed) {
        let format = plan.sensor.sensor.format
        try accesses.event(
            PeripheralRoleEvent(event: event, name: format, value: frame.data.hex, text: frame.text),
            "\(verb) \(TextLayout.printable(format)): \(TextLayout.printable(frame.text))")
    }
}

extension SensorFrame {
    /// The bytes behind the identifier of the company or the service.
    fileprivate var data: Bytes {
        advertisement.manufacturerData.values.first ?? advertisement.serviceData.values.first ?? []
    }
}
