// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct NotifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify", abstract: "Connect to a device and print the values that it notifies.",
        usage: "bluecap notify <device> <characteristic> ... [<options>]",
        discussion: """
            Subscribes to the characteristics and prints each value as it comes: the value itself, where the library \
            has a profile of the characteristic or the bytes are text, then its hexadecimal digits. Progress goes to \
            standard error. At the end notifications are switched off and the device is disconnected.

            With --plot the numbers in the values move as curves, where the output is a terminal.

            EXAMPLES
              bluecap notify "Heart Strap" 2A37 --backend virtual --count 5
              bluecap notify "Heart Strap" 2A37 "Battery Level" --duration 60
              bluecap notify "Heart Strap" 2A37 --plot --backend virtual
              bluecap notify "Heart Strap" 2A37 --csv --output heart.csv
              bluecap notify SensorTag accelerometer-data --reconnect --socket
              sudo bluecap notify SensorTag accelerometer-data --interval 7.5-15

            CSV
              A heading, then a line for each value: date, index, characteristic,
              value (hexadecimal), text, and a column for each part by the profile.

            \(ValueEvent.help)

            \(ToolStatus.help)
            """)

    @OptionGroup var target: DeviceOptions

    @OptionGroup var first: PairFirstOptions

    @Argument(help: CharacteristicSelector.help, completion: Completion.characteristics)
    var characteristic: [CharacteristicSelector]

    @Option(
        help: ArgumentHelp("The service, where several have such a characteristic.", valueName: "service"),
        completion: Completion.services)
    var service: ServiceArgument?

    @Option(help: ArgumentHelp("End after so many values, of all together.", valueName: "count"))
    var count: Int?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("End after so long; 75 if no value came.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(help: "Connect and subscribe again whenever the link is lost.")
    var reconnect = false

    @Flag(help: "Take values over a socket (BlueZ's AcquireNotify), which costs less for each.")
    var socket = false

    @OptionGroup var timing: LinkTimingOptions

    @Flag(help: "Print one JSON object for each value, on a line.")
    var json = false

    @Flag(help: "Print a table of comma-separated values.")
    var csv = false

    @Flag(help: "Draw the numbers in the values as curves.")
    var plot = false

    @Option(name: .shortAndLong, help: ArgumentHelp("Write the values to a file.", valueName: "file"))
    var output: String?

    func validate() throws {
        if plot, json || csv || output != nil {
            throw ValidationError("--plot draws on the terminal: leave out --json, --csv and --output")
        }
        if let count, count < 1 { throw ValidationError("--count must be at least 1") }
        if json, csv { throw ValidationError("--json and --csv are two forms of the same: choose one") }
    }

    private var format: ValueFormat {
        if json { return .json }
        if csv { return .csv }
        return plot ? .plot : .text
    }

    func run() async throws {
        let (service, path, draws) = (service, output, plot)
        let plan = NotifySession.Plan(
            characteristics: characteristic, count: count, duration: duration?.duration, reconnects: reconnect,
            transport: socket ? .socket : .standard, timing: try timing.parameters, format: format)
        try await target.run(pairing: first.step) { finder, _, clock in
            var plan = plan
            plan.service = try service?.uuid()
            let file = try path.map { (path) throws(CommandFailure) in try FileOutput(path) }
            let output: any LineOutput = file ?? StandardOutput(draws: draws)
            try await NotifySession(finder: finder, plan: plan, output: output, clock: clock).run()
            try file?.begin()
        }
    }
}
