import ArgumentParser

@main
struct BlueCapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bluecap", abstract: "Scan for Bluetooth LE devices and listen to them.",
        discussion: """
            Works over BlueZ on Linux, and in a virtual world that needs no hardware and no root.

            EXAMPLES
              bluecap demo                                  a virtual sensor and a central, in one process
              bluecap scan                                  what is in the air, as a live table
              bluecap scan --backend virtual                the same in a simulated world
              bluecap scan --service 180F --json | jq .     one JSON object for each event
              bluecap notify SensorTag f000aa11-0451-4000-b000-000000000000 --backend virtual

            \(ToolStatus.help)
            """,
        version: "0.1.0", subcommands: [DemoCommand.self, ScanCommand.self, NotifyCommand.self])
}
