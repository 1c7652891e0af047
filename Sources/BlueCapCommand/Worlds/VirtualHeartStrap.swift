// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapPlatform
import BlueCapRuntime

/// A heart rate strap in the air of a virtual radio: its wearer runs and rests, and its battery empties.
struct VirtualHeartStrap: Sendable {
    let peripheral: VirtualPeripheral
    private let seed: UInt64
    private let measurement: VirtualCharacteristic
    private let battery: VirtualCharacteristic
    private let energy: Locked<UInt16>

    init(seed: UInt64, name: String, address: String, proximity: VirtualProximity, pairing: VirtualPairing) {
        let energy = Locked<UInt16>(0)
        self.seed = seed
        self.energy = energy
        measurement = VirtualCharacteristic(HeartRateService.Measurement.uuid, properties: .notify)
        battery = VirtualCharacteristic(BatteryService.Level.uuid, properties: [.read, .notify], value: [100])
        let location = VirtualCharacteristic(
            HeartRateService.BodySensorLocation.uuid,
            value: SerDe.serialize(HeartRateService.BodySensorLocation.chest))
        let control = VirtualCharacteristic(
            HeartRateService.ControlPoint.uuid, properties: .write,
            onWrite: { _, value in
                // Heart Rate Service 1.0, 3.3: any other value is refused with "Control Point Not Supported".
                guard value == SerDe.serialize(HeartRateService.ControlPoint.resetEnergyExpended) else {
                    return .failure(ATTError(rawValue: 0x80))
                }
                energy.withLock { $0 = 0 }
                return .success(())
            })
        peripheral = VirtualPeripheral(
            name: name, address: address, proximity: proximity,
            advertising: VirtualAdvertising(
                data: PeripheralAdvertisements(
                    localName: name, serviceUUIDs: [HeartRateService.uuid, BatteryService.uuid])),
            pairing: pairing,
            services: [
                VirtualService(HeartRateService.uuid, characteristics: [measurement, location, control]),
                VirtualService(BatteryService.uuid, characteristics: [battery]),
                VirtualService(DeviceInformationService.uuid) {
                    VirtualCharacteristic(
                        DeviceInformationService.ManufacturerName.uuid, value: Bytes("BlueCap Works".utf8))
                    VirtualCharacteristic(
                        DeviceInformationService.ModelNumber.uuid, value: Bytes("Strap 1".utf8),
                        descriptors: [
                            VirtualDescriptor("2901", permissions: .readable, value: Bytes("Printed inside".utf8))
                        ])
                },
            ])
        // For `bluecap channel open`.
        peripheral.publish(TwinChannel(psm: 0x80, behaviour: .echo))
    }

    /// Measures every second, until the task is cancelled.
    func run(on clock: BlueCapClock) async {
        var level: UInt8 = 100
        for second in 1... {
            do { try await clock.sleep(for: .seconds(1)) } catch { return }
            level = level == 0 ? 100 : level - 1
            battery.update([level])
            // A kilojoule in five seconds, which is a brisk walk.
            let energy = energy.withLock { energy in
                if second % 5 == 0, energy < .max { energy += 1 }
                return energy
            }
            measurement.update(SerDe.serialize(sample(second, energy: energy)))
        }
    }

    /// The measurement of a second: between 60 and 120 beats a minute; the energy is in every fifth.
    private func sample(_ second: Int, energy: UInt16) -> HeartRateService.Measurement {
        var chance = SeededGenerator(seed: seed &+ UInt64(truncatingIfNeeded: second))
        let rate = 90 + 24 * sin(Double(second) / 20) + 6 * (chance.nextUnit() - 0.5)
        var intervals = PackedArray<UInt16>()
        intervals.append(UInt16((60 * 1024 / rate).rounded()))
        return HeartRateService.Measurement(
            beatsPerMinute: UInt16(rate.rounded()), sensorContact: .detected,
            energyExpended: second % 5 == 0 ? energy : nil, rrIntervals: intervals)
    }
}
