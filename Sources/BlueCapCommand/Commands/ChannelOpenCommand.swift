// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct ChannelOpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Connect to a device and open a channel to it.",
        usage: "bluecap channel open <device> --psm <number> [<options>]",
        discussion: """
            Sends standard input as it comes: each piece that can be read is a unit, cut where it is longer than the \
            device takes. What comes goes to standard output as it is, or to a terminal without characters that it would \
            obey; progress goes to standard error. It ends when the input has ended and the device's credits have let all \
            of it go out, --wait later, or when the device closes the channel; that is a failure if read bytes had not gone out.

            Standard input is the channel's, so --passkey and --yes answer the questions of pairing.

            \(ChannelCommand.support) The virtual Heart Strap sends everything back on PSM 128.

            EXAMPLES
              echo hello | bluecap channel open Lock --psm 0x81 --wait 2
              bluecap channel open "Heart Strap" --psm 128 --backend virtual
              bluecap channel open Camera --psm 192 --encrypted < /dev/null \\
                --wait 60 > picture.jpg

            JSON
              event "opened" (name, psm, maximumSendLength, maximumReceiveLength),
              "received" and "sent" (index from 1 in each direction, value in
              hexadecimal digits) for each unit, "closed" (psm, sentUnits, sentBytes,
              receivedUnits, receivedBytes, error); each with id and date. Keys are
              only ever added.

            \(ToolStatus.help)
            """)

    @OptionGroup var target: DeviceOptions

    @Option(help: ArgumentHelp("The PSM on which the device takes channels, 1 to 255.", valueName: "number"))
    var psm: PSMArgument

    @Flag(help: "Only over an encrypted link: pair first, where the devices have no keys.")
    var encrypted = false

    @OptionGroup var first: PairFirstOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Receive for so long after the end of the input. (default: 0)", valueName: "seconds"))
    var wait: Seconds?

    @Flag(help: "Print one JSON object for each event, on a line.")
    var json = false

    func validate() throws { try psm.require(1...0xFF) }

    /// The session's plan, from the command line.
    var plan: ChannelOpenSession.Plan {
        ChannelOpenSession.Plan(psm: psm.psm, isEncrypted: encrypted, patience: wait?.duration ?? .zero)
    }

    func run() async throws {
        let (plan, isJSON) = (plan, json)
        let pairing = first.step ?? (encrypted ? PairSession.step(first.options.plan) : nil)
        try await target.run(pairing: pairing) { finder, _, clock in
            var finder = finder
            finder.ask = { _ in nil }
            let output = StandardOutput(draws: false)
            let report = ChannelReport(
                role: .central, isJSON: isJSON, output: output,
                write: { (unit) throws(OutputClosed) in try output.bytes(unit) }, progress: finder.progress,
                clock: clock)
            try await ChannelOpenSession(
                finder: finder, plan: plan, input: ByteInput.standard(), report: report, clock: clock
            ).run()
        }
    }
}
