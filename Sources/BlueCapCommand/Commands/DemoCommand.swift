// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Run a virtual sensor and a central that reads it, in one process.",
        usage: "bluecap demo [<options>]",
        discussion: """
            A virtual TI SensorTag advertises its accelerometer. The central scans for it, connects, discovers, switches \
            the sensor on, subscribes, and shows the decoded samples in g. It ends by itself.

            On a terminal the samples move as curves; elsewhere, and with --json, each is a line. What is shown follows \
            from --seed alone.

            EXAMPLES
              bluecap demo
              bluecap demo --forever --period 20
              bluecap demo --json --samples 20 | jq -c 'select(.event == "sample")'

            JSON
              One object for each event, on a line: "poweredOn", "discovered" (id,
              name, rssi, services), "connected" (id), "servicesDiscovered"
              (services), "written" (characteristic, value), "sample" (index, and x,
              y, z in g), "disconnected" (id). Keys are only ever added.

            \(ToolStatus.help)
            """)

    @Option(
        help: ArgumentHelp(
            "The radio: virtual, the only one that a demo runs on. (default: virtual)", valueName: "name"))
    var backend: BackendName?

    @Option(help: ArgumentHelp("How many samples to show.", valueName: "count"))
    var samples = 40

    @Flag(help: "Go on until Ctrl-C.")
    var forever = false

    @Option(help: ArgumentHelp("Time from sample to sample, 10 to 2550.", valueName: "milliseconds"))
    var period = 100

    @Option(help: ArgumentHelp("What the motion and the radio's chance follow from.", valueName: "number"))
    var seed: UInt64 = 1

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func validate() throws {
        if backend == .bluez {
            throw ValidationError(
                "a demo runs on a virtual radio only: 'bluecap scan' and 'bluecap notify' show what is on the real one")
        }
        guard samples > 0 else { throw ValidationError("--samples must be at least 1") }
        guard (10...2550).contains(period) else { throw ValidationError("--period must be from 10 to 2550") }
    }

    func run() async throws {
        let plan = DemoSession.Plan(samples: forever ? nil : samples, milliseconds: period, isJSON: json)
        let seed = seed
        try await runCommand {
            let output = StandardOutput(draws: !plan.isJSON)
            try await DemoSession.run(on: VirtualRadio(seed: seed), plan: plan, output: output)
        }
    }
}
