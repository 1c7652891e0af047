// SPDX-License-Identifier: MIT

import BlueCap

/// The central that takes values in the virtual world, and resets the energy after ten.
enum FarCentral {
    static func read(_ central: CentralManager) async throws {
        try await central.whenPoweredOn()
        let watch = try await central.firstDiscovery(for: [HeartRateService.uuid]).peripheral
        try await watch.stayConnected(discovering: nil) { watch in
            let control = try watch.characteristic(HeartRateService.ControlPoint.self)
            var count = 0
            for try await value in try await watch.characteristic(HeartRateService.Measurement.self).notifications() {
                print("\(value.beatsPerMinute) bpm, \(value.energyExpended ?? 0) kJ")
                count += 1
                if count == 10 { try await control.write(.resetEnergyExpended) }
                if count == 20 { break }
            }
        }
        await central.invalidate()
    }
}
