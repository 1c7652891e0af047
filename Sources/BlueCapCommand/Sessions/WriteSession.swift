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

    /// Writes, tells what was written, and disconnects.
    func run() async throws {
        let peripheral = try await finder.connect()
        let chosen = try characteristic.pick(for: .write, in: peripheral.services, of: peripheral)
        let service = chosen.service?.uuid
        let name = KnownProfiles.characteristic(chosen.uuid, in: service)
        if !isCommand, !chosen.properties.contains(.write) {
            throw CommandFailure(.refused, "\(name) is written without response only: add --command")
        }
        if isCommand, !chosen.properties.contains(.writeWithoutResponse) {
            throw CommandFailure(.refused, "\(name) is written with response only: leave out --command")
        }
        let bytes = try value.bytes(for: KnownProfiles.profile(chosen.uuid, in: service))
        if !isCommand, !isLong { try peripheral.requirePacket(for: bytes) }
        try await chosen.write(bytes, kind: isCommand ? .withoutResponse : .withResponse, timeout: finder.timeout)
        // A command is not answered, and may still be in a queue: what is asked after it is answered after it.
        if isCommand { try await peripheral.discoverServices(timeout: finder.timeout) }
        var event = ValueEvent(bytes, of: chosen, index: 1, date: clock.date)
        event.event = "written"
        try output.line(isJSON ? JSONLine.text(event) : "wrote \(event.line) to \(event.label)")
        await peripheral.disconnect()
    }
}
