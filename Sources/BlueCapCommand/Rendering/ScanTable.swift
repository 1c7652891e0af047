// SPDX-License-Identifier: MIT

import ArgumentParser

/// The live table of a scan.
struct ScanTable {
    var columns: Int
    var rows: Int
    var order = ScanOrder.rssi

    /// The heading, the devices that fit, and a line that counts those that do not.
    func lines(_ devices: [ScanRow], now: Duration) -> [String] {
        let sorted = order.sorted(devices)
        let room = max(rows - 1, 1)
        let shown = sorted.count <= room ? sorted : Array(sorted.prefix(max(room - 1, 1)))
        let layout = Layout(columns: columns, devices: shown)
        var lines = [layout.line("NAME", "ID", "STATE", "SIGNAL", "SEEN", "SERVICES")]
        for device in shown {
            lines.append(
                layout.line(
                    TextLayout.printable(device.name), device.id, device.state.rawValue, SignalBars.text(device.rssi),
                    Self.age(now - device.lastSeen), Self.about(device)))
        }
        if shown.count < sorted.count { lines.append("… and \(sorted.count - shown.count) more") }
        if sorted.isEmpty { lines.append("nothing yet") }
        return lines
    }

    /// The progress of the inspection, or else the device's services and details.
    private static func about(_ device: ScanRow) -> String {
        device.inspection ?? (device.services.map(KnownProfiles.service) + device.details).joined(separator: ", ")
    }

    /// `"now"`, `"12 s"`, `"3 min"` or `"2 h"`.
    static func age(_ age: Duration) -> String {
        let seconds = age.components.seconds
        return switch seconds {
        case ..<1: "now"
        case ..<100: "\(seconds) s"
        case ..<6000: "\(seconds / 60) min"
        default: "\(seconds / 3600) h"
        }
    }

    private struct Layout {
        let columns: Int
        let name: Int
        let id: Int
        let state: Int

        init(columns: Int, devices: [ScanRow]) {
            self.columns = columns
            id = devices.map { TextLayout.width(of: $0.id) }.max().map { max($0, 2) } ?? 17
            state = max(devices.map(\.state.rawValue.count).max() ?? 5, 5)
            let longest = devices.map { TextLayout.width(of: TextLayout.printable($0.name)) }.max() ?? 4
            name = min(max(longest, 4), max(columns - id - state - 34, 8), 28)
        }

        func line(
            _ name: String, _ id: String, _ state: String, _ signal: String, _ seen: String, _ services: String
        ) -> String {
            let fields = [
                TextLayout.pad(name, to: self.name), TextLayout.pad(id, to: self.id),
                TextLayout.pad(state, to: self.state), TextLayout.pad(signal, to: 10),
                TextLayout.pad(seen, to: 6, alignment: .right), services,
            ]
            var line = TextLayout.truncate(fields.joined(separator: "  "), to: columns)
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

/// The order of the rows of a scan.
enum ScanOrder: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// Strongest first; those without a measured strength last.
    case rssi
    /// First discovered first.
    case discovery
    /// By name; those without one last.
    case name
    /// Heard last first.
    case seen

    func sorted(_ rows: [ScanRow]) -> [ScanRow] {
        switch self {
        case .discovery:
            rows.sorted { ($0.discovered, $0.id) < ($1.discovered, $1.id) }
        case .name:
            rows.sorted { left, right in
                let (first, second) = (left.name.lowercased(), right.name.lowercased())
                return (first.isEmpty ? 1 : 0, first, left.id) < (second.isEmpty ? 1 : 0, second, right.id)
            }
        case .seen: rows.sorted { ($1.lastSeen, $0.id) < ($0.lastSeen, $1.id) }
        case .rssi:
            rows.sorted { (-Self.strength($0), $0.discovered, $0.id) < (-Self.strength($1), $1.discovered, $1.id) }
        }
    }

    private static func strength(_ row: ScanRow) -> Int {
        SignalBars.count(row.rssi) == nil ? -1000 : row.rssi ?? -1000
    }
}
