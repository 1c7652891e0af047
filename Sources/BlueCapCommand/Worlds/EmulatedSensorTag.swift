// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// The services of a SensorTag and its firmware, for a manager to offer.
struct EmulatedSensorTag: Sendable {
    /// All services: those of the sensors, the self-test, the keys and the Device Information.
    let services: [MutableService]
    private let sensors: [EmulatedSensor]
    private let counts = Locked<[MutableCharacteristic: Int]>([:])

    init(seed: UInt64) {
        services = (TISensorTagProfiles.services + [TISensorTagProfiles.deviceInformation]).map { profile in
            let service = MutableService(profile: profile)
            service.characteristicsFromProfiles()
            return service
        }
        let motion = Motion(seed: seed)
        sensors = services.compactMap { EmulatedSensor($0, motion: motion) }
        // A new subscriber gets samples from then on, none of the past.
        for sensor in sensors { sensor.data.updatePolicy = .none }
    }

    var characteristics: [MutableCharacteristic] { services.flatMap(\.characteristics) }

    /// The result of a write: its value must have the length of the value before it, and be valid.
    static func verdict(on value: Bytes, at offset: Int, for characteristic: MutableCharacteristic) -> ATTError {
        if offset != 0 { return .invalidOffset }
        if value.count != characteristic.value?.count { return .invalidAttributeValueLength }
        return characteristic.profile.stringValue(value) == nil ? .valueNotAllowed : .success
    }

    /// Answers writes and measures, until the stream ends or the task is cancelled.
    func run(
        answering requests: AsyncStream<WriteRequest>, on manager: PeripheralManager, clock: BlueCapClock,
        report: @escaping @Sendable (WriteRequest, ATTError) throws -> Void
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for sensor in sensors where sensor.isOn {
                group.addTask { await measure(sensor, clock: clock) }
            }
            for await request in requests {
                let characteristic = request.characteristic
                var answer = Self.verdict(on: request.value, at: request.offset, for: characteristic)
                if answer == .success {
                    request.accept()
                } else {
                    // BlueZ has no word for 0x13; 0x80 is the first that a profile may give a meaning of its own.
                    if !answer.isSendable(on: manager) { answer = ATTError(rawValue: 0x80) }
                    request.respond(answer)
                }
                try report(request, answer)
                guard answer == .success,
                    let sensor = sensors.first(where: { $0.enabled == characteristic || $0.period == characteristic })
                else { continue }
                // The task that measures with the old settings ends when it finds another number.
                counts.withLock { $0[sensor.data, default: 0] += 1 }
                if sensor.isOn { group.addTask { await measure(sensor, clock: clock) } }
            }
            group.cancelAll()
        }
    }

    /// Sends a sample every period for as long as the sensor's settings stay as they are.
    private func measure(_ sensor: EmulatedSensor, clock: BlueCapClock) async {
        let settings = settings(of: sensor)
        var next = clock.elapsed
        for index in 1... {
            next = max(next + sensor.interval, clock.elapsed)
            do { try await clock.sleep(for: next - clock.elapsed) } catch { return }
            guard settings == self.settings(of: sensor) else { return }
            // Without a manager, which is about to end then, no central is notified.
            if let sample = sensor.sample(index) { try? sensor.data.update(sample) }
        }
    }

    /// How often the sensor's settings were written.
    private func settings(of sensor: EmulatedSensor) -> Int { counts.withLock { $0[sensor.data, default: 0] } }
}
