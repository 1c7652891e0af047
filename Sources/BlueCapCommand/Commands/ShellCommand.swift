// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct ShellCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell", abstract: "Browse devices: find, connect, read, write and watch, in one sitting.",
        usage: "bluecap shell [<device>] [<options>]",
        discussion: """
            On a terminal the whole screen shows the devices, then what the one that you choose has, then the values of a \
            characteristic with their curve: choose with the arrows and enter, '?' shows the keys, and 'q' leads back and \
            out.

            With --plain, and where input or output is no terminal, it takes the commands below, line by line. On a \
            terminal Tab completes them, names of devices and of characteristics, and the arrows find earlier lines. Ctrl-C \
            interrupts a command, and Ctrl-D or 'quit' ends the shell and the connection. What goes wrong is said and does \
            not end it; a shell whose lines come from a file or a pipe ends with the status of the first that failed.

            With --json lines are taken in the same way, on a terminal too, and all that is printed is JSON.

            Meanwhile this program answers for pairing in the place of the desktop's dialog.

            EXAMPLES
              bluecap shell --backend virtual
              bluecap shell "Heart Strap" --backend virtual --plain
              echo 'scan 3' | bluecap shell
              bluecap shell Lock < steps.txt
              echo 'read 2A19' | bluecap shell Strap --json | jq -r .text

            COMMANDS
            \(ShellVerb.rows.joined(separator: "\n"))

            \(ShellReport.help)

            \(ToolStatus.help)
            """)

    @Argument(
        help: "The device to connect to first: its identifier or its whole name.", completion: Completion.devices)
    var device: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long each step on the way may take. (default: 10)", valueName: "seconds"))
    var timeout: Seconds?

    @Flag(help: "Take commands line by line on a terminal, too.")
    var plain = false

    @Flag(help: "Take commands line by line, and print one JSON object for each event and answer, on a line.")
    var json = false

    @Flag(inversion: .prefixedNo, help: "Use colours, where the terminal has them.")
    var color = true

    @OptionGroup var radio: RadioOptions

    func validate() throws { try device.map(DeviceOptions.requireName) }

    func run() async throws {
        let options = self
        let interruption = ShellInterruption()
        try await runCommand(interruption: interruption) {
            let settings = try SettingsFile.current.get()
            let timeout = options.timeout?.duration ?? settings.duration(.timeout, or: nil) ?? .seconds(10)
            try await options.radio.resolved(settings).withCentral { central, clock in
                try await central.requireRadio()
                try await ShellSession(
                    central: central, clock: clock, timeout: timeout, device: options.device,
                    // Log lines would be written over the screen.
                    isPlain: options.plain || options.radio.verbose, isJSON: options.json, usesColors: options.color,
                    interruption: interruption
                ).run()
            }
        }
    }
}
