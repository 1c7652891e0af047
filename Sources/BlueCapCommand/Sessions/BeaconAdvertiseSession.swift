// SPDX-License-Identifier: MIT

import BlueCap

/// Advertises as an iBeacon.
struct BeaconAdvertiseSession: EmulationSession {
    /// The beacon to advertise, and the format of the reports.
    struct Plan: Sendable {
        var uuid: BluetoothUUID
        var major: UInt16 = 0
        var minor: UInt16 = 0
        /// The signal strength at one metre in dBm.
        var power = BeaconRegion.defaultMeasuredPower
        var family = BeaconFamily.iBeacon
        /// The address of an Eddystone-URL frame.
        var url: EddystoneURL?
        /// The modulation of extended advertising; nil for legacy advertising.
        var secondaryPHY: SecondaryPHY?
        /// How long; nil for no end.
        var duration: Duration?
        var isJSON = false

        var advertisement: Advertisement {
            var advertisement = family.advertisement(uuid: uuid, major: major, minor: minor, power: power, url: url)
            advertisement.secondaryPHY = secondaryPHY
            return advertisement
        }

        /// `"iBeacon 7c0e…, major 1, minor 7"`.
        var title: String {
            if let url { return "\(family.title) \(url.text)" }
            return "\(family.title) \(uuid.fullDescription), major \(major), minor \(minor)"
        }
    }

    let manager: PeripheralManager
    let plan: Plan
    let output: any LineOutput
    let clock: BlueCapClock

    /// Advertises on a virtual radio, with a central on the same radio that ranges the beacon from two metres away.
    static func run(on radio: VirtualRadio, plan: Plan, output: any LineOutput) async throws {
        let adapter = VirtualAdapter.Configuration(proximity: .metres(2))
        try await run(on: radio, as: adapter, output: output) { manager, lines in
            BeaconAdvertiseSession(
                manager: manager, plan: plan, output: plan.isJSON ? output : lines, clock: radio.clock)
        } beside: { central, lines in
            try await listen(central, for: plan, output: plan.isJSON ? output : lines, clock: radio.clock)
        }
    }

    private static func listen(
        _ central: CentralManager, for plan: Plan, output: any LineOutput, clock: BlueCapClock
    ) async throws {
        // Only iBeacons are ranged.
        if plan.family == .iBeacon {
            let ranging = BeaconRangeSession.Plan(
                uuid: plan.uuid, major: plan.major, minor: plan.minor, isJSON: plan.isJSON)
            try await BeaconRangeSession(central: central, plan: ranging, output: output, clock: clock).run()
        } else {
            let scan = ScanSession.Plan(isJSON: plan.isJSON)
            try await ScanSession(central: central, plan: scan, output: output, clock: clock).run()
        }
    }

    func serve() async throws {
        try await manager.serve(for: plan.duration, on: clock) { try await advertise() }
    }

    func stopped() throws(OutputClosed) {
        try event(PeripheralRoleEvent(event: "stopped"), "Took the advertisement back")
    }

    private func advertise() async throws {
        try await manager.requireRadio()
        let advertisement = plan.advertisement
        try await manager.startAdvertising(advertisement, timeout: .seconds(10))
        let data = advertisement.manufacturerData.values.first ?? advertisement.serviceData.values.first ?? []
        let isURL = plan.family == .eddystoneURL
        try event(
            BeaconAdvertisingEvent(
                family: plan.family.rawValue, uuid: isURL ? nil : plan.uuid.fullDescription,
                major: isURL ? nil : Int(plan.major), minor: isURL ? nil : Int(plan.minor), power: Int(plan.power),
                url: plan.url?.text, data: data.hex, secondaryPHY: plan.secondaryPHY?.rawValue),
            "Advertising as \(plan.title), \(plan.power) dBm at one metre")
        try await manager.watch { state in
            try event(PeripheralRoleEvent(event: "state", text: "\(state)"), "The radio is \(state)")
        }
    }

    private func event(_ event: some Encodable, _ line: String) throws(OutputClosed) {
        try output.line(plan.isJSON ? JSONLine.text(event) : line)
    }
}

/// An iBeacon that is advertised.
struct BeaconAdvertisingEvent: Encodable, Sendable {
    var event = "advertising"
    var family: String
    /// Nil for an address.
    var uuid: String?
    var major: Int?
    var minor: Int?
    /// dBm at one metre.
    var power: Int
    var url: String?
    /// The manufacturer or service data behind its identifier, in hexadecimal digits.
    var data: String
    /// Nil for legacy advertising.
    var secondaryPHY: String?
}
