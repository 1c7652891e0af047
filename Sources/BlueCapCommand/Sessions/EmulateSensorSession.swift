// SPDX-License-Identifier: MIT

import BlueCap

/// Advertises as a sensor of a world's file.
struct EmulateSensorSession: Sendable {
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
        let manager = PeripheralManager(
            backend: radio.peripheral(configuration: VirtualAdapter.Configuration(proximity: .metres(2))),
            configuration: .tool(clock: radio.clock))
        let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
        let session = EmulateSensorSession(
            manager: manager, plan: plan, output: RoleOutput("peripheral", output), clock: radio.clock)
        let scan = ScanSession(
            central: central, plan: ScanSession.Plan(isJSON: plan.isJSON), output: RoleOutput("central", output),
            clock: radio.clock)
        try await central.visit {
            try await scan.run()
        } while: {
            try await session.serve()
        }
        // The line comes after the central's last output.
        try session.accesses.stopped()
    }

    /// Runs until the duration is over or the task is cancelled, and then removes the advertisement.
    func run() async throws {
        try await serve()
        try accesses.stopped()
    }

    private func serve() async throws {
        try await manager.serve(for: plan.duration, on: clock) { try await play() }
    }

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
                try await clock.sleep(for: .seconds(1_000_000_000))
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
