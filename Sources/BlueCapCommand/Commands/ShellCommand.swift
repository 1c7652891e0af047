// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct ShellCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell", abstract: "Browse devices: find, connect, read, write and watch, in one sitting.",
        usage: "bluecap shell [<device>] [<options>]",
        discussion: """
            Line by line: 'help' lists the commands, Tab completes them, names of devices and of characteristics, and the \
            arrows find earlier lines. Ctrl-C interrupts a command, and Ctrl-D or 'quit' ends the shell and the connection. \
            What goes wrong is said and does not end it. Lines can come from a file or a pipe, too.

            Meanwhile this program answers for pairing in the place of the desktop's dialog.

            EXAMPLES
              bluecap shell --backend virtual
              bluecap shell "Heart Strap" --backend virtual
              echo 'scan 3' | bluecap shell
              bluecap shell Lock < steps.txt

            COMMANDS
            \(ShellVerb.rows.joined(separator: "\n"))

            \(ToolStatus.help)
            """)

    @Argument(help: "The device to connect to first: its identifier or its whole name.")
    var device: String?

    @Option(help: ArgumentHelp("How long each step on the way may take. (default: 10)", valueName: "seconds"))
    var timeout: Seconds?

    @OptionGroup var radio: RadioOptions

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
                    interruption: interruption
                ).run()
            }
        }
    }
}
