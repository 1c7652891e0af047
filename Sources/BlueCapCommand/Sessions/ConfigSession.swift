// SPDX-License-Identifier: MIT

/// Shows and changes the settings in a file.
struct ConfigSession: Sendable {
    /// The setting to show or to change.
    struct Plan: Sendable {
        /// The name of a setting; nil for all.
        var setting: String?
        var values: [String] = []
        var unsets = false
        var isJSON = false
    }

    let file: SettingsFile
    let plan: Plan
    let output: any LineOutput

    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and the accepted texts where a name or a value is
    ///   invalid.
    func run() throws {
        // First, because a file with an invalid name or value is not read.
        if plan.unsets, let name = plan.setting, try unset(name) { return }
        var settings = try file.read()
        let key = try plan.setting.map { (name) throws(CommandFailure) in try Self.key(name) }
        if let key, !plan.values.isEmpty {
            if case .services = key.form { Self.learnNames(settings) }
            try settings.set(key, to: plan.values)
            try Self.requireFiles(of: key, settings)
            try file.write(settings)
        }
        let keys = key.map { [$0] } ?? SettingKey.allCases
        if plan.isJSON {
            let report = SettingsReport(path: file.path, settings: keys.map { SettingsReport.Setting($0, settings) })
            return try output.event(report)
        }
        if key == nil { try output.line(file.path) }
        let width = keys.map(\.rawValue.count).max() ?? 0
        for key in keys {
            let values = settings.list(key).joined(separator: " ")
            let shown = values.isEmpty ? "[\(key.usual)]" : TextLayout.printable(values)
            try output.line(TextLayout.pad(key.rawValue, to: width) + "  " + shown)
        }
        guard let key, plan.values.isEmpty, !plan.unsets else { return }
        for line in TextLayout.wrap("\(key.summary) Write \(key.form.description).", to: 80).split(separator: "\n") {
            try output.line(String(line))
        }
    }

    /// Lets services be written by the names that the user's own profiles give them. A file that cannot be read stops
    /// every other command, but not this one, which can correct the setting.
    private static func learnNames(_ settings: Settings) {
        for path in settings.list(.profiles) {
            if let profiles = try? ToolFile.profiles(path) { KnownProfiles.add(profiles) }
        }
    }

    /// Makes sure that the files that a setting names can be read: every command would fail otherwise. A file of
    /// settings may name one that is not there any more.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage``, which names the file and its fault.
    private static func requireFiles(of key: SettingKey, _ settings: Settings) throws(CommandFailure) {
        if case .files = key.form {
            for path in settings.list(key) { _ = try ToolFile.profiles(path) }
        }
        if case .backend = key.form, let name = settings.text(key),
            case .virtual(let world?) = BackendName(argument: name)
        {
            _ = try WorldFile.read(world)
        }
    }

    /// Takes a setting, or a name that is that of none, out of the file.
    ///
    /// - Returns: Whether there is nothing else to show, as it was that of none.
    private func unset(_ name: String) throws -> Bool {
        // In capitals or not, the name of a setting is one only on the command line.
        if try !file.remove(name) {
            if let key = SettingKey(rawValue: name.lowercased()) { _ = try file.remove(key.rawValue) }
            return false
        }
        if SettingKey(rawValue: name) != nil { return false }
        let report = SettingsReport(path: file.path, settings: [])
        try output.line(plan.isJSON ? JSONLine.text(report) : "removed '\(name)' from \(file.path)")
        return true
    }

    private static func key(_ name: String) throws(CommandFailure) -> SettingKey {
        if let key = SettingKey(rawValue: name.lowercased()) { return key }
        throw CommandFailure(.usage, "there is no setting '\(name)': \(SettingKey.advice(on: name))")
    }
}

/// The settings, as `config --json` prints them.
struct SettingsReport: Encodable, Sendable {
    struct Setting: Encodable, Sendable {
        var name: String
        /// The values of the setting; empty where it is not set.
        var values: [String]
        var set: Bool
        /// The default, for people.
        var `default`: String
        /// The accepted values, for people.
        var form: String
        var summary: String

        init(_ key: SettingKey, _ settings: Settings) {
            (name, values) = (key.rawValue, settings.list(key))
            set = !values.isEmpty
            (`default`, form, summary) = (key.usual, key.form.description, key.summary)
        }
    }

    var event = "config"
    var path: String
    var settings: [Setting]
}
