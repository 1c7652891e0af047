// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct WriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write", abstract: "Connect to a device and write a characteristic.",
        usage: "bluecap write <device> <characteristic> <value> [<options>]",
        discussion: """
            Writes the value and waits for the device's answer, then prints what was written: hexadecimal digits, and the \
            value as the profile reads it.

            \(TypedValue.help)
            With --text the value is UTF-8 as it stands. 'bluecap profiles NAME' shows a characteristic's parts and \
            choices; so does a value that does not fit.

            EXAMPLES
              bluecap write SensorTag "Accelerometer Enabled" yes --backend virtual
              bluecap write SensorTag accelerometer-update-period periodRaw=50
              bluecap write "Heart Strap" 2A39 01 --backend virtual
              bluecap write C0:DE:00:00:00:01 FFF1 "Hello" --text --command
              bluecap write C0:DE:00:00:00:01 FFF1 "$(cat note.txt)" --text --long

            \(ValueEvent.help)

            \(ToolStatus.help)
            """)

    @OptionGroup var target: DeviceOptions

    @OptionGroup var first: PairFirstOptions

    @Argument(help: CharacteristicSelector.help, completion: Completion.characteristics)
    var characteristic: CharacteristicSelector

    @Argument(help: "The value: a choice, name=value parts, or hexadecimal digits.")
    var value: String

    @Flag(help: "The value is text, written as UTF-8.")
    var text = false

    @Flag(help: "Write without response (a Write Command): the device does not answer.")
    var command = false

    @Flag(help: "Let a value take several packets (a Long Write), which not every device accepts.")
    var long = false

    @Flag(help: "Print one JSON object, on a line.")
    var json = false

    func validate() throws {
        if long, command { throw ValidationError("a Write Command is one packet: leave out --long or --command") }
    }

    func run() async throws {
        let (characteristic, value) = (characteristic, TypedValue(text: value, isText: text))
        let (isCommand, isLong, isJSON) = (command, long, json)
        try await target.run(pairing: first.step) { finder, output, clock in
            try await WriteSession(
                finder: finder, characteristic: characteristic, value: value, isCommand: isCommand, isLong: isLong,
                isJSON: isJSON, output: output, clock: clock
            ).run()
        }
    }
}

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
