// SPDX-License-Identifier: MIT

import BlueCap
import Foundation
import Synchronization

/// The last measurement of each sensor, which survives the process if there is a state folder.
final class Readings: Sendable {
    typealias Temperature = EnvironmentalSensingService.Temperature

    private struct Reading: Codable {
        let value: Int16
        let date: Date

        /// Whether it says nothing of the present any more.
        var isOld: Bool { date.timeIntervalSinceNow < -3600 }
    }

    private let file: URL?
    private let readings: Mutex<[String: Reading]>

    /// - Parameter folder: The value of systemd's `STATE_DIRECTORY`: the folders of the unit, with colons between them.
    init(folder: String?) {
        file = folder?.split(separator: ":").first.map {
            URL(fileURLWithPath: String($0)).appendingPathComponent("readings.json")
        }
        // A reading that cannot be restored is measured again soon.
        let data = file.flatMap { try? Data(contentsOf: $0) } ?? Data()
        readings = Mutex((try? JSONDecoder().decode([String: Reading].self, from: data)) ?? [:])
    }

    /// The number of sensors with a measurement in the last hour.
    var count: Int { readings.withLock { $0.count { !$0.value.isOld } } }

    /// The mean of the sensors' last measurements; nil if no sensor has measured in the last hour.
    var mean: Temperature? {
        let values = readings.withLock { $0.values.filter { !$0.isOld }.map { Int($0.value) } }
        return values.isEmpty ? nil : Temperature(rawValue: Int16(values.reduce(0, +) / values.count))
    }

    func note(_ temperature: Temperature, of sensor: Peripheral) {
        if temperature.rawValue == Temperature.unknownRawValue { return }
        readings.withLock { $0[sensor.identifier.text] = Reading(value: temperature.rawValue, date: Date()) }
    }

    /// Drops old readings and saves the rest, by rename, so that the file is always a whole one.
    func save() {
        let data = readings.withLock { readings in
            readings = readings.filter { !$0.value.isOld }
            return try? JSONEncoder().encode(readings)
        }
        guard let file, let data else { return }
        do { try data.write(to: file, options: .atomic) } catch { log("cannot write \(file.path): \(error)") }
    }
}
