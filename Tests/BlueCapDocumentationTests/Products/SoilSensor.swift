// SPDX-License-Identifier: MIT

import BlueCap

/// One measurement of a soil sensor.
struct SoilReading: RawPairDeserializable, CharacteristicConfigurable, Hashable {
    static let uuid: BluetoothUUID = "4D1C0002-86A7-4F59-B1E0-3A5B7C9D2F48"
    static let name = "Soil Reading"
    static let properties: CharacteristicProperties = [.read, .notify]

    /// The number of the measurement.
    let rawValue1: UInt32
    /// The moisture in thousandths.
    let rawValue2: UInt16

    init?(rawValue1: UInt32, rawValue2: UInt16) {
        guard rawValue2 <= 1000 else { return nil }
        (self.rawValue1, self.rawValue2) = (rawValue1, rawValue2)
    }

    var number: UInt32 { rawValue1 }
    var moisture: Double { Double(rawValue2) / 1000 }
}

/// A small library for soil sensors: an app gets readings, and neither links nor errors of the radio.
struct SoilSensor: Sendable {
    static let service: BluetoothUUID = "4D1C0001-86A7-4F59-B1E0-3A5B7C9D2F48"

    /// The manager; with a `restoreIdentifier` the readings go on in the app's next life.
    let central: CentralManager
    /// The executor of the library's task, for tests; nil for that of ordinary tasks.
    var executor: (any TaskExecutor)?

    /// The readings of the sensor in reach, until the loop over them is left.
    func readings() -> AsyncThrowingStream<SoilReading, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let task = Task(executorPreference: executor) {
                do {
                    try await follow { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func follow(_ show: @escaping @Sendable (SoilReading) -> Void) async throws {
        var known = try await central.restoredState()?.peripherals.first
        // A sensor that was away for longer is looked for, as it may use another address.
        let policy = ReconnectPolicy(maximumTimeouts: nil, maximumDisconnections: nil, maximumAbsence: .seconds(20))
        while true {
            do {
                try await central.whenPoweredOn()
                let sensor =
                    if let known { known } else {
                        try await central.firstDiscovery(for: [Self.service]).peripheral
                    }
                known = nil
                try await sensor.stayConnected(policy, timeout: .seconds(10), discovering: [Self.service]) { sensor in
                    let reading = try sensor.characteristic(SoilReading.self)
                    for try await value in try await reading.notifications(timeout: .seconds(5)) { show(value) }
                }
            } catch {
                try await central.clock.sleep(for: .seconds(2))
            }
        }
    }
}

/// The model of an app's view: the newest readings of a sensor.
actor SoilModel {
    /// The readings, the newest last.
    private(set) var readings: [SoilReading] = []
    /// When the newest came, on the clock of the manager.
    private(set) var updatedAt: Duration?

    func take(_ reading: SoilReading, at time: Duration) {
        readings = readings.suffix(99) + [reading]
        updatedAt = time
    }

    /// Whether the newest reading is too old to be shown.
    func isStale(at time: Duration) -> Bool { updatedAt.map { time - $0 > .seconds(60) } ?? true }
}
