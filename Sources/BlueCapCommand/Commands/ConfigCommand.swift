// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show and change the settings.",
        usage: "bluecap config [<setting> [<value> ...]] [<options>]",
        discussion: """
            Without a name, all settings: what is set, or else in brackets what counts. With a name, that setting and what \
            it governs; with values, it is set to them. Options of a command win over the settings. They are kept in \
            $XDG_CONFIG_HOME/bluecap/config.json, or in the file that BLUECAP_CONFIG names.

            EXAMPLES
              bluecap config
              bluecap config scan.limit 20
              bluecap config adapter hci1
              bluecap config beacon.power -62
              bluecap config scan.services Pulse=180D 180F
              bluecap config beacon.regions office=7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70/1
              bluecap config scan.limit --unset

            JSON
              One object: event "config", path, settings (name, values, set, default,
              form, summary). Keys are only ever added.

            \(ToolStatus.help)
            """)

    @Argument(help: "The name of a setting.")
    var setting: String?

    // A number may be negative, which looks like an option.
    @Argument(parsing: .allUnrecognized, help: "What to set it to; several where it is a list.")
    var value: [String] = []

    @Flag(help: "Let the setting be as if it had never been set.")
    var unset = false

    @Flag(help: "Print one JSON object, on a line.")
    var json = false

    /// The values of the command line, without a leading `--`.
    var values: [String] {
        guard let end = value.firstIndex(of: "--") else { return value }
        return Array(value[..<end] + value[(end + 1)...])
    }

    func validate() throws {
        if let option = value.prefix(while: { $0 != "--" }).first(where: { $0.hasPrefix("-") && Double($0) == nil }) {
            throw ValidationError("Unknown option '\(option)'")
        }
        if unset, setting == nil { throw ValidationError("--unset takes the name of a setting") }
        if unset, !values.isEmpty { throw ValidationError("a setting is either set or unset: leave one out") }
    }

    func run() async throws {
        let plan = ConfigSession.Plan(setting: setting, values: values, unsets: unset, isJSON: json)
        try await runCommand {
            try ConfigSession(file: SettingsFile(), plan: plan, output: StandardOutput(draws: false)).run()
        }
    }
}
