// SPDX-License-Identifier: MIT

import BlueCap

/// Reads the accelerometer of a TI SensorTag over the platform's radio, or of a virtual one with `--virtual`.
@main
struct Central {
    typealias Accelerometer = TISensorTag.AccelerometerService

    static func main() async throws {
        if CommandLine.arguments.contains("--virtual") {
            let radio = VirtualRadio()
            let tag = VirtualTag()
            radio.add(tag.peripheral)
            let measuring = Task { await tag.measure() }
            try await read(CentralManager(backend: radio.central()))
            measuring.cancel()
        } else {
            try await read(CentralManager())
        }
    }

    /// Shows twenty samples of the first accelerometer found.
    static func read(_ central: CentralManager) async throws {
        try await central.whenPoweredOn(timeout: .seconds(5))
        let found = try await central.firstDiscovery(for: [Accelerometer.uuid], timeout: .seconds(10))
        let peripheral = found.peripheral
        print("found \(peripheral.displayName), \(peripheral.identifier)")

        // Connects once, and ends the connection after the last sample or an error; BlueZ would keep it otherwise.
        try await peripheral.stayConnected(.never, timeout: .seconds(10), discovering: [Accelerometer.uuid]) { tag in
            let period = try tag.characteristic(Accelerometer.UpdatePeriod.self)
            try await period.write(Accelerometer.UpdatePeriod(milliseconds: 100), timeout: .seconds(2))
            let enabled = try tag.characteristic(Accelerometer.Enabled.self)
            try await enabled.write(.yes, timeout: .seconds(2))

            let data = try tag.characteristic(Accelerometer.Data.self)
            var count = 0
            for try await sample in try await data.notifications(capacity: .newest(10)) {
                print("x \(sample.x)  y \(sample.y)  z \(sample.z)")
                count += 1
                if count == 20 { break }  // leaving the loop switches notifications off
            }
        }
        await central.invalidate()
    }
}
