// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct BeaconAdvertiseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advertise", abstract: "Be a beacon until Ctrl-C.",
        usage: "bluecap beacon advertise [<options>]",
        discussion: """
            Advertises Apple's 23 bytes: 02 15, the UUID of the family, major, minor, and the signal strength that a \
            receiver at a metre's distance measures. From that and what it measures itself a receiver tells the distance, \
            so measure --power once: stand a metre away and read the RSSI that 'bluecap beacon range' shows.

            Of the other families, AltBeacon has the same numbers; Eddystone-UID has the first four and last six bytes of \
            the UUID as its namespace, and major and minor as the end of its instance; Eddystone-URL has an address.

            With --backend virtual a central two metres away ranges it in the same process, or scans for other families.

            EXAMPLES
              bluecap beacon advertise --backend virtual --duration 5
              bluecap beacon advertise --major 1 --minor 7
              bluecap beacon advertise --generate --power -62 --duration 600
              bluecap beacon advertise --family altbeacon --major 1
              bluecap beacon advertise --family eddystone-url --url https://example.com
              bluecap beacon advertise --family altbeacon --secondary-phy coded
              bluecap config beacon.uuid B9407F30-F5F8-466E-AFF9-25556B57FE6D

            JSON
              One object for each event, on a line: event "advertising" (family, uuid,
              major, minor, power, data, url, secondaryPHY), "state" (text) or "stopped".
              With --backend virtual also what the central hears: "beacons" (uuid, date,
              beacons) as of 'bluecap beacon range', of other families the events of
              'bluecap scan'. Keys are only ever added.

            \(ToolStatus.help)
            """)

    @Option(help: ArgumentHelp("The kind of frame.", valueName: "family"))
    var family = BeaconFamily.iBeacon

    @Option(help: ArgumentHelp("The UUID: 36 characters. (default: that of the settings)", valueName: "uuid"))
    var uuid: ProximityUUID?

    @Flag(help: "Make up a UUID, and print it.")
    var generate = false

    @Option(help: ArgumentHelp("The group, 0 to 65535. (default: 0)", valueName: "number"))
    var major: UInt16?

    @Option(help: ArgumentHelp("The beacon in its group, 0 to 65535. (default: 0)", valueName: "number"))
    var minor: UInt16?

    @Option(help: ArgumentHelp("The address of Eddystone-URL, of 17 bytes when shortened.", valueName: "url"))
    var url: EddystoneURLArgument?

    // A number may be negative, which looks like an option.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The signal strength at one metre, -128 to 127. (default: -59)", valueName: "dBm"))
    var power: Int8?

    @Option(
        name: .customLong("secondary-phy"),
        help: ArgumentHelp(
            "Extended advertising: 1M, 2M or coded. (default: legacy advertising, which every receiver hears)",
            valueName: "phy"), completion: .list(SecondaryPHY.names), transform: SecondaryPHY.named)
    var secondaryPHY: SecondaryPHY?

    @Option(parsing: .unconditional, help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(help: "Print one JSON object for each event, on a line.")
    var json = false

    @OptionGroup var radio: RadioOptions

    func validate() throws {
        if generate, uuid != nil { throw ValidationError("--generate makes up the UUID: leave out --uuid") }
        if family == .eddystoneURL, url == nil {
            throw ValidationError("an Eddystone-URL beacon needs an address: add --url https://…")
        }
        if family != .eddystoneURL, url != nil {
            throw ValidationError("--url is of --family eddystone-url: add it")
        }
    }

    /// The session's plan, from the command line and the settings.
    func plan(_ settings: Settings) -> BeaconAdvertiseSession.Plan {
        let own = generate ? .random() : uuid?.uuid
        func number(_ key: SettingKey) -> Int { settings.number(key, or: 0) ?? 0 }
        return BeaconAdvertiseSession.Plan(
            uuid: own ?? settings.uuid(.beaconUUID) ?? BeaconCommand.defaultUUID,
            major: major ?? UInt16(clamping: number(.beaconMajor)),
            minor: minor ?? UInt16(clamping: number(.beaconMinor)),
            power: power ?? settings.number(.beaconPower, or: nil).map { Int8(clamping: $0) }
                ?? BeaconRegion.defaultMeasuredPower,
            family: family, url: url?.url, secondaryPHY: secondaryPHY, duration: duration?.duration, isJSON: json)
    }

    func run() async throws {
        let command = self
        try await runCommand {
            let settings = try SettingsFile.current.get()
            let (plan, radio) = (command.plan(settings), command.radio.resolved(settings))
            let output = StandardOutput(draws: false)
            if radio.isVirtual {
                return try await BeaconAdvertiseSession.run(
                    on: radio.ownRadio(), plan: plan, output: output)
            }
            try await BeaconAdvertiseSession(
                manager: radio.platformPeripheral, plan: plan, output: output, clock: .continuous
            ).run()
        }
    }
}

extension SecondaryPHY {
    fileprivate static let names = allCases.map(\.rawValue)

    fileprivate static func named(_ text: String) throws -> SecondaryPHY {
        guard let phy = SecondaryPHY(rawValue: text) else { throw ValidationError("there are 1M, 2M and coded") }
        return phy
    }
}
