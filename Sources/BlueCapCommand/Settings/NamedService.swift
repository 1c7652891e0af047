// SPDX-License-Identifier: MIT

import BlueCap

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
