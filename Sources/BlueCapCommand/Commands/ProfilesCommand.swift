// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct ProfilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles", abstract: "Show the services and characteristics that the library knows.",
        usage: "bluecap profiles [<name>] [<options>]",
        discussion: """
            Without a name, the services in groups. With the name or UUID of a service, its characteristics; with that of \
            a characteristic, its properties, the parts of its values with their units and choices, and an example. With a part of \
            a name, all that have it. No radio is needed.

            EXAMPLES
              bluecap profiles
              bluecap profiles --tag "TI Sensor Tag"
              bluecap profiles 180D
              bluecap profiles "Heart Rate Measurement"
              bluecap profiles --company 0x004C
              bluecap profiles --company nordic
              bluecap profiles --profiles mine.json --tag "My Services"

            JSON
              One object a line: event "service" (uuid, shortUUID, name, tag,
              characteristics), "characteristic" (uuid, shortUUID, name, services,
              properties, choices, parts with name, choices, optional and unit,
              example in hexadecimal, exampleText) or "company" (id, name). Keys are
              only ever added.

            \(ToolStatus.help)
            """)

    @Argument(help: "A name, a part of one, or a UUID.", completion: Completion.services)
    var name: String?

    @Option(help: ArgumentHelp("Only services of this group.", valueName: "tag"))
    var tag: String?

    @Option(
        help: ArgumentHelp("Who has a company identifier: its number, or a part of the name.", valueName: "company"))
    var company: String?

    @Flag(help: "Print one JSON object for each, on a line.")
    var json = false

    @OptionGroup var profiles: ProfileOptions

    func validate() throws {
        if company != nil, name != nil || tag != nil {
            throw ValidationError("--company looks companies up: leave out the name and --tag")
        }
    }

    func run() async throws {
        let (name, tag, company, isJSON) = (name, tag, company, json)
        try await runCommand {
            let catalog = try company.map(ProfileCatalog.companies) ?? ProfileCatalog.entries(name: name, tag: tag)
            let output = StandardOutput(draws: false)
            for line in isJSON ? catalog.jsonLines : catalog.lines { try output.line(line) }
        }
    }
}
