// SPDX-License-Identifier: MIT

import BlueCap

/// A central that finds a virtual SensorTag, switches its accelerometer on and shows the samples as they come.
struct DemoSession: Sendable {
    typealias Accelerometer = TISensorTag.AccelerometerService

    struct Plan: Sendable {
        /// How many samples; nil for no end.
        var samples: Int? = 40
        /// The time from sample to sample, 10 to 2550.
        var milliseconds = 100
        var isJSON = false
    }

    let central: CentralManager
    let plan: Plan
    let output: any LineOutput

    /// Shows a whole run in the air of `radio`, and leaves nothing behind.
    static func run(on radio: VirtualRadio, plan: Plan, output: any LineOutput) async throws {
        let world = try FileWorld(radio: radio, WorldFile(shipped: ShippedWorlds.demo))
        defer { world.leave() }
        let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
        try await Race.run(
            { await world.run() },
            {
                do {
                    try await DemoSession(central: central, plan: plan, output: output).run()
                } catch {
                    await central.invalidate()
                    throw error
                }
                await central.invalidate()
            })
    }

    /// Finds the sensor, shows so many samples, switches it off and disconnects.
    func run() async throws {
        try await central.requireRadio()
        try step(StepEvent(event: "poweredOn"), "A virtual radio is on: no hardware, no root.")
        let found = try await central.firstDiscovery(for: [Accelerometer.uuid], timeout: .seconds(10))
        let peripheral = found.peripheral
        try step(
            StepEvent(
                event: "discovered", id: peripheral.identifier.text, name: peripheral.name, rssi: found.rssi,
                services: found.advertisements.serviceUUIDs.map(\.fullDescription)),
            "Discovered \(peripheral.displayName), \(peripheral.identifier), \(SignalBars.text(found.rssi)) dBm")

        try await peripheral.connect(timeout: .seconds(5))
        try step(StepEvent(event: "connected", id: peripheral.identifier.text), "Connected")
        try await peripheral.discover([Accelerometer.uuid], timeout: .seconds(5))
        let count = peripheral.services.reduce(0) { $0 + $1.characteristics.count }
        try step(
            StepEvent(event: "servicesDiscovered", services: peripheral.services.map(\.uuid.fullDescription)),
            "Found \(Accelerometer.name) with \(TextLayout.count(count, "characteristic"))")

        let period = try peripheral.characteristic(Accelerometer.UpdatePeriod.self)
        try await period.write(Accelerometer.UpdatePeriod(milliseconds: plan.milliseconds), timeout: .seconds(2))
        let enabled = try peripheral.characteristic(Accelerometer.Enabled.self)
        try await enabled.write(.yes, timeout: .seconds(2))
        try step(
            StepEvent(event: "written", characteristic: Accelerometer.Enabled.uuid.fullDescription, value: "yes"),
            "Wrote \(Accelerometer.Enabled.name): yes")

        let data = try peripheral.characteristic(Accelerometer.Data.self)
        try await show(try await data.notifications(capacity: .newest(1024), timeout: .seconds(2)), of: peripheral)
        if Task.isCancelled { throw CentralManagerError.cancelled }

        try await enabled.write(.no, timeout: .seconds(2))
        await peripheral.disconnect()
        try step(
            StepEvent(event: "disconnected", id: peripheral.identifier.text), "Switched the sensor off and disconnected"
        )
    }

    private func show(_ samples: TypedNotifications<Accelerometer.Data>, of peripheral: Peripheral) async throws {
        var view = AccelerometerView(title: "\(peripheral.displayName), \(peripheral.identifier)", total: plan.samples)
        for try await sample in samples {
            view.add(sample)
            if plan.isJSON {
                let event = SampleEvent(index: view.count, x: sample.x, y: sample.y, z: sample.z)
                try output.event(event)
            } else if let screen = output.screen {
                try output.draw(view.screen(screen))
            } else {
                try output.line(view.line)
            }
            if view.count == plan.samples { return }
        }
    }

    private func step(_ event: StepEvent, _ message: String) throws(OutputClosed) {
        if plan.isJSON { try output.event(event) } else { try output.line(message) }
    }
}
