// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget paired devices and their keys.",
        usage: "bluecap forget <device> ... [<options>]",
        discussion: """
            Ends the connection to each device, if there is one, and deletes the keys. The other side keeps its own keys: \
            most devices refuse to pair again until they have forgotten this machine, too (on many by a long press of a \
            button).

            EXAMPLES
              bluecap bonds && bluecap forget C0:DE:00:00:00:03
              bluecap forget "Dog Collar" --backend virtual
              bluecap forget --all

            JSON
              One object for each device that was forgotten: event "forgotten", id,
              name, connected. Keys are only ever added.

            \(ToolStatus.help)
            """)

    @Argument(help: "The devices: identifiers or whole names.", completion: Completion.devices)
    var device: [String] = []

    @Flag(help: "Forget all paired devices.")
    var all = false

    @OptionGroup var radio: RadioOptions

    @Flag(help: "Print one JSON object for each device, on a line.")
    var json = false

    func validate() throws {
        if all != device.isEmpty {
            throw ValidationError("name the devices to forget, or write --all ('bluecap bonds' lists them)")
        }
        for name in device { try DeviceOptions.requireName(name) }
    }

    func run() async throws {
        let (radio, devices, isJSON) = (radio, device, json)
        try await runCommand {
            try await radio.resolved().withBonds { central, bonds, _ in
                try await ForgetSession(
                    central: central, bonds: bonds, devices: devices, isJSON: isJSON,
                    output: StandardOutput(draws: false)
                ).run()
            }
        }
    }
}
