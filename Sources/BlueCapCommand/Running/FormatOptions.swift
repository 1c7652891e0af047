// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// The option that adds formats of sensors.
struct FormatOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read sensors by the formats of this JSON file too; may be given several times.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var formats: [String] = []

    func validate() throws {
        for file in formats {
            do throws(CommandFailure) { KnownFormats.add(try ToolFile.formats(file)) } catch {
                throw ValidationError(error.message)
            }
        }
    }
}
