// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapCapture

struct EmulateDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Be a device with services of the library, or that of a file.",
        usage: "bluecap emulate <service> ... | <file> [<options>]",
        discussion: """
            With names or UUIDs of services ('bluecap profiles' lists them), these are offered with the first values of \
            their profiles. The values that notify move, unless --still or --move says otherwise. What centrals read, write \
            and subscribe to is printed on a line each; a write that means nothing is refused. A line on standard input sets \
            a value meanwhile: NAME=VALUE.

            With a file that 'bluecap record' or 'bluecap twin' wrote, its services and values are offered, what centrals \
            write is kept and answered by the rules of the file, and a central that subscribes receives the values that the \
            device notified, each as long after the subscription as it was. Its L2CAP channels are taken where the radio has them. The address is this machine's own. What it advertised goes where it was heard, into \
            the packet or the scan response; a field that the radio does not send there, or has no room for, is left out \
            and named.

            With the file of a world a sensor of it advertises its values, in the format that it names there ('bluecap scan' \
            shows the formats); --formats adds those of a file. With a 'key' its frames are encrypted, with its \
            'address': that of this machine's adapter, unless the frames have an address.

            With --restore the services are written down under a name: if this program is killed or crashes, the next one \
            with that name and these services takes them up in their places, with their first values, so that a phone that \
            knows the device finds each where it was. Ctrl-C and --duration end the device for good.

            With --passkey a central that pairs has to type six digits, which are shown here; one that cannot is refused. \
            Values of a file that need an authenticated link need it, unless another program on this machine pairs.

            With --backend virtual a central in the same process connects to the device, reads it and listens. With \
            --backend virtual:SOCKET the device is on the radio that another program shares at that path or, where none \
            does, on one that this program shares.

            \(ValueGenerator.help)

            EXAMPLES
              bluecap emulate "Heart Rate" Battery
              bluecap emulate 180F --set "battery level=20" --still --name "Old Lamp"
              bluecap emulate Battery --move "battery level=walk:40..60:2"
              bluecap emulate "Heart Rate" --backend virtual --duration 5
              bluecap emulate Battery --backend virtual:/tmp/app.sock
              bluecap emulate Battery --restore lamp      goes on after kill -9
              bluecap emulate lamp.json --repeat --duration 600
              bluecap emulate lock.json --passkey
              bluecap emulate house.json --device "Cellar"

            JSON
              One object for each event, on a line: "serviceAdded" (of --restore
              also "serviceRestored"), "advertising", "read", "write",
              "writeRefused", "subscribed", "unsubscribed", "set", "replayed" (a
              twin has sent all that it notified), "passkey" (central, passkey),
              "pairingRefused" (central), "published" or "notPublished" (psm, error) for
              channels, "state", "stopped"; name (of a sensor its
              format),
              services, shortServices, central, characteristic, shortCharacteristic,
              value (hexadecimal), text, fields (texts), numbers, units, error, and of
              "advertising" leftOut, the names of the fields that are not advertised.
              With --backend virtual also what the central takes, as "read" and "value"
              with the keys of 'bluecap read' (index, characteristic, service,
              shortService, name, value, text, fields, numbers, units, date), and in
              each event role, "peripheral" or "central". Keys are only ever added.

            \(ToolStatus.help)
            """)

    @Argument(
        help: "Services by name or UUID, or the file of a twin or of a world; - for standard input.",
        completion: Completion.services)
    var device: [String]

    @OptionGroup var radio: RadioOptions

    @Option(help: ArgumentHelp("The name to advertise, up to 29 bytes.", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp("Advertise only this service; may be repeated.", valueName: "service"),
        completion: Completion.services)
    var advertise: [ServiceArgument] = []

    @Option(help: ArgumentHelp("A first value; may be repeated.", valueName: "name=value"))
    var set: [SetArgument] = []

    @Option(help: ArgumentHelp("A value that moves, and how; may be repeated.", valueName: "name=form"))
    var move: [MoveArgument] = []

    @Flag(help: "Move no value but those of --move.")
    var still = false

    @Flag(name: .customLong("repeat"), help: "Of a file: send the notifications again and again.")
    var repeats = false

    @Option(
        name: .customLong("device"),
        help: ArgumentHelp("Of a world's file: the sensor, by its name, address or format.", valueName: "sensor"))
    var chosen: String?

    @OptionGroup var formats: FormatOptions

    @Option(
        help: ArgumentHelp(
            "Take up what a run under this name offered when it was killed.", valueName: "name"))
    var restore: String?

    @Flag(help: "Show a passkey to each central that pairs, to be typed there.")
    var passkey = false

    @Option(parsing: .unconditional, help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(help: "Print one JSON object for each event, on a line.")
    var json = false

    func validate() throws {
        if let name, !(1...29).contains(name.utf8.count) {
            throw ValidationError("--name must be from 1 to 29 bytes: that is what fits into a packet")
        }
        if file != nil, !advertise.isEmpty || !set.isEmpty || !move.isEmpty || still {
            throw ValidationError(
                "--advertise, --set, --move and --still are of services: a file has values of its own")
        }
        if file == nil, chosen != nil { throw ValidationError("--device is of a world's file") }
        if file == nil, repeats { throw ValidationError("--repeat is of a file: services have nothing recorded") }
        if let restore {
            guard (1...80).contains(restore.utf8.count) else {
                throw ValidationError("--restore must be a name of 1 to 80 bytes")
            }
            if file != nil {
                throw ValidationError("--restore is of services: that of a file is a new device each time")
            }
        }
        if device.count > 1, let path = device.first(where: Self.isPath) {
            throw ValidationError("'\(path)' is a file, and a device is either one file or services")
        }
    }

    /// The file that describes the device; nil where services are named.
    var file: String? { device.count == 1 && Self.isPath(device[0]) ? device[0] : nil }

    private static func isPath(_ text: String) -> Bool {
        // Services have names with a slash, too, such as "GAP/GATT", so a lone slash says nothing.
        text == "-" || text.hasSuffix(".json") || text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("../")
            || ToolFile.exists(text)
    }

    func run() async throws {
        let command = self
        if let file { return try await runCommand { try await command.emulate(file: file) } }
        try await runCommand { try await command.emulateServices() }
    }

    private func emulate(file: String) async throws {
        let bytes = try ToolFile.read(file, maximum: Twin.maximumByteCount, called: "a twin")
        if WorldFile.isWorld(bytes) { return try await emulate(WorldFile.parse(bytes, name: file), file: file) }
        if chosen != nil { throw CommandFailure(.usage, "--device is of a world's file: \(file) is one device") }
        var twin = try ToolFile.twin(bytes, file)
        if let name { twin.rename(to: name) }
        let plan = EmulateTwinSession.Plan(
            twin: twin, replay: repeats ? .repeating : .once, duration: duration?.duration,
            showsPasskey: passkey, isJSON: json)
        let output = StandardOutput(draws: false)
        let radio = try radio.resolved()
        if radio.isVirtual {
            return try await EmulateTwinSession.run(on: radio.ownRadio(), plan: plan, output: output)
        }
        try await EmulateTwinSession(
            manager: radio.platformPeripheral, plan: plan, output: output, clock: .continuous
        ).run()
    }

    private func emulate(_ world: WorldFile, file: String) async throws {
        if repeats || passkey {
            throw CommandFailure(.usage, "--repeat and --passkey are of a twin: no central connects to a sensor")
        }
        let (device, sensor) = try world.sensor(chosen, in: file)
        let played: PlayedSensor
        do throws(SensorFrameError) {
            // A receiver of encrypted frames refuses the counters of an earlier run.
            let seconds = UInt64(clamping: BlueCapClock.continuous.date.sinceEpoch.components.seconds)
            played = try PlayedSensor(
                sensor, name: name ?? device.name, address: device.address,
                counter: sensor.key == nil ? 0 : seconds)
        } catch {
            throw CommandFailure(.usage, "\(file): \(error.reason)")
        }
        let radio = try radio.resolved()
        let plan = EmulateSensorSession.Plan(
            sensor: played, duration: duration?.duration, seed: radio.seed ?? world.seed ?? 1, isJSON: json)
        let output = StandardOutput(draws: false)
        if radio.isVirtual {
            return try await EmulateSensorSession.run(on: radio.ownRadio(), plan: plan, output: output)
        }
        try await EmulateSensorSession(
            manager: radio.platformPeripheral, plan: plan, output: output, clock: .continuous
        ).run()
    }

    private func emulateServices() async throws {
        let radio = try radio.resolved()
        let advertised = try advertise.map { (each) throws(CommandFailure) in try each.uuid() }
        let plan = EmulateServicesSession.Plan(
            services: device, name: name, advertised: advertised, values: set, moves: move, isStill: still,
            duration: duration?.duration, seed: radio.seed ?? 1, restores: restore != nil,
            showsPasskey: passkey, isJSON: json)
        if restore != nil, let backend = radio.backend, backend != .bluez {
            throw CommandFailure(
                .usage, "--restore needs a real radio: a virtual one ends with the program")
        }
        let (output, edits) = (StandardOutput(draws: false), StandardInput.lines())
        if radio.isVirtual {
            return try await EmulateServicesSession.run(
                on: radio.ownRadio(), plan: plan, output: output, edits: edits)
        }
        try await EmulateServicesSession(
            manager: radio.platformPeripheral(restoring: restore.map { "bluecap.emulate." + $0 }), plan: plan,
            output: output, clock: .continuous, edits: edits
        ).run()
    }
}

extension Twin {
    mutating func rename(to name: String) {
        self.name = name
        var advertisement = advertisement ?? TwinAdvertisement(data: PeripheralAdvertisements())
        advertisement.data.localName = nil
        advertisement.scanResponse?.localName = nil
        if advertisement.scanResponse == nil { advertisement.scanResponse = PeripheralAdvertisements() }
        advertisement.scanResponse?.localName = name
        self.advertisement = advertisement
    }
}
