// SPDX-License-Identifier: MIT

import BlueCap

/// Writes a value to a characteristic of a device.
struct WriteSession: Sendable {
    let finder: DeviceFinder
    let characteristic: CharacteristicSelector
    let value: TypedValue
    /// Whether the device is not asked to answer.
    var isCommand = false
    /// Whether the value may be longer than one packet.
    var isLong = false
    var isJSON = false
    let output: any LineOutput
    let clock: BlueCapClock

    /// Writes the value, and prints it; the link goes down with the manager.
    func run() async throws {
        let peripheral = try await finder.connect()
        let chosen = try characteristic.pick(for: .write, in: peripheral.services, of: peripheral)
        let bytes = try await peripheral.write(
            value, to: chosen, isCommand: isCommand, isLong: isLong, timeout: finder.timeout)
        var event = ValueEvent(bytes, of: chosen, index: 1, date: clock.date)
        event.event = "written"
        if isJSON { try output.event(event) } else { try output.prose("wrote \(event.label): \(event.line)") }
    }
}
