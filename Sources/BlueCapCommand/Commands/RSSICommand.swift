// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct RSSICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rssi", abstract: "Show how strong a device's signal is, again and again.",
        usage: "bluecap rssi <device> [<options>]",
        discussion: """
            Connects and measures the link once a second. With --passive the strength of what the device advertises is shown \
            instead, without a connection; BlueZ measures nothing else. On a terminal a curve, elsewhere a line for each \
            reading: five bars from -40 dBm, none below -99.

            EXAMPLES
              bluecap rssi "Dog Collar" --backend virtual
              bluecap rssi C0:DE:00:00:00:01 --passive --every 0.5
              bluecap rssi SensorTag --passive --duration 60 --json | jq .rssi

            JSON
              One object a line: event "rssi", index from 1, id, rssi (dBm), date.
              Keys are only ever added.

            \(ToolStatus.help)
            """)

    @OptionGroup var target: DeviceOptions

    @Flag(help: "Measure advertisements, without a connection.")
    var passive = false

    @Option(parsing: .unconditional, help: ArgumentHelp("Time from reading to reading.", valueName: "seconds"))
    var every = Seconds(1)

    @Option(help: ArgumentHelp("End after so many readings.", valueName: "count"))
    var count: Int?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("End after so long; 75 if nothing was heard.", valueName: "seconds")
    )
    var duration: Seconds?

    @Flag(help: "Print one JSON object for each reading, on a line.")
    var json = false

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1") }
        if every.duration < .milliseconds(10) { throw ValidationError("--every must be at least 0.01") }
    }

    func run() async throws {
        let plan = RSSISession.Plan(
            count: count, duration: duration?.duration, period: every.duration, isPassive: passive, isJSON: json)
        try await target.run { finder, _, clock in
            let output = StandardOutput(draws: !plan.isJSON)
            try await RSSISession(finder: finder, plan: plan, output: output, clock: clock).run()
        }
    }
}
