// SPDX-License-Identifier: MIT

import BlueCap

/// Offers a whole SensorTag to centrals, and reports their accesses.
struct EmulateSession: EmulationSession {
    typealias Accelerometer = TISensorTag.AccelerometerService

    /// The device to emulate, and the format of the reports.
    struct Plan: Sendable {
        var name = "SensorTag"
        /// How long; nil for no end.
        var duration: Duration?
        /// How many samples the central of a virtual radio takes; nil for no end.
        var samples: Int?
        /// Where the motion comes from.
        var seed: UInt64 = 1
        var isJSON = false
    }

    let manager: PeripheralManager
    let plan: Plan
    let output: any LineOutput
    let clock: BlueCapClock

    private var accesses: AccessReport { AccessReport(isJSON: plan.isJSON, output: output) }

    /// Emulates on a virtual radio, with a central on the same radio that finds it, switches the accelerometer on and
    /// shows its samples.
    static func run(on radio: VirtualRadio, plan: Plan, output: any LineOutput) async throws {
        try await run(on: radio, as: VirtualAdapter.Configuration(name: plan.name), output: output) { manager, output in
            EmulateSession(manager: manager, plan: plan, output: output, clock: radio.clock)
        } beside: { central, output in
            let plan = DemoSession.Plan(samples: plan.samples, isJSON: plan.isJSON)
            try await DemoSession(central: central, plan: plan, output: output).run()
        }
    }

    func serve() async throws {
        try await manager.serve(for: plan.duration, on: clock) { try await offer() }
    }

    func stopped() throws(OutputClosed) { try accesses.stopped() }

    private func offer() async throws {
        try await manager.requireRadio()
        let tag = EmulatedServices(TISensorTagProfiles.services + [TISensorTagProfiles.deviceInformation])
        let sensors = EmulatedSensor.sensors(of: tag.services, seed: plan.seed)
        // Before a central can do anything.
        let writes = manager.writeRequests()
        let subscriptions = manager.subscriptions()
        let reads = tag.characteristics.filter { $0.propertyEnabled(.read) }.map { ($0, $0.readRequests()) }
        for service in tag.services {
            try await manager.add(service, timeout: .seconds(10))
            try accesses.offered(service)
        }
        let advertisement = Advertisement(localName: plan.name, serviceUUIDs: [Accelerometer.uuid])
        try await manager.startAdvertising(advertisement, timeout: .seconds(10))
        try accesses.advertising(advertisement)
        try await Race.run(
            { try await answer(writes, with: sensors) },
            { await measure(with: sensors) },
            { try await accesses.follow(reads, subscriptions) },
            { try await manager.watch { try accesses.state($0) } })
    }

    private func answer(_ requests: AsyncStream<WriteRequest>, with sensors: [EmulatedSensor]) async throws {
        for await request in requests {
            let characteristic = request.characteristic
            var answer = EmulatedSensor.verdict(on: request.value, at: request.offset, for: characteristic)
            if answer == .success {
                request.accept()
                sensors.first { $0.isSet(by: characteristic) }?.settingsChanged()
            } else {
                // BlueZ has no word for 0x13; 0x80 is the first that a profile may give a meaning of its own.
                if !answer.isSendable(on: manager) { answer = ATTError(rawValue: 0x80) }
                request.respond(answer)
            }
            try accesses.written(request, answer: answer)
        }
    }

    private func measure(with sensors: [EmulatedSensor]) async {
        await withDiscardingTaskGroup { group in
            for sensor in sensors {
                group.addTask {
                    await sensor.run(on: clock) { sample in
                        // Without a manager, which is about to end then, no central is notified.
                        try? sensor.data.update(sample)
                        return true
                    }
                }
            }
        }
    }
}

/// Names the role in front of each line, and in each event.
struct RoleOutput: LineOutput {
    private let role: String
    private let output: any LineOutput

    init(_ role: String, _ output: any LineOutput) {
        self.role = role
        self.output = output
    }

    var screen: ScreenSize? { nil }
    // The output breaks lines, with room for the role.
    var columns: Int? { nil }

    func line(_ text: String) throws(OutputClosed) {
        try output.prose(TextLayout.pad(role, to: 12) + text, hanging: 14)
    }

    func event(_ event: some Encodable) throws(OutputClosed) { try output.event(RoleEvent(event: event, role: role)) }

    func draw(_ lines: [DrawnLine]) throws(OutputClosed) {}
}

/// An event with the key `role`, the side at which it happened.
private struct RoleEvent<Event: Encodable>: Encodable {
    private enum CodingKeys: String, CodingKey { case role }

    let event: Event
    let role: String

    func encode(to encoder: any Encoder) throws {
        try event.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(role, forKey: .role)
    }
}
