// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct BeaconRangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "range", abstract: "Show the beacons that are near, and how far they are.",
        usage: "bluecap beacon range [<options>]",
        discussion: """
            On a terminal a live table, nearest first: distance, proximity (immediate within 0.5 m, near within 3 m, far), \
            smoothed signal strength, major, minor, identifier. Elsewhere a line for each beacon, once a second while it is \
            heard. With --all the beacons of all families are shown, whatever their UUIDs: iBeacon, AltBeacon and \
            Eddystone-UID, each with its family and its number; else the iBeacons of one UUID. A beacon that was not heard \
            for ten seconds is left out. Distances are estimates: walls and bodies \
            easily double or halve them.

            Without --duration it runs until Ctrl-C. With --duration it ends with status 0 if any was heard, else 75.

            EXAMPLES
              bluecap beacon range --backend virtual     beacons that stand, move and go
              bluecap beacon range                       those of 'beacon advertise'
              bluecap beacon range --all                 iBeacon, AltBeacon, Eddystone
              bluecap beacon range --uuid B9407F30-F5F8-466E-AFF9-25556B57FE6D --major 1
              bluecap beacon range --region office       a region of the settings
              bluecap beacon range --duration 10 --json | jq '.beacons[].distance'

            JSON
              event "beacons": uuid (left out with --all), date, beacons, nearest
              first: family ("ibeacon", "altbeacon", "eddystone-uid"), uuid, major,
              minor (of an Eddystone-UID namespace and instance), id, power, rssi,
              distance in metres, proximity. Keys are only ever added.

            \(ToolStatus.help)
            """)

    @Flag(help: "The beacons of all families, whatever their UUIDs.")
    var all = false

    @Option(help: ArgumentHelp("A region of the settings, by name.", valueName: "name"))
    var region: String?

    @Option(help: ArgumentHelp("The family: 36 characters. (default: that of the settings)", valueName: "uuid"))
    var uuid: ProximityUUID?

    @Option(help: ArgumentHelp("Only this group.", valueName: "number"))
    var major: UInt16?

    @Option(help: ArgumentHelp("Only this beacon of the group.", valueName: "number"))
    var minor: UInt16?

    @Option(parsing: .unconditional, help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(help: "Print one JSON object for each list, on a line.")
    var json = false

    @OptionGroup var radio: RadioOptions

    func validate() throws {
        if all, region != nil || uuid != nil || major != nil || minor != nil {
            throw ValidationError("--all means every beacon: leave out --region, --uuid, --major and --minor")
        }
        if minor != nil, major == nil {
            throw ValidationError("--minor names a beacon within a group: say which with --major")
        }
        if region != nil, uuid != nil || major != nil {
            throw ValidationError("a region of the settings has its UUID and numbers: leave out --uuid and --major")
        }
    }

    /// The session's plan, from the command line and the settings.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where the settings have no such region.
    func plan(_ settings: Settings) throws(CommandFailure) -> BeaconRangeSession.Plan {
        var plan = BeaconRangeSession.Plan(
            uuid: uuid?.uuid ?? settings.uuid(.beaconUUID) ?? BeaconCommand.defaultUUID, major: major, minor: minor,
            isAll: all, duration: duration?.duration, isJSON: json)
        if let region {
            let named = try settings.region(named: region)
            (plan.uuid, plan.major, plan.minor) = (named.uuid, named.major, named.minor)
        }
        return plan
    }

    func run() async throws {
        let command = self
        try await runCommand {
            let settings = try SettingsFile.current.get()
            let plan = try command.plan(settings)
            try await command.radio.resolved(settings).withCentral(
                in: ShippedWorlds.beacons(of: plan.uuid),
                { central, clock in
                    let output = StandardOutput(draws: !plan.isJSON)
                    try await BeaconRangeSession(central: central, plan: plan, output: output, clock: clock).run()
                })
        }
    }
}
