// SPDX-License-Identifier: MIT

import BlueCap

/// A house with three thermometers, of which the one in the cellar is out of reach now and then.
struct VirtualHouse: Sendable {
    private struct Thermometer {
        let degrees: Double
        let temperature = VirtualCharacteristic(Logger.Temperature.uuid, properties: [.read, .notify])
        let peripheral: VirtualPeripheral

        init(_ name: String, _ degrees: Double) {
            self.degrees = degrees
            peripheral = VirtualPeripheral(
                name: name, services: [VirtualService(EnvironmentalSensingService.uuid, characteristics: [temperature])]
            )
        }
    }

    let radio = VirtualRadio()
    private let thermometers = [Thermometer("Attic", 24.5), Thermometer("Kitchen", 21), Thermometer("Cellar", 12.25)]

    init() {
        for thermometer in thermometers { radio.add(thermometer.peripheral) }
    }

    /// Measures until the task is cancelled.
    func measure() async throws {
        for step in 1... as PartialRangeFrom<Int> {
            try await Task.sleep(for: .milliseconds(50))
            for thermometer in thermometers {
                let value = try Logger.Temperature(thermometer.degrees + Double(step % 10) / 10)
                thermometer.temperature.notify(value)
            }
            if step % 60 == 0 { thermometers[2].peripheral.disconnect() }
        }
    }
}
