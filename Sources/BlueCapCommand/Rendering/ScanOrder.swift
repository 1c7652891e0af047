// SPDX-License-Identifier: MIT

import ArgumentParser

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
