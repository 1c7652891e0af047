// SPDX-License-Identifier: MIT

import BlueCap

/// Reads characteristics of a device, one after the other.
struct ReadSession: Sendable {
    let finder: DeviceFinder
    let characteristics: [CharacteristicSelector]
    var isJSON = false
    let output: any LineOutput
    let clock: BlueCapClock

    /// Reads all, or none where one is not there; the link goes down with the manager.
    func run() async throws {
        let peripheral = try await finder.connect()
        var chosen: [Characteristic] = []
        for selector in characteristics {
            chosen.append(try selector.pick(for: .read, in: peripheral.services, of: peripheral))
        }
        for (index, characteristic) in chosen.enumerated() {
            WaitingLine.shared.begin("reading \(KnownProfiles.characteristic(characteristic.uuid))")
            defer { WaitingLine.shared.end() }
            let value = try await characteristic.read(timeout: finder.timeout)
            let event = ValueEvent(value, of: characteristic, index: index + 1, date: clock.date)
            let label = chosen.count > 1 ? "\(event.label): " : ""
            if isJSON { try output.event(event) } else { try output.prose(label + event.line) }
        }
    }
}
