// SPDX-License-Identifier: MIT

import BlueCap

/// The central that reads the accelerometer in the virtual world; see `Examples/Central` for the same explained.
enum FarCentral {
    typealias Service = TISensorTag.AccelerometerService

    static func read(_ central: CentralManager) async throws {
        try await central.whenPoweredOn(timeout: .seconds(5))
        let peripheral = try await central.firstDiscovery(for: [Service.uuid], timeout: .seconds(10)).peripheral
        try await peripheral.connect(timeout: .seconds(5))
        try await peripheral.discover([Service.uuid], timeout: .seconds(10))
        try await peripheral.characteristic(Service.UpdatePeriod.self).write(.init(milliseconds: 50))
        try await peripheral.characteristic(Service.Enabled.self).write(.yes)
        var count = 0
        for try await sample in try await peripheral.characteristic(Service.Data.self).notifications() {
            print("x \(sample.x)  y \(sample.y)  z \(sample.z)")
            count += 1
            if count == 20 { break }
        }
        await central.invalidate()
    }
}
