// SPDX-License-Identifier: MIT

import BlueCap

/// The central half: finds thermometers, connects to them and keeps them.
struct Collector: Sendable {
    typealias Service = EnvironmentalSensingService

    let central: CentralManager
    let readings: Readings
    /// Called after each new value.
    let onValue: @Sendable () -> Void
    /// The largest number of sensors: any device can advertise as one, and a controller has room for a few connections.
    let maximumSensors = 8

    /// Collects values until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            let kept = KeptSensors(maximum: maximumSensors)
            func found(_ sensor: Peripheral) {
                guard kept.add(sensor.identifier) else { return }
                group.addTask {
                    await keep(sensor)
                    kept.remove(sensor.identifier)
                }
            }
            do {
                // A sensor that is connected does not advertise, so those of a run that was killed are found like this.
                let restored = try await central.restoredState()
                try await central.whenPoweredOn()
                for sensor in restored?.peripherals ?? [] { found(sensor) }
            } catch {
                log("\(error)")
            }
            while !Task.isCancelled {
                do {
                    try await central.whenPoweredOn()
                    for try await sighting in central.scan(for: [Service.uuid], options: .init(allowsDuplicates: true))
                    {
                        found(sighting.peripheral)
                    }
                } catch {
                    // The radio went off, or bluetoothd is restarted: scan again when it is back.
                    log("scan: \(error)")
                    try? await Task.sleep(for: .seconds(1))
                }
            }
        }
    }

    /// Stays connected with one sensor until it has to be given up.
    private func keep(_ sensor: Peripheral) async {
        // A lost connection is made again, for about an hour; then the place is free for another, until the next
        // sighting.
        sensor.reconnectPolicy = ReconnectPolicy(
            maximumTimeouts: 60, maximumDisconnections: nil,
            backoff: .exponential(initial: .milliseconds(200), maximum: .seconds(30)), maximumAbsence: .seconds(3600))
        do {
            try await sensor.connect(timeout: .seconds(30))
            log("connected \(sensor.identifier)")
            try await sensor.discover([Service.uuid], timeout: .seconds(30))
            let temperature = try sensor.characteristic(Service.Temperature.self)
            // The manager subscribes again after each reconnection.
            for try await value in try await temperature.notifications(
                capacity: .newest(16), onDisconnect: .resubscribe, onUndecodable: .skip, timeout: .seconds(30))
            {
                readings.note(value, of: sensor)
                onValue()
            }
        } catch {
            log("\(sensor.identifier): \(error)")
        }
        await sensor.disconnect()
        // A pause, so that a sensor that fails at once is not tried all the time.
        try? await Task.sleep(for: .seconds(10))
    }
}
