// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct ChannelListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen", abstract: "Take the channels that centrals open to this machine.",
        usage: "bluecap channel listen [<options>]",
        discussion: """
            Takes channels on a PSM, advertises a name, and serves one channel after the other, until Ctrl-C or for \
            --duration. What comes goes to standard output as it is, or to a terminal without characters that it would obey; \
            standard input goes to the channel that is served, each piece that can be read as a unit, or with --echo what \
            came. Progress, and the PSM, go to standard error. Centrals have to be told the PSM.

            \(ChannelCommand.support) A central in the same process opens the channel, says hello and sends everything back.

            EXAMPLES
              bluecap channel listen --psm 192 --name Printer > pages
              bluecap channel listen --echo --encrypted
              bluecap channel listen --backend virtual --duration 5

            JSON
              event "published" (psm), "advertising" (name), "state" (text),
              "stopped"; of each channel "opened" (psm, maximumSendLength,
              maximumReceiveLength), "received" and "sent" (index from 1 in each
              direction, value in hexadecimal digits) for each unit, "closed" (psm,
              sentUnits, sentBytes, receivedUnits, receivedBytes, error), with central
              and date. With --backend virtual also those of the central, with id and
              name in place of central, and in each event role, "peripheral" or
              "central". Keys are only ever added.

            \(ToolStatus.help)
            """)

    @OptionGroup var radio: RadioOptions

    @Option(
        help: ArgumentHelp("The PSM, 128 to 255. (default: one that the platform chooses)", valueName: "number"))
    var psm: PSMArgument?

    @Flag(help: "Only over encrypted links; a central that pairs for that is not asked for digits.")
    var encrypted = false

    @Flag(help: "Send back what comes, and do not read standard input.")
    var echo = false

    @Option(help: ArgumentHelp("The name to advertise, up to 29 bytes. (default: BlueCap)", valueName: "name"))
    var name: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(help: "Print one JSON object for each event, on a line.")
    var json = false

    func validate() throws {
        try psm?.require(0x80...0xFF)
        if let name, !(1...29).contains(name.utf8.count) {
            throw ValidationError("--name must be from 1 to 29 bytes: that is what fits into a packet")
        }
    }

    /// The session's plan, from the command line.
    var plan: ChannelListenSession.Plan {
        ChannelListenSession.Plan(
            psm: psm?.psm, isEncrypted: encrypted, echoes: echo, name: name ?? "BlueCap",
            duration: duration?.duration)
    }

    func run() async throws {
        let (plan, options, isJSON) = (plan, radio, json)
        try await runCommand {
            let radio = try options.resolved()
            let output = StandardOutput(draws: false)
            func channels(on clock: BlueCapClock) -> ChannelReport {
                ChannelReport(
                    role: .peripheral, isJSON: isJSON, output: output,
                    write: { (unit) throws(OutputClosed) in try output.bytes(unit) }, progress: { report($0) },
                    clock: clock)
            }
            if radio.isVirtual {
                let own = try radio.ownRadio()
                return try await ChannelListenSession.run(
                    on: own, plan: plan, input: ByteInput.standard(), report: channels(on: own.clock))
            }
            try await ChannelListenSession(
                manager: radio.platformPeripheral, plan: plan, input: ByteInput.standard(),
                report: channels(on: .continuous), clock: .continuous
            ).run()
        }
    }
}
