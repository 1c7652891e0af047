// SPDX-License-Identifier: MIT

import BlueCap

/// The user's settings for all commands. Options of the command line override them.
struct Settings: Sendable, Hashable {
    /// The values that are set, in the form that ``SettingForm/canonical(_:)`` gives them.
    private(set) var values: [SettingKey: [String]] = [:]

    /// The value of a setting; nil where it is not set.
    func text(_ key: SettingKey) -> String? { values[key]?.first }

    /// The values of a setting that may have several.
    func list(_ key: SettingKey) -> [String] { values[key] ?? [] }

    /// A number; nil where it is off, and `usual` where it is not set.
    func number(_ key: SettingKey, or usual: Int?) -> Int? {
        guard let text = text(key) else { return usual }
        return Int(text)
    }

    /// A time; nil where it is off, and `usual` where it is not set.
    func duration(_ key: SettingKey, or usual: Duration?) -> Duration? {
        guard let text = text(key) else { return usual }
        return Seconds(argument: text)?.duration
    }

    /// A UUID; nil where it is not set.
    func uuid(_ key: SettingKey) -> BluetoothUUID? { text(key).flatMap { ProximityUUID(argument: $0)?.uuid } }

    /// The region that a name stands for.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and the names that there are.
    func region(named name: String) throws(CommandFailure) -> NamedRegion {
        if let region = regions.first(where: { $0.name.lowercased() == name.lowercased() }) { return region }
        throw CommandFailure(
            .usage,
            "the settings have no region '\(name)'; "
                + (regions.isEmpty
                    ? "'bluecap config beacon.regions \(name)=UUID' makes one"
                    : "choose \(ProfilePart.quoted(regions.map(\.name)))"))
    }

    var services: [NamedService] { list(.scanServices).compactMap { NamedService($0) } }

    /// The regions that are known by name.
    var regions: [NamedRegion] { list(.beaconRegions).compactMap { NamedRegion($0) } }

    /// Sets a setting.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and the accepted values.
    mutating func set(_ key: SettingKey, to texts: [String]) throws(CommandFailure) {
        if texts.count != 1, !key.form.isList {
            throw CommandFailure(.usage, "\(key.rawValue) has one value: \(key.form.description)")
        }
        var canonical: [String] = []
        for text in texts {
            guard let value = key.form.canonical(text) else {
                throw CommandFailure(.usage, "\(key.rawValue) cannot be '\(text)': write \(key.form.description)")
            }
            canonical.append(value)
        }
        if key == .beaconRegions {
            // A name stands for one region: the last one given.
            let names = canonical.map { NamedRegion($0)?.name }
            canonical = canonical.indices.filter { names.lastIndex(of: names[$0]) == $0 }.map { canonical[$0] }
        }
        values[key] = canonical.isEmpty ? nil : canonical
    }
}

/// A service in the settings: `180D`, `Heart Rate`, or `Pulse=180D`.
struct NamedService: Sendable, Hashable {
    /// The name that the user has given it; nil for none.
    var name: String?
    var uuid: BluetoothUUID

    init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let last = parts.last else { return nil }
        if parts.count == 2 {
            name = String(parts[0])
            if parts[0].isEmpty { return nil }
        }
        guard let uuid = try? ServiceArgument(argument: String(last))?.uuid() else { return nil }
        self.uuid = uuid
    }

    /// The text that it is read from again.
    var text: String { (name.map { $0 + "=" } ?? "") + uuid.description }
}
