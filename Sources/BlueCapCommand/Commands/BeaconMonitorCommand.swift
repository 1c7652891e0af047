// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct BeaconMonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor", abstract: "Print when this machine enters and leaves regions of iBeacons.",
        usage: "bluecap beacon monitor [<region> ...] [<options>]",
        discussion: """
            A region is a family of iBeacons, a group of it or one beacon. It is entered with the first beacon that is \
            heard, and left when none was heard for the exit delay. Regions have names in the settings: \
            'bluecap config beacon.regions office=UUID/1 door=UUID/1/7'. Without a name all of them are monitored, or the \
            region of --uuid.

            Without --duration it runs until Ctrl-C. With --duration it ends with status 0 if a region was entered, else 75.

            EXAMPLES
              bluecap beacon monitor --backend virtual --duration 60 --exit-after 5
              bluecap beacon monitor --uuid B9407F30-F5F8-466E-AFF9-25556B57FE6D --major 1
              bluecap beacon monitor office door --entry-rssi -70
              bluecap beacon monitor office --json | jq .state

            JSON
              One object for each change, on a line: event "region", region, uuid,
              major, minor, state ("start", "inside", "outside", "unknown"), date. Keys
              are only ever added.

            \(ToolStatus.help)
            """)

    @Argument(help: "Names of regions in the settings.")
    var region: [String] = []

    @Option(help: ArgumentHelp("The family: 36 characters.", valueName: "uuid"))
    var uuid: ProximityUUID?

    @Option(help: ArgumentHelp("Only this group.", valueName: "number"))
    var major: UInt16?

    @Option(help: ArgumentHelp("Only this beacon of the group.", valueName: "number"))
    var minor: UInt16?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Leave a region when nothing was heard for so long.", valueName: "seconds"))
    var exitAfter = Seconds(30)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Enter a region only with a beacon as strong as this.", valueName: "dBm"))
    var entryRssi: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(help: "Print one JSON object for each change, on a line.")
    var json = false

    @OptionGroup var radio: RadioOptions

    func validate() throws {
        if minor != nil, major == nil {
            throw ValidationError("--minor names a beacon within a group: say which with --major")
        }
        if !region.isEmpty, uuid != nil || major != nil {
            throw ValidationError("a region of the settings has its UUID and numbers: leave out --uuid and --major")
        }
    }

    /// The regions that the command line and the settings ask for.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where one is not in the settings.
    func regions(_ settings: Settings) throws(CommandFailure) -> [NamedRegion] {
        if region.isEmpty {
            if uuid == nil, major == nil, !settings.regions.isEmpty { return settings.regions }
            let family = uuid?.uuid ?? settings.uuid(.beaconUUID) ?? BeaconCommand.defaultUUID
            return [NamedRegion(name: "region", uuid: family, major: major, minor: minor)]
        }
        var regions: [NamedRegion] = []
        for name in region { regions.append(try settings.region(named: name)) }
        return regions
    }

    func run() async throws {
        let command = self
        try await runCommand {
            let radio = try command.radio.resolved()
            let regions = try command.regions(SettingsFile.current.get())
            let plan = BeaconMonitorSession.Plan(
                regions: regions, exitDelay: command.exitAfter.duration, entryRSSI: command.entryRssi,
                duration: command.duration?.duration, isJSON: command.json)
            let family = regions.first?.uuid ?? BeaconCommand.defaultUUID
            try await radio.withCentral(
                in: ShippedWorlds.beacons(of: family),
                { central, clock in
                    try await BeaconMonitorSession(
                        central: central, plan: plan, output: StandardOutput(draws: false), clock: clock
                    ).run()
                })
        }
    }
}
