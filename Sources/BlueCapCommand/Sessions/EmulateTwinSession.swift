// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import BlueCapRuntime

/// Offers a twin to centrals, and prints their accesses.
struct EmulateTwinSession: EmulationSession {
    /// The device to emulate, and the format of the events.
    struct Plan: Sendable {
        var twin: Twin
        var replay = TwinReplay.once
        /// How long; nil for no end.
        var duration: Duration?
        /// Whether a central that pairs is to type a passkey that is shown here.
        var showsPasskey = false
        var isJSON = false
    }

    let manager: PeripheralManager
    let plan: Plan
    let output: any LineOutput
    let clock: BlueCapClock
    /// Who types the passkey that is shown, in a virtual world.
    var typist: PasskeyTypist?

    /// Emulates on a virtual radio, with a central on the same radio that reads the twin and listens to it.
    static func run(on radio: VirtualRadio, plan: Plan, output: any LineOutput) async throws {
        let typist = plan.showsPasskey ? PasskeyTypist() : nil
        let adapter = VirtualAdapter.Configuration(name: plan.twin.displayName ?? "Twin")
        try await run(on: radio, as: adapter, output: output) { manager, output in
            EmulateTwinSession(manager: manager, plan: plan, output: output, clock: radio.clock, typist: typist)
        } beside: { central, output in
            try await TwinVisit(
                central: central, isJSON: plan.isJSON, output: output, clock: radio.clock, typist: typist
            ).run()
        }
    }

    private var accesses: AccessReport { AccessReport(isJSON: plan.isJSON, output: output) }

    func serve() async throws {
        try await manager.serve(for: plan.duration, on: clock) { try await offer() }
    }

    func stopped() throws(OutputClosed) { try accesses.stopped() }

    private func offer() async throws {
        try await manager.requireRadio()
        let device = TwinPeripheral(plan.twin, replay: plan.replay)
        let closed = Locked<OutputClosed?>(nil)
        // Before a central can do anything.
        let display = plan.showsPasskey ? PasskeyDisplay(manager, accesses, typist) : nil
        let subscriptions = manager.subscriptions()
        let reads = device.characteristics.filter { $0.propertyEnabled(.read) }.map { ($0, $0.readRequests()) }
        try await Race.run(
            {
                await device.run(
                    on: manager, clock: clock,
                    report: { request in closed.keep { () throws(OutputClosed) in try accesses.written(request) } },
                    replayed: { characteristic, count in
                        // A repeating replay has no end.
                        if plan.replay == .repeating { return }
                        closed.keep { () throws(OutputClosed) in try accesses.replayed(characteristic, count) }
                    },
                    published: { channel, error in
                        closed.keep { () throws(OutputClosed) in try accesses.published(channel.psm, error) }
                    })
                if let error = closed.withLock({ $0 }) { throw error }
            },
            { try await accesses.follow(reads, subscriptions) },
            { try await advertise(device) },
            { try await display.run(on: clock) })
    }

    private func advertise(_ device: TwinPeripheral) async throws {
        // Included services come first.
        try await manager.add(device.services, timeout: .seconds(10))
        for service in device.services { try accesses.offered(service) }
        let leftOut = try await device.startAdvertising(on: manager, timeout: .seconds(10))
        let name = leftOut.localName == nil ? device.advertisement.localName : nil
        let advertised = plan.twin.advertisement
        var services = advertised?.data.serviceUUIDs ?? []
        services += (advertised?.scanResponse?.serviceUUIDs ?? []).filter { [services] in !services.contains($0) }
        let fields = AdvertisedField.names(leftOut)
        var event = PeripheralRoleEvent(
            event: "advertising", name: name,
            services: services.filter { !leftOut.serviceUUIDs.contains($0) }.map(\.fullDescription))
        if !fields.isEmpty { event.leftOut = fields }
        try accesses.event(
            event,
            "Advertising\(name.map { " as " + TextLayout.printable($0) } ?? "")"
                + (fields.isEmpty ? "" : ", without what finds no room: \(fields.joined(separator: ", "))"))
        try await manager.watch { try accesses.state($0) }
    }
}

extension Locked where Value == OutputClosed? {
    /// Keeps the error of `body`, if the output takes nothing more.
    fileprivate func keep(_ body: () throws(OutputClosed) -> Void) {
        do throws(OutputClosed) { try body() } catch { withLock { $0 = error } }
    }
}

/// A central that connects to whatever is in the air of a virtual radio, reads it, and listens to it.
struct TwinVisit: Sendable {
    let central: CentralManager
    var isJSON = false
    let output: any LineOutput
    let clock: BlueCapClock
    /// Who types the passkey that the device shows; nil where it shows none, and the two do not pair.
    var typist: PasskeyTypist?

    /// Runs until the link is lost or the task is cancelled.
    func run() async throws {
        guard let typist else { return try await visit() }
        let requests = central.pairingRequests(capability: .keyboardOnly)
        try await Race.run({ try await visit(pairs: true) }, { await typist.answer(requests) })
    }

    private func visit(pairs: Bool = false) async throws {
        try await central.requireRadio()
        let peripheral = try await central.firstDiscovery(timeout: .seconds(30)).peripheral
        let finder = DeviceFinder(central: central, device: peripheral.identifier.text, progress: { _ in })
        let events = peripheral.connectionEvents()
        try await peripheral.connect(timeout: .seconds(5))
        if pairs { try await peripheral.pair(timeout: .seconds(30)) }
        // A device with many services takes its time, and the end of the link ends it.
        try await peripheral.discover()
        let characteristics = peripheral.services.flatMap(\.characteristics)
        var index = 0
        for characteristic in characteristics where characteristic.canRead {
            guard let value = try? await characteristic.read(timeout: finder.timeout) else { continue }
            index += 1
            try show(value, characteristic, "read", index)
        }
        let count = Locked(index)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for characteristic in characteristics where characteristic.canNotify {
                let values = try await characteristic.notifications(timeout: finder.timeout)
                group.addTask {
                    for try await value in values {
                        let index = count.withLock { count in
                            count += 1
                            return count
                        }
                        try show(value, characteristic, "value", index)
                    }
                }
            }
            group.addTask {
                for await event in events {
                    if case .disconnected = event { return }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func show(
        _ value: Bytes, _ characteristic: Characteristic, _ name: String, _ index: Int
    ) throws(OutputClosed) {
        // The end of the emulation is the last that is said.
        if Task.isCancelled { return }
        var event = ValueEvent(value, of: characteristic, index: index, date: clock.date)
        if isJSON {
            event.event = name
            try output.event(event)
        } else {
            try output.prose("\(name == "read" ? "read" : "was sent") \(event.label): \(event.line)")
        }
    }
}
