// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Show the devices that advertise.",
        usage: "bluecap scan [<options>]",
        discussion: """
            On a terminal a live table: name, identifier, signal (five bars from -40 dBm, none below -99), when last seen, \
            services. Elsewhere a line for each event: discovered, updated (what it advertises changed), lost.

            Without --duration it runs until Ctrl-C. With --duration it ends with status 0 if anything was seen, else 75.

            EXAMPLES
              bluecap scan --duration 10
              bluecap scan --service 180F --service 180D --minimum-rssi=-80
              bluecap scan --name Sensor --duplicates --json
              bluecap scan --backend virtual --seed 7
              bluecap scan --adapter hci1

            \(ToolStatus.help)
            """)

    @OptionGroup var radio: RadioOptions

    @Option(help: ArgumentHelp("Only devices that advertise this service; may be repeated.", valueName: "uuid"))
    var service: [UUIDArgument] = []

    @Option(help: ArgumentHelp("Only devices whose name starts with this.", valueName: "prefix"))
    var name: String?

    @Option(help: ArgumentHelp("Only sightings at least this strong.", valueName: "dBm"))
    var minimumRssi: Int?

    @Flag(help: "A line for every packet, not only for changes of what is advertised.")
    var duplicates = false

    @Option(help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Seconds?

    @Option(help: ArgumentHelp("Report a device lost when unseen for so long; 0 for never.", valueName: "seconds"))
    var lostAfter = Seconds(30)

    @Option(help: ArgumentHelp("Order of the table: rssi or discovery.", valueName: "order"))
    var sort = ScanOrder.rssi

    @Flag(help: "Print one JSON object for each event, on a line.")
    var json = false

    func run() async throws {
        let options = ScanOptions(
            allowsDuplicates: duplicates, minimumRSSI: minimumRssi, namePrefix: name,
            lostAfter: lostAfter.duration == .zero ? nil : lostAfter.duration)
        let plan = ScanSession.Plan(
            services: service.map(\.uuid), options: options, duration: duration?.duration, order: sort, isJSON: json)
        let radio = radio
        try await runCommand {
            try await radio.withCentral { central, clock in
                let output = StandardOutput(draws: !plan.isJSON)
                try await ScanSession(central: central, plan: plan, output: output, clock: clock).run()
            }
        }
    }
}
