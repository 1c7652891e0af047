// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct BeaconCommand: AsyncParsableCommand {
    /// The family that both commands mean when none is given, so that one finds the other.
    static let defaultUUID: BluetoothUUID = "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70"

    static let configuration = CommandConfiguration(
        commandName: "beacon", abstract: "Be an iBeacon, or find out how far iBeacons are.",
        subcommands: [BeaconAdvertiseCommand.self, BeaconRangeCommand.self])
}

/// The UUID of a family of beacons; a beacon's frame has room for a full one only.
struct ProximityUUID: ExpressibleByArgument, Sendable {
    var uuid: BluetoothUUID

    init(_ uuid: BluetoothUUID) { self.uuid = uuid }

    init?(argument: String) {
        guard argument.utf8.count >= 32, let uuid = try? BluetoothUUID(text: argument) else { return nil }
        self.uuid = uuid
    }

    var defaultValueDescription: String { uuid.fullDescription }
}

struct BeaconAdvertiseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advertise", abstract: "Be an iBeacon until Ctrl-C.",
        usage: "bluecap beacon advertise [<options>]",
        discussion: """
            Advertises Apple's 23 bytes: 02 15, the UUID of the family, major, minor, and the signal strength that a \
            receiver at a metre's distance measures. From that and what it measures itself a receiver tells the distance, \
            so measure --power once: stand a metre away and read the RSSI that 'bluecap beacon range' shows.

            With --backend virtual a central two metres away ranges it in the same process.

            EXAMPLES
              bluecap beacon advertise --backend virtual --duration 5
              bluecap beacon advertise --major 1 --minor 7
              bluecap beacon advertise --uuid "$(uuidgen)" --power=-62 --duration 600

            \(ToolStatus.help)
            """)

    @Option(help: ArgumentHelp("The family: 36 characters.", valueName: "uuid"))
    var uuid = ProximityUUID(BeaconCommand.defaultUUID)

    @Option(help: ArgumentHelp("The group, 0 to 65535.", valueName: "number"))
    var major: UInt16 = 0

    @Option(help: ArgumentHelp("The beacon in its group, 0 to 65535.", valueName: "number"))
    var minor: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "The signal strength at one metre, -128 to 127; write --power=-62.", valueName: "dBm"))
    var power: Int8 = BeaconRegion.defaultMeasuredPower

    @Option(help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(help: "Print one JSON object for each event, on a line.")
    var json = false

    @OptionGroup var radio: RadioOptions

    /// What the command line asks for.
    var plan: BeaconAdvertiseSession.Plan {
        BeaconAdvertiseSession.Plan(
            uuid: uuid.uuid, major: major, minor: minor, power: power, duration: duration?.duration, isJSON: json)
    }

    func run() async throws {
        let (plan, radio) = (plan, radio)
        try await runCommand {
            let output = StandardOutput(draws: false)
            if radio.backend == .virtual {
                return try await BeaconAdvertiseSession.run(
                    on: VirtualRadio(seed: radio.seed), plan: plan, output: output)
            }
            try await BeaconAdvertiseSession(
                manager: radio.platformPeripheral, plan: plan, output: output, clock: .continuous
            ).run()
        }
    }
}

struct BeaconRangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "range", abstract: "Show the iBeacons of a family and how far they are.",
        usage: "bluecap beacon range [<options>]",
        discussion: """
            On a terminal a live table, nearest first: distance, proximity (immediate within 0.5 m, near within 3 m, far), \
            smoothed signal strength, major, minor, identifier. Elsewhere a line for each beacon, once a second while it is \
            heard. A beacon that was not heard for ten seconds is left out. Distances are estimates: walls and bodies \
            easily double or halve them.

            Without --duration it runs until Ctrl-C. With --duration it ends with status 0 if any was heard, else 75.

            EXAMPLES
              bluecap beacon range --backend virtual     beacons that stand, move and go
              bluecap beacon range                       those of 'beacon advertise'
              bluecap beacon range --uuid B9407F30-F5F8-466E-AFF9-25556B57FE6D --major 1
              bluecap beacon range --duration 10 --json | jq '.beacons[].distance'

            \(ToolStatus.help)
            """)

    @Option(help: ArgumentHelp("The family: 36 characters.", valueName: "uuid"))
    var uuid = ProximityUUID(BeaconCommand.defaultUUID)

    @Option(help: ArgumentHelp("Only this group.", valueName: "number"))
    var major: UInt16?

    @Option(help: ArgumentHelp("Only this beacon of the group.", valueName: "number"))
    var minor: UInt16?

    @Option(help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(help: "Print one JSON object for each list, on a line.")
    var json = false

    @OptionGroup var radio: RadioOptions

    func validate() throws {
        if minor != nil, major == nil {
            throw ValidationError("--minor names a beacon within a group: say which with --major")
        }
    }

    /// What the command line asks for.
    var plan: BeaconRangeSession.Plan {
        BeaconRangeSession.Plan(
            uuid: uuid.uuid, major: major, minor: minor, duration: duration?.duration, isJSON: json)
    }

    func run() async throws {
        let (plan, radio) = (plan, radio)
        try await runCommand {
            try await radio.withCentral(
                in: { VirtualBeacons(radio: $0, uuid: plan.uuid) },
                { central, clock in
                    let output = StandardOutput(draws: !plan.isJSON)
                    try await BeaconRangeSession(central: central, plan: plan, output: output, clock: clock).run()
                })
        }
    }
}
