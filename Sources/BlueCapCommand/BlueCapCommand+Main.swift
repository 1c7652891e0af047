// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCapPlatform

extension BlueCapCommand {
    /// Parses the command line and runs the command. Errors of the command line are printed in lines that fit the
    /// terminal.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if arguments.isEmpty { return try writeText(screen, to: STDOUT_FILENO) }
            try check(arguments, for: BlueCapCommand.self)
            var command = try await asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let code = exitCode(for: error)
            // Help and versions are no errors, and a command that has failed has said why.
            if code.isSuccess || error is ExitCode { exit(withError: error) }
            report(TextLayout.wrap(fullMessage(for: error), to: StandardOutput.errorColumns))
            exit(withError: code)
        }
    }

    /// The text that the program prints without arguments: an overview of the commands on one screen.
    private static let screen = """
        Scan for Bluetooth LE devices, listen to them, and be one.

          bluecap demo                          a sensor and a central in one process
          bluecap scan                          what is in the air, a live table
          bluecap shell --backend virtual       browse devices that need no hardware
          bluecap notify "Heart Strap" 2A37 --plot --backend virtual

        LOOK    scan       what is in the air        info     what a device has
                rssi       how strong it is heard    beacon   iBeacons, and be one
        USE     read  write  notify                  values of a device
                shell      all of it in one sitting  channel  bytes both ways
                pair  bonds  forget                  keys
        BE      emulate    services or a recording   demo     both roles at once
                proxy      a radio for Home Assistant
        KEEP    record     a device as a file        capture  packets as a file
                twin       devices in a capture      gateway  sensors to a broker
        KNOW    profiles   services and values       config   your settings
                adapters   radios of this machine    doctor   what is wrong with them

        'bluecap help COMMAND' explains one with examples, 'bluecap --help' has all.

        """

    /// Refuses an unknown word in the place of a command, and names the commands that are like it.
    private static func check(_ arguments: [String], for command: any ParsableCommand.Type) throws {
        let configuration = command.configuration
        guard let word = arguments.first, !word.hasPrefix("-"), configuration.defaultSubcommand == nil,
            !configuration.subcommands.isEmpty
        else { return }
        if command == BlueCapCommand.self, word == "help" {
            return try check(Array(arguments.dropFirst()), for: command)
        }
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        if let index = names.firstIndex(of: word) {
            return try check(Array(arguments.dropFirst()), for: configuration.subcommands[index])
        }
        let parent = command == BlueCapCommand.self ? "bluecap" : "bluecap \(configuration.commandName ?? "")"
        let meant = command == BlueCapCommand.self ? elsewhere[word] ?? word : word
        let advice = Suggestion.question(meant, among: names, advice: "'\(parent) --help' lists those that there are")
        throw ValidationError("there is no command '\(TextLayout.printable(word))': \(advice)")
    }

    /// The names that other tools use, with the name of the equivalent command here.
    private static let elsewhere = [
        "advertise": "emulate", "bond": "pair", "browse": "shell", "clone": "record", "connect": "info",
        "devices": "scan", "discover": "scan", "get": "read", "inspect": "info", "l2cap": "channel",
        "list": "scan", "listen": "notify",
        "monitor": "notify", "mqtt": "gateway", "paired-devices": "bonds", "remove": "forget", "replay": "emulate",
        "services": "info",
        "set": "write", "settings": "config", "show": "info", "signal": "rssi", "simulate": "emulate",
        "subscribe": "notify", "unpair": "forget", "watch": "notify",
    ]
}
