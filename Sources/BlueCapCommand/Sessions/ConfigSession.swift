// SPDX-License-Identifier: MIT

/// Shows and changes the settings in a file.
struct ConfigSession: Sendable {
    /// What to show or to change.
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

    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where a name or a value is none, and what can be written.
    func run() throws {
        var settings = try file.read()
        let key = try plan.setting.map { (name) throws(CommandFailure) in try Self.key(name) }
        if let key, plan.unsets || !plan.values.isEmpty {
            if plan.unsets { settings.reset(key) } else { try settings.set(key, to: plan.values) }
            try file.write(settings)
        }
        let keys = key.map { [$0] } ?? SettingKey.allCases
        if plan.isJSON {
            let report = SettingsReport(path: file.path, settings: keys.map { SettingsReport.Setting($0, settings) })
            return try output.line(JSONLine.text(report))
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

    private static func key(_ name: String) throws(CommandFailure) -> SettingKey {
        if let key = SettingKey(rawValue: name.lowercased()) { return key }
        let similar = SettingKey.allCases.map(\.rawValue).filter { $0.contains(name.lowercased()) }
        throw CommandFailure(
            .usage,
            "there is no setting '\(name)'"
                + (similar.isEmpty ? ": 'bluecap config' lists them" : "; did you mean \(ProfilePart.quoted(similar))?")
        )
    }
}

/// The settings, as `config --json` prints them.
struct SettingsReport: Encodable, Sendable {
    struct Setting: Encodable, Sendable {
        var name: String
        /// What is set; empty where nothing is.
        var values: [String]
        var set: Bool
        /// What counts where nothing is set, for people.
        var `default`: String
        /// What can be written, for people.
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
