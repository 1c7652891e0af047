// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Connect to a device and read characteristics.",
        usage: "bluecap read <device> <characteristic> ... [<options>]",
        discussion: """
            Prints the value of each characteristic on a line: the value itself, where the library has a profile of the \
            characteristic or the bytes are text, then its hexadecimal digits. Names are those that 'bluecap info' shows, \
            in capitals or not, with spaces or hyphens.

            EXAMPLES
              bluecap read "Heart Strap" "Battery Level" --backend virtual
              bluecap read "Heart Strap" 2A19 body-sensor-location --backend virtual
              bluecap read C0:DE:00:00:00:01 "battery/battery level" --timeout 20
              bluecap read SensorTag 0x3 --json | jq -r .fields
              bluecap read Lock FFF1 --passkey 123456

            \(ValueEvent.help)

            \(ToolStatus.help)
            """)

    @OptionGroup var target: DeviceOptions

    @OptionGroup var first: PairFirstOptions

    @Argument(help: CharacteristicSelector.help, completion: Completion.characteristics)
    var characteristic: [CharacteristicSelector]

    @Flag(help: "Print one JSON object for each value, on a line.")
    var json = false

    func run() async throws {
        let (characteristics, isJSON) = (characteristic, json)
        try await target.run(pairing: first.step) { finder, output, clock in
            try await ReadSession(
                finder: finder, characteristics: characteristics, isJSON: isJSON, output: output, clock: clock
            ).run()
        }
    }
}

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
