// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct EmulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulate", abstract: "Be a peripheral: offer services to centrals and advertise them.",
        usage: "bluecap emulate <service> ... | <file> | sensortag [<options>]",
        discussion: """
            EXAMPLES
              bluecap emulate "Heart Rate" Battery        services of the library
              bluecap emulate lamp.json                   the device of a file
              bluecap emulate sensortag                   a TI SensorTag
              bluecap emulate Battery --backend virtual   both ends, no hardware
              bluecap emulate device --help               all options

            JSON
              One object for each event, on a line: "serviceAdded",
              "serviceRestored", "advertising", "read", "write", "writeRefused",
              "subscribed", "unsubscribed", "set", "replayed", "passkey",
              "pairingRefused", "state", "stopped"; with --backend virtual also
              those of the central. The help of device and of sensortag has the
              keys. Keys are only ever added.

            \(ToolStatus.help)
            """,
        subcommands: [EmulateDeviceCommand.self, EmulateSensorTagCommand.self],
        defaultSubcommand: EmulateDeviceCommand.self)
}

struct EmulateSensorTagCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sensortag", abstract: "Be a TI SensorTag, with all its sensors.",
        usage: "bluecap emulate sensortag [<options>]",
        discussion: """
            Offers the SensorTag's services (accelerometer, magnetometer, gyroscope, temperature, barometer, hygrometer, \
            self-test, keys, device information) and advertises a name and the accelerometer's service. Any central can \
            connect: a phone's Bluetooth explorer, or 'bluecap notify' on another machine.

            As the real one, a sensor measures after 01 was written to its "Enabled" characteristic (07 for all axes of the \
            gyroscope), and sends to who is subscribed, every second, or as often as its "Update Period" says (a byte of \
            10 ms each). What is too long or means nothing is refused. Each connection's reads, writes and subscriptions are \
            told on a line; Ctrl-C takes services and advertisement back.

            With --backend virtual a central in the same process finds it, switches the accelerometer on and shows samples.

            EXAMPLES
              bluecap emulate sensortag --backend virtual     both ends, no hardware
              bluecap emulate sensortag --name "My Tag"       until Ctrl-C; elsewhere
              bluecap write "My Tag" "Accelerometer Enabled" yes
              bluecap notify "My Tag" f000aa11-0451-4000-b000-000000000000
              bluecap emulate sensortag --duration 60 --json | jq -c .value

            JSON
              One object for each event, on a line: "serviceAdded", "advertising",
              "read", "write", "writeRefused", "subscribed", "unsubscribed", "state",
              "stopped"; name, services, shortServices, central, characteristic,
              shortCharacteristic, value (hexadecimal), text, fields (texts), numbers,
              units, error. With --backend virtual also the events of 'bluecap demo':
              "poweredOn", "discovered" (id, name, rssi, services), "connected" (id),
              "servicesDiscovered" (services), "written"
              (characteristic, value), "sample" (index, x, y, z), "disconnected"
              (id); and in each event role, "peripheral" or "central". Keys are only
              ever added.

            \(ToolStatus.help)
            """,
        // As it calls itself.
        aliases: ["SensorTag"])

    @OptionGroup var radio: RadioOptions

    @Option(help: "The name to advertise, up to 29 bytes.")
    var name = "SensorTag"

    @Option(parsing: .unconditional, help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Seconds?

    @Option(
        help: ArgumentHelp(
            "With --backend virtual: end after so many samples. (default: 40 without --duration)", valueName: "count"))
    var samples: Int?

    @Flag(help: "Print one JSON object for each event, on a line.")
    var json = false

    func validate() throws {
        guard (1...29).contains(name.utf8.count) else {
            throw ValidationError("--name must be from 1 to 29 bytes: that is what fits into a packet")
        }
        if let samples {
            guard samples > 0 else { throw ValidationError("--samples must be at least 1") }
            guard radio.isVirtual else {
                throw ValidationError("--samples counts what the virtual central takes: add --backend virtual")
            }
        }
    }

    /// The session's plan, from the command line.
    var plan: EmulateSession.Plan {
        EmulateSession.Plan(
            name: name, duration: duration?.duration, samples: samples ?? (duration == nil ? 40 : nil),
            seed: radio.seed ?? 1, isJSON: json)
    }

    func run() async throws {
        let (plan, options) = (plan, radio)
        try await runCommand {
            let radio = try options.resolved()
            let output = StandardOutput(draws: false)
            if radio.isVirtual {
                return try await EmulateSession.run(on: radio.ownRadio(), plan: plan, output: output)
            }
            try await EmulateSession(
                manager: radio.platformPeripheral, plan: plan, output: output, clock: .continuous
            ).run()
        }
    }
}
