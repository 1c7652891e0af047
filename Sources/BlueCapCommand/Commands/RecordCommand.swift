// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapCapture

struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Record a device as a file, its twin.",
        usage: "bluecap record <device> -o <file> [<options>]",
        discussion: """
            Connects, reads every value and descriptor that can be read, subscribes to all that notifies and listens. The \
            twin that results holds the advertisement, the database, the values, and the notifications with their times. \
            'bluecap emulate' makes it a device again; the file is JSON and can be edited, compared and sent by mail. Of a \
            characteristic 100000 notifications are kept, and it is said where there would be more. Ctrl-C ends the reading and \
            the listening: what was read and heard by then is written, and what was not is named.

            With --passive nothing is asked of the device while another program uses it: the database is that which \
            bluetoothd knows, the values are those that the program reads or is notified of. BlueZ only.

            EXAMPLES
              bluecap record "Heart Strap" -o strap.json --backend virtual
              bluecap record C0:DE:00:00:00:01 -o lamp.json --duration 60
              bluecap record Lamp -o lamp.json --passive --duration 30
              bluecap record Lamp -o - | jq '.services[].uuid'

            JSON
              One object: event "recorded", path, id, name, services, characteristics,
              notifications (how many). Keys are only ever added.

            \(ToolStatus.help)
            """)

    @OptionGroup var target: DeviceOptions

    @OptionGroup var first: PairFirstOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"))
    var output: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long to listen to notifications; 0 does not subscribe.", valueName: "seconds"))
    var duration = Seconds(10)

    @Flag(help: "Print one JSON object about the file, on a line.")
    var json = false

    @Flag(help: "Only listen while another program uses the device.")
    var passive = false

    func validate() throws {
        if json, output == "-" { throw ValidationError("--json and --output - would both be standard output") }
        if passive, first.step != nil {
            throw ValidationError("--passive asks nothing of the device, and so does not pair with it")
        }
        if passive, let backend = target.radio.backend, backend != .bluez {
            throw ValidationError("--passive listens to bluetoothd, which the virtual world does not have")
        }
    }

    func run() async throws {
        let (path, duration) = (output, duration.duration)
        let isJSON = json
        let recorded: @Sendable (Twin) throws -> Void = { twin in
            if path != "-" { report("wrote \(path), which 'bluecap emulate' makes a device again") }
            guard isJSON else { return }
            try StandardOutput(draws: false).line(JSONLine.text(FileEvent(twin, path: path)))
        }
        let save: @Sendable (String) throws -> Void = { try ToolFile.write($0.utf8, to: path) }
        if passive {
            let (device, radio) = (target.device, target.radio)
            return try await runCommand {
                try ToolFile.requireWritable(path)
                try await ListenSession(
                    source: radio.resolved().listener(), device: device, duration: duration, save: save,
                    recorded: recorded,
                    clock: .continuous
                ).run()
            }
        }
        try await target.run(pairing: first.step) { finder, _, clock in
            // Before minutes of recording.
            try ToolFile.requireWritable(path)
            try await RecordSession(
                finder: finder, duration: duration, save: save, recorded: recorded, clock: clock
            ).run()
        }
    }
}
