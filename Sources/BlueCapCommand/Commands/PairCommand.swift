// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Pair with a device and keep the keys.",
        usage: "bluecap pair <device> [<options>]",
        discussion: """
            Connects, pairs and disconnects. What the device wants to be compared or typed is asked on the terminal: six \
            digits that both sides show are compared, those that the device shows are typed here, those that are shown here \
            are typed at the device. A device that can do none of this is paired without proof of its identity (Just Works).

            Meanwhile this program answers for pairing in the place of the desktop's dialog. In a virtual world it also says \
            which digits the device shows, and types at the device what is shown here.

            EXAMPLES
              bluecap pair "Heart Strap" --backend virtual
              bluecap pair C0:DE:00:00:00:01
              bluecap pair Keyboard --passkey 123456
              bluecap pair Lock --yes --json && bluecap bonds

            JSON
              One object a line: event "passkey" (to be typed at the device),
              "question" or "paired"; id, name, passkey, text, already. Keys are only
              ever added.

            \(ToolStatus.help)
            """)

    @OptionGroup var target: DeviceOptions

    @OptionGroup var pairing: PairingOptions

    @Flag(help: "Print one JSON object for each event, on a line.")
    var json = false

    func run() async throws {
        var plan = pairing.plan
        plan.isJSON = json
        try await target.run { [plan] finder, output, _ in
            try await PairSession(finder: finder, plan: plan, output: output, ask: finder.ask).run()
        }
    }
}
