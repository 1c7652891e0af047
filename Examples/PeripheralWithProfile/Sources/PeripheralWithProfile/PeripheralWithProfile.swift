// SPDX-License-Identifier: MIT

import BlueCap

/// Is a device with the library's Battery and Heart Rate services, whose characteristics and initial values come from
/// their profiles, until Ctrl-C. With `--virtual` it is one on a virtual radio, from which a central takes twenty
/// values.
@main
struct PeripheralWithProfile {
    static func main() async throws {
        guard CommandLine.arguments.contains("--virtual") else { return try await serve(PeripheralManager()) }
        let radio = VirtualRadio()
        let manager = PeripheralManager(backend: radio.peripheral(address: "C0:DE:00:00:00:01"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await serve(manager, period: .milliseconds(50)) }
            group.addTask { try await FarCentral.read(CentralManager(backend: radio.central())) }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Offers the services and measures once a period, until the task is cancelled.
    static func serve(_ manager: PeripheralManager, period: Duration = .seconds(1)) async throws {
        let level = TypedMutableCharacteristic<BatteryService.Level>()
        let battery = MutableService(BatteryService.self, characteristics: [level.characteristic])
        let measurement = TypedMutableCharacteristic<HeartRateService.Measurement>()
        let location = TypedMutableCharacteristic<HeartRateService.BodySensorLocation>()
        let control = TypedMutableCharacteristic<HeartRateService.ControlPoint>()
        let heartRate = MutableService(
            HeartRateService.self,
            characteristics: [measurement.characteristic, location.characteristic, control.characteristic])
        location.value = .wrist
        // A new subscriber gets only values from then on, none of the past.
        measurement.characteristic.updatePolicy = .none

        try await manager.whenPoweredOn(timeout: .seconds(5))
        // Writes that come before the loop is there are refused, so it begins here.
        let commands = control.writeRequests()
        for service in [battery, heartRate] { try await manager.add(service, timeout: .seconds(10)) }
        try await manager.startAdvertising("Watch", serviceUUIDs: [HeartRateService.uuid], timeout: .seconds(10))
        print("advertising")

        let energy = Energy()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await request in commands {
                    // There is one command, and a value that is not a command does not reach the loop.
                    await energy.reset()
                    request.accept()
                    print("\(request.newValue.choice) by a central")
                }
            }
            group.addTask {
                for beat in 0... {
                    try measurement.update(
                        HeartRateService.Measurement(
                            beatsPerMinute: UInt16(60 + beat % 60), energyExpended: await energy.increase()))
                    try await Task.sleep(for: period)
                }
            }
            // The first error ends both.
            for try await _ in group {}
        }
    }
}

/// The energy that was expended since the last reset, in kilojoules.
actor Energy {
    private var kilojoules: UInt16 = 0

    func reset() { kilojoules = 0 }

    func increase() -> UInt16 {
        kilojoules = kilojoules == .max ? .max : kilojoules + 1
        return kilojoules
    }
}
