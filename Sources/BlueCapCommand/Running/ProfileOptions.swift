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

    /// Reads the files of the settings and these, which count where both have a service. Names and texts are asked for
    /// in every part of the program, so they are known to all of it from here on.
    func validate() throws {
        do throws(CommandFailure) {
            for file in try SettingsFile.current.get().list(.profiles) { try Self.add(file, ofSettings: true) }
            for file in files { try Self.add(file, ofSettings: false) }
        } catch {
            throw ValidationError(error.message)
        }
    }

    private static func add(_ file: String, ofSettings isSetting: Bool) throws(CommandFailure) {
        do throws(CommandFailure) {
            KnownProfiles.add(try ToolFile.profiles(file))
        } catch {
            let advice = "; the settings name it: 'bluecap config profiles' shows and changes them"
            throw CommandFailure(error.status, error.message + (isSetting ? advice : ""))
        }
    }
}
