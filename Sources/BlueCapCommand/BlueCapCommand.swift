// SPDX-License-Identifier: MIT

import ArgumentParser

@main
struct BlueCapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bluecap", abstract: "Scan for Bluetooth LE devices, listen to them, and be one.",
        usage: "bluecap <subcommand> [<options>]",
        discussion: """
            Works over BlueZ on Linux, and in a virtual world that needs no hardware and no root.

            EXAMPLES
              bluecap demo                            a sensor and a central in one process
              bluecap scan                            what is in the air, a live table
              bluecap scan --backend virtual          the same in a simulated world
              bluecap scan --json | jq .              one JSON object for each event
              bluecap info "Heart Strap" --backend virtual
              bluecap read "Heart Strap" "Battery Level" --backend virtual
              bluecap write SensorTag "Accelerometer Enabled" no --backend virtual
              bluecap notify "Heart Strap" 2A37 --backend virtual
              bluecap rssi "Dog Collar" --backend virtual
              bluecap shell --backend virtual         browse devices in one sitting
              bluecap channel listen                  bytes both ways (L2CAP)
              bluecap pair Lock                       pair; 'bonds' and 'forget' too
              bluecap emulate "Heart Rate" Battery    this machine is such a device
              bluecap record Lamp -o lamp.json        keep a device as a file
              bluecap emulate lamp.json               this machine is that device
              bluecap twin run.btsnoop                devices in a capture
              bluecap beacon advertise                this machine is an iBeacon
              bluecap beacon range --backend virtual  how far beacons are
              bluecap gateway mqtt://localhost        sensors, to Home Assistant
              bluecap proxy --key key                 this radio, to Home Assistant
              bluecap config                          what counts where no option is given
              bluecap profiles 180D                   what the library knows of it
              bluecap adapters                        the radios of this machine
              bluecap doctor                          why Bluetooth does not work here

            JSON
              --json prints one object a line. Its event says what it is, and the
              help of the command what else is in it. Keys are only ever added.

            \(ToolStatus.help)
            """,
        version: ToolVersion.text,
        subcommands: [
            DemoCommand.self, ScanCommand.self, ShellCommand.self, InfoCommand.self, ReadCommand.self,
            WriteCommand.self,
            NotifyCommand.self, ChannelCommand.self,
            RSSICommand.self, PairCommand.self, BondsCommand.self, ForgetCommand.self,
            EmulateCommand.self,
            BeaconCommand.self, GatewayCommand.self, ProxyCommand.self,
            RecordCommand.self, TwinCommand.self, CaptureCommand.self,
            ProfilesCommand.self, AdaptersCommand.self, ConfigCommand.self, DoctorCommand.self,
        ])
}
