// SPDX-License-Identifier: MIT

import BlueCapJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file that the settings are kept in: JSON, an object with the settings by their names.
///
/// Numbers stand as numbers, `off` as the text `"off"`, and settings that may have several values as lists.
struct SettingsFile: Sendable {
    private static let maximumByteCount = 1 << 20

    let path: String

    init(environment: (String) -> String? = { Environment.value($0) }) {
        func folder(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let path = folder("BLUECAP_CONFIG") {
            self.path = path
        } else {
            path = (folder("XDG_CONFIG_HOME") ?? (folder("HOME") ?? "") + "/.config") + "/bluecap/config.json"
        }
    }

    /// The settings of this process, read once.
    static let current: Result<Settings, CommandFailure> = {
        do throws(CommandFailure) { return .success(try SettingsFile().read()) } catch { return .failure(error) }
    }()

    /// The settings in the file; none where there is no file.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage``, which names the fault and its place in the file.
    func read() throws(CommandFailure) -> Settings {
        var settings = Settings()
        for (name, value) in try values().sorted(by: { $0.key < $1.key }) {
            guard let key = SettingKey(rawValue: name) else {
                // Every command reads the file, 'bluecap config' as well.
                let advice = Suggestion.question(
                    name, among: SettingKey.allCases.map(\.rawValue),
                    advice: "'bluecap config \(name) --unset' removes it, or edit or delete \(path)")
                throw CommandFailure(.usage, "\(path): there is no setting '\(name)': \(advice)")
            }
            do throws(CommandFailure) {
                try settings.set(key, to: value.texts)
            } catch {
                throw CommandFailure(.usage, "\(path): \(error.message)")
            }
        }
        return settings
    }

    /// Replaces the file, in one step; makes its folder.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/failed``.
    func write(_ settings: Settings) throws(CommandFailure) {
        let values = settings.values.map { ($0.key.rawValue, Value($0.value, of: $0.key)) }
        try write(Dictionary(uniqueKeysWithValues: values))
    }

    /// Removes a name from the file, even one that is not a setting's.
    ///
    /// - Returns: Whether it was in the file.
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` or ``ToolStatus/failed``.
    func remove(_ name: String) throws(CommandFailure) -> Bool {
        var values = try values()
        guard values.removeValue(forKey: name) != nil else { return false }
        try write(values)
        return true
    }

    /// The content of the file, by name; empty where there is no file.
    private func values() throws(CommandFailure) -> [String: Value] {
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        let bytes = try ToolFile.read(path, maximum: Self.maximumByteCount, called: "a file of settings")
        do {
            return try JSONFailure.decode([String: Value].self, from: bytes, within: JSONLimits(values: 1 << 16))
        } catch {
            throw CommandFailure(.usage, "\(path): \(JSONFailure.text(error))")
        }
    }

    private func write(_ values: [String: Value]) throws(CommandFailure) {
        do {
            let data = Data((try JSONLine.text(values, .prettyPrinted) + "\n").utf8)
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            if !folder.isEmpty {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            try ToolFile.replace(path, with: data)
        } catch {
            throw CommandFailure(.failed, "\(path): \(FileFailure.text(error))")
        }
    }

    private enum Value: Codable {
        case number(Double)
        case text(String)
        case list([String])

        init(_ texts: [String], of key: SettingKey) {
            if key.form.isList {
                self = .list(texts)
            } else if case .text = key.form {
                self = .text(texts.first ?? "")
            } else {
                self = texts.first.flatMap { Double($0).map { .number($0) } } ?? .text(texts.first ?? "")
            }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let texts = try? container.decode([String].self) {
                self = .list(texts)
            } else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "a setting is a number, a text or a list of texts")
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number):
                if let whole = Int(exactly: number) {
                    try container.encode(whole)
                } else {
                    try container.encode(number)
                }
            case .text(let text): try container.encode(text)
            case .list(let texts): try container.encode(texts)
            }
        }

        var texts: [String] {
            switch self {
            case .number(let number): [Int(exactly: number).map(String.init) ?? String(number)]
            case .text(let text): [text]
            case .list(let texts): texts
            }
        }
    }
}
