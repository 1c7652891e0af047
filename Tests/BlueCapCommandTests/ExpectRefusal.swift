// SPDX-License-Identifier: MIT

import ArgumentParser
import Testing

@testable import BlueCapCommand

/// Expects that a command refuses its arguments as a wrong usage, with a text in the message.
func expectRefusal<Command: ParsableCommand>(
    of arguments: [String], by command: Command.Type, saying text: String,
    sourceLocation: SourceLocation = #_sourceLocation
) async {
    let error = await #expect(throws: (any Error).self, sourceLocation: sourceLocation) {
        // A command that completes names of devices is parsed so.
        if let command = command as? any AsyncParsableCommand.Type {
            _ = try await command.asyncParse(arguments)
        } else {
            _ = try command.parse(arguments)
        }
    }
    guard let error else { return }
    #expect(command.exitCode(for: error).rawValue == ToolStatus.usage.rawValue, sourceLocation: sourceLocation)
    let message = command.message(for: error)
    #expect(message.contains(text), "\(message)", sourceLocation: sourceLocation)
}
