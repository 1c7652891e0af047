// SPDX-License-Identifier: MIT

import ArgumentParser

@main
struct BlueCapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bluecap", abstract: "Scan for Bluetooth LE devices, listen to them, and be one.",
        discussion: """
            Works over BlueZ on Linux, and in a virtual world that needs no hardware and no root.

            EXAMPLES
              bluecap demo                                  a virtual sensor and a central, in one process
              bluecap scan                                  what is in the air, as a live table
              bluecap scan --backend virtual                the same in a simulated world
              bluecap scan --service 180F --json | jq .     one JSON object for each event
              bluecap notify SensorTag f000aa11-0451-4000-b000-000000000000 --backend virtual
              bluecap emulate sensortag                     this machine is a TI SensorTag
              bluecap beacon advertise --major 1 --minor 7  this machine is an iBeacon
              bluecap beacon range --backend virtual        how far beacons are

            \(ToolStatus.help)
            """,
        version: "0.1.0",
        subcommands: [
            DemoCommand.self, ScanCommand.self, NotifyCommand.self, EmulateCommand.self, BeaconCommand.self,
        ])
}
