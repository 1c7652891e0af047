// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct BondsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bonds", abstract: "Show the devices that this machine is paired with.",
        usage: "bluecap bonds [<options>]",
        discussion: """
            A line for each device: identifier, name, and whether some program is connected to it. 'bluecap pair' adds a \
            device, 'bluecap forget' removes one.

            EXAMPLES
              bluecap bonds
              bluecap bonds --backend virtual
              bluecap bonds --json | jq -r .id

            JSON
              One object a line: event "bond", id, name, connected. Keys are only
              ever added.

            \(ToolStatus.help)
            """)

    @OptionGroup var radio: RadioOptions

    @Flag(help: "Print one JSON object for each device, on a line.")
    var json = false

    func run() async throws {
        let (radio, isJSON) = (radio, json)
        try await runCommand {
            try await radio.resolved().withBonds { central, bonds, _ in
                let output = StandardOutput(draws: false)
                try await BondsSession(central: central, bonds: bonds, isJSON: isJSON, output: output).run()
            }
        }
    }
}
