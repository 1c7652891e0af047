// SPDX-License-Identifier: MIT

import BlueCap

/// Both halves of the gateway, and their reports to systemd.
struct Gateway: Sendable {
    let central: CentralManager
    let peripherals: PeripheralManager
    let readings: Readings

    /// Runs until SIGTERM or SIGINT, or until the other body ends, and then removes its services and advertisements
    /// from the radio.
    func run(_ systemd: SystemdNotifier, beside body: (@Sendable () async -> Void)? = nil) async {
        let publisher = await Publisher(manager: peripherals)
        let collector = Collector(central: central, readings: readings) {
            if let mean = readings.mean { publisher.publish(mean) }
        }
        if let mean = readings.mean { publisher.publish(mean) }
        await Interruption.ends {
            await withTaskGroup { group in
                // Ready without a radio too: it may come with the next adapter, or with the next start of bluetoothd.
                systemd.send("READY=1")
                group.addTask { await collector.run() }
                group.addTask { await publisher.run() }
                group.addTask { await report(systemd, publisher) }
                if let body { group.addTask { await body() } }
                await group.next()
                group.cancelAll()
            }
        }
        systemd.send("STOPPING=1")
        readings.save()
        // BlueZ would keep the links otherwise. Side by side, so that a bluetoothd that does not answer holds the end
        // up for 5 s at most.
        async let unremoved = peripherals.invalidate()
        async let unended = central.invalidate()
        for subject in await unremoved { log("bluetoothd has not removed \(subject)") }
        for sensor in await unended { log("bluetoothd has not disconnected \(sensor.identifier)") }
        log("stopped")
    }

    /// Reports to systemd that the service is alive for as long as both managers answer, saves the readings, and
    /// removes the mean once it is old.
    private func report(_ systemd: SystemdNotifier, _ publisher: Publisher) async {
        while !Task.isCancelled {
            // They return only if the executors, on which all of the radio's events are handled, get on.
            await central.run {}
            await peripherals.run {}
            let unclaimed = central.unclaimedCount + peripherals.unclaimedCount
            let status = "\(readings.count) sensors, radio \(central.state), \(unclaimed) unclaimed replies"
            systemd.send("WATCHDOG=1\nSTATUS=\(status)")
            readings.save()
            if readings.mean == nil { publisher.withdraw() }
            try? await Task.sleep(for: systemd.watchdogInterval ?? .seconds(60))
        }
    }
}
