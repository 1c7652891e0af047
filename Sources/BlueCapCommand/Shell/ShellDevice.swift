// SPDX-License-Identifier: MIT

import BlueCapTerminal

/// A device that was sighted.
struct ShellDevice: Sendable, Hashable {
    /// Counted from 1 in the order of discovery; stays the device's for as long as the shell runs.
    var number: Int
    /// The scan's knowledge of it.
    var row: ScanRow

    /// The name, in characters that every terminal shows alike; empty where there is none.
    var name: String { CellText(row.name).map(\.text).joined() }

    /// `" 2  C0:DE:00:00:00:02  ▁▂▄··  -63  Heart Strap  Heart Rate, Battery"`.
    var line: String {
        let about = (row.services.map(KnownProfiles.service) + row.details).joined(separator: ", ")
        let fields = [
            TextLayout.pad(String(number), to: 2, alignment: .right), row.id, SignalBars.text(row.rssi),
            name.isEmpty ? "-" : name, row.state == .found ? "" : "(\(row.state.rawValue))", about,
        ]
        return fields.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// Whether a text is in its name, its identifier or its advertisement, in capitals or not.
    func matches(_ text: String) -> Bool {
        if text.isEmpty { return true }
        let wanted = text.lowercased()
        let texts = [row.name, row.id] + row.services.map(KnownProfiles.service) + row.details
        return texts.contains { $0.lowercased().contains(wanted) }
    }
}
