// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// The option that adds profiles to those that the library ships.
struct ProfileOptions: ParsableArguments {
    @Option(
        name: .customLong("profiles"),
        help: ArgumentHelp(
            "Name services and read values by this JSON file too; may be given several times.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var files: [String] = []

    /// Reads the files. Names and texts are asked for in every part of the program, so they are known to all of it from
    /// here on.
    func validate() throws {
        for file in files {
            do throws(CommandFailure) {
                KnownProfiles.add(try ToolFile.profiles(file))
            } catch {
                throw ValidationError(error.message)
            }
        }
    }
}
