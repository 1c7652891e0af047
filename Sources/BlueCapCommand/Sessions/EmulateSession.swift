// SPDX-License-Identifier: MIT

import BlueCap

/// Offers a whole SensorTag to centrals, and reports their accesses.
struct EmulateSession: Sendable {
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

    /// Emulates on a virtual radio, with a central on the same radio that finds it, switches the accelerometer on and
    /// shows its samples.
    static func run(on radio: VirtualRadio, plan: Plan, output: any LineOutput) async throws {
        let manager = PeripheralManager(
            backend: radio.peripheral(configuration: VirtualAdapter.Configuration(name: plan.name)),
            configuration: .tool(clock: radio.clock))
        let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
        let session = EmulateSession(
            manager: manager, plan: plan, output: RoleOutput("peripheral", output), clock: radio.clock)
        let visitor = DemoSession(
            central: central, plan: DemoSession.Plan(samples: plan.samples, isJSON: plan.isJSON),
            output: RoleOutput("central", output))
        try await central.visit {
            try await visitor.run()
        } while: {
            try await session.serve()
        }
        // The line comes after the central's last output.
        try session.stopped()
    }

    /// Runs until the duration is over or the task is cancelled, and then removes services and advertisement.
    func run() async throws {
        try await serve()
        try stopped()
    }

    private func serve() async throws {
        try await manager.serve(for: plan.duration, on: clock) { try await offer() }
    }

    private func stopped() throws {
        try event(PeripheralRoleEvent(event: "stopped"), "Took services and advertisement back")
    }

    private func offer() async throws {
        try await manager.requireRadio()
        let tag = EmulatedSensorTag(seed: plan.seed)
        // Before a central can do anything.
        let writes = manager.writeRequests()
        let subscriptions = manager.subscriptions()
        let reads = tag.characteristics.filter { $0.propertyEnabled(.read) }.map { ($0, $0.readRequests()) }
        for service in tag.services {
            try await manager.add(service, timeout: .seconds(10))
            try event(
                PeripheralRoleEvent(
                    event: "serviceAdded", name: service.name, services: [service.uuid.fullDescription]),
                "Offering \(service.name): \(TextLayout.count(service.characteristics.count, "characteristic"))")
        }
        let advertisement = Advertisement(localName: plan.name, serviceUUIDs: [Accelerometer.uuid])
        try await manager.startAdvertising(advertisement, timeout: .seconds(10))
        try event(
            PeripheralRoleEvent(
                event: "advertising", name: plan.name, services: [Accelerometer.uuid.fullDescription]),
            "Advertising as \(TextLayout.printable(plan.name)) with \(Accelerometer.name)")

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await tag.run(answering: writes, on: manager, clock: clock) { try written($0, answer: $1) }
            }
            group.addTask {
                for await change in subscriptions { try subscribed(change) }
            }
            for (characteristic, requests) in reads {
                group.addTask {
                    for await request in requests {
                        request.respond(.success)
                        if request.offset == 0 { try read(characteristic, by: request.central) }
                    }
                }
            }
            group.addTask {
                try await manager.watch { state in
                    try event(PeripheralRoleEvent(event: "state", text: "\(state)"), "The radio is \(state)")
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    // MARK: Events

    private func written(_ request: WriteRequest, answer: ATTError) throws {
        let characteristic = request.characteristic
        let text = Self.text(request.value, of: characteristic)
        var told = PeripheralRoleEvent(
            event: answer == .success ? "write" : "writeRefused", name: characteristic.name,
            central: request.central?.identifier?.text, characteristic: characteristic.uuid.fullDescription,
            value: request.value.hex, text: text)
        var line = "\(Self.name(request.central)) wrote \(characteristic.name): \(text ?? request.value.hex)"
        if answer != .success {
            told.error = "\(answer)"
            line += ", refused: \(answer)"
        }
        try event(told, line)
    }

    private func read(_ characteristic: MutableCharacteristic, by central: Central?) throws {
        let value = characteristic.value ?? []
        let text = Self.text(value, of: characteristic)
        try event(
            PeripheralRoleEvent(
                event: "read", name: characteristic.name, central: central?.identifier?.text,
                characteristic: characteristic.uuid.fullDescription, value: value.hex, text: text),
            "\(Self.name(central)) read \(characteristic.name): \(text ?? value.hex)")
    }

    private func subscribed(_ change: SubscriptionEvent) throws {
        let isNew = change.kind == .subscribed
        try event(
            PeripheralRoleEvent(
                event: isNew ? "subscribed" : "unsubscribed", name: change.characteristic.name,
                central: change.central.identifier?.text, characteristic: change.characteristic.uuid.fullDescription),
            "\(Self.name(change.central)) \(isNew ? "subscribed to" : "unsubscribed from") \(change.characteristic.name)"
        )
    }

    private func event(_ event: PeripheralRoleEvent, _ line: String) throws(OutputClosed) {
        if plan.isJSON { try output.event(event) } else { try output.prose(line) }
    }

    private static func name(_ central: Central?) -> String { central?.identifier?.text ?? "A central" }

    /// The value in the words of its type; nil where the bytes do not fit it.
    private static func text(_ value: Bytes, of characteristic: MutableCharacteristic) -> String? {
        characteristic.profile.stringValue(value) == nil ? nil : ValueText(value, characteristic.profile).line
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
