// SPDX-License-Identifier: MIT

import BlueCap

/// Advertises as an iBeacon.
struct BeaconAdvertiseSession: Sendable {
    /// Which beacon to be and how to tell of it.
    struct Plan: Sendable {
        var uuid: BluetoothUUID
        var major: UInt16 = 0
        var minor: UInt16 = 0
        /// The signal strength at one metre in dBm.
        var power = BeaconRegion.defaultMeasuredPower
        /// How long; nil for no end.
        var duration: Duration?
        var isJSON = false
    }

    let manager: PeripheralManager
    let plan: Plan
    let output: any LineOutput
    let clock: BlueCapClock

    /// Advertises on a virtual radio, with a central on the same radio that ranges the beacon from two metres away.
    static func run(on radio: VirtualRadio, plan: Plan, output: any LineOutput) async throws {
        let manager = PeripheralManager(
            backend: radio.peripheral(configuration: VirtualAdapter.Configuration(proximity: .metres(2))),
            configuration: .tool(clock: radio.clock))
        let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
        let session = BeaconAdvertiseSession(
            manager: manager, plan: plan, output: plan.isJSON ? output : RoleOutput("peripheral", output),
            clock: radio.clock)
        let ranging = BeaconRangeSession(
            central: central,
            plan: BeaconRangeSession.Plan(
                uuid: plan.uuid, major: plan.major, minor: plan.minor, isJSON: plan.isJSON),
            output: plan.isJSON ? output : RoleOutput("central", output), clock: radio.clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await ranging.run() }
            group.addTask { try await session.run() }
            defer { group.cancelAll() }
            try await group.next()
        }
        await central.invalidate()
    }

    /// Runs until the duration is over or the task is cancelled; the advertisement is taken back then.
    func run() async throws {
        try await manager.serve(for: plan.duration, on: clock) { try await advertise() }
        try event(PeripheralRoleEvent(event: "stopped"), "Took the advertisement back")
    }

    private func advertise() async throws {
        try await manager.requireRadio()
        let region = BeaconRegion(
            proximityUUID: plan.uuid, identifier: "bluecap", major: plan.major, minor: plan.minor)
        try await manager.startAdvertising(region, measuredPower: plan.power, timeout: .seconds(10))
        let frame = IBeacon(
            proximityUUID: plan.uuid, major: plan.major, minor: plan.minor, measuredPower: plan.power)
        try event(
            BeaconAdvertisingEvent(
                uuid: plan.uuid.fullDescription, major: Int(plan.major), minor: Int(plan.minor),
                power: Int(plan.power), data: SerDe.serialize(frame, as: Bytes.self).hex),
            "Advertising as iBeacon \(plan.uuid.fullDescription), major \(plan.major), minor \(plan.minor), "
                + "\(plan.power) dBm at one metre")
        try await manager.watch { state in
            try event(PeripheralRoleEvent(event: "state", text: "\(state)"), "The radio is \(state)")
        }
    }

    private func event(_ event: some Encodable, _ line: String) throws(OutputClosed) {
        try output.line(plan.isJSON ? JSONLine.text(event) : line)
    }
}
