// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapCapture

struct EmulateFileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file", abstract: "Be the device that a file describes, its twin.",
        usage: "bluecap emulate <file> [<options>]",
        discussion: """
            The file is what 'bluecap record' and 'bluecap twin' write. Its services and their values are offered and \
            advertised, what centrals write is kept, and a central that subscribes receives the values that the device \
            notified, each as long after the subscription as it was. The address is this machine's own.

            With --backend virtual a central in the same process connects to it, reads it and listens.

            EXAMPLES
              bluecap emulate lamp.json
              bluecap emulate lamp.json --repeat --duration 600
              bluecap emulate lamp.json --backend virtual --duration 5

            \(ToolStatus.help)
            """)

    @Argument(help: "The twin's file; - for standard input.")
    var file: String

    @OptionGroup var radio: RadioOptions

    @Option(help: ArgumentHelp("The name to advertise instead of the twin's.", valueName: "name"))
    var name: String?

    @Flag(name: .customLong("repeat"), help: "Send the notifications again and again.")
    var repeats = false

    @Option(help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(help: "Print one JSON object for each event, on a line.")
    var json = false

    func validate() throws {
        if let name, !(1...29).contains(name.utf8.count) {
            throw ValidationError("--name must be from 1 to 29 bytes: that is what fits into a packet")
        }
    }

    func run() async throws {
        let command = self
        try await runCommand {
            var twin = try ToolFile.twin(command.file)
            if let name = command.name { twin.rename(to: name) }
            let plan = EmulateTwinSession.Plan(
                twin: twin, replay: command.repeats ? .repeating : .once, duration: command.duration?.duration,
                isJSON: command.json)
            let output = StandardOutput(draws: false)
            if command.radio.backend == .virtual {
                let radio = VirtualRadio(seed: command.radio.seed)
                return try await EmulateTwinSession.run(on: radio, plan: plan, output: output)
            }
            try await EmulateTwinSession(
                manager: command.radio.platformPeripheral, plan: plan, output: output, clock: .continuous
            ).run()
        }
    }
}

extension Twin {
    /// Advertises another name.
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
