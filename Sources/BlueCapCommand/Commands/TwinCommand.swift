// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct TwinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "twin", abstract: "Make a device's twin from a capture.",
        usage: "bluecap twin <capture> [--device <device>] [<options>]",
        discussion: """
            Reads btsnoop (btmon, Android's HCI snoop log), pcap and pcapng (Wireshark, sniffers) and Apple PacketLogger; \
            which it is shows by itself. Without --device the devices in the capture are listed. With it, the device's twin \
            is printed as JSON: its advertisement, the database that a central discovered, the values, the notifications with their \
            times, a rule for each write that always led to the same values, and the units of its L2CAP channels. 'bluecap emulate' makes it a device again.

            A central that knew the device from before discovers nothing: capture a first connection, or have the central \
            forget the device. What is encrypted on the air shows only in captures of HCI.

            EXAMPLES
              bluecap twin btsnoop_hci.log
              bluecap twin run.btsnoop --device C0:DE:00:00:00:01 > lamp.json
              bluecap twin air.pcapng --device Lamp --values | grep notified
              bluecap twin run.btsnoop --json | jq -r .id

            JSON
              One object a line: event "device" (id, name, random, own, rssi,
              advertisements, connections, services, notifications, unexplained,
              unplaced, channels), or with --values event "read", "written",
              "writtenWithoutResponse", "notified" or "indicated" (id, handle, uuid,
              shortUUID, characteristic, value, text, fields, numbers, units, date),
              "unitSent" or "unitReceived" by a device over a channel (id, psm, value,
              date), or "advertised" (id, date, and frames as 'bluecap scan' has them,
              with kind, text, fields, numbers and units) where frames of beacons and
              sensors are other ones than before.
              "channels", where there are some, has of each psm, accepted, encrypted,
              end ("refused", "closedByDevice", "closedByPeer", "linkEnded"), refusal,
              malformed, date, and of both ends, device and peer, number, mtu, mps,
              credits, addedCredits, frames, units and bytes.
              "unexplained" counts
              attributes with a value and no discovery, "unplaced" those that were
              discovered without the service or characteristic that they belong to.
              What is not known is left out. Keys are only ever added.

            \(ToolStatus.help)
            """)

    @Argument(help: "The file of the capture.", completion: .file())
    var capture: String

    @Option(help: ArgumentHelp("The device: its address or its whole name.", valueName: "device"))
    var device: String?

    @Flag(help: "Print each value that was read, written, notified or advertised.")
    var values = false

    @Flag(help: "Print one JSON object for each device or value, on a line.")
    var json = false

    @OptionGroup var profiles: ProfileOptions

    func run() async throws {
        let plan = TwinSession.Plan(path: capture, device: device, showsValues: values, isJSON: json)
        try await runCommand {
            try TwinSession(plan: plan, output: StandardOutput(draws: false)).run()
        }
    }
}
