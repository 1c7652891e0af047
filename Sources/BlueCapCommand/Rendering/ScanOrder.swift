// SPDX-License-Identifier: MIT

import ArgumentParser

/// The order of the rows of a scan.
enum ScanOrder: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// Strongest first; those without a measured strength last.
    case rssi
    /// First discovered first.
    case discovery

    func sorted(_ rows: [ScanRow]) -> [ScanRow] {
        switch self {
        case .discovery:
            rows.sorted { ($0.discovered, $0.id) < ($1.discovered, $1.id) }
        case .rssi:
            rows.sorted { (-Self.strength($0), $0.discovered, $0.id) < (-Self.strength($1), $1.discovered, $1.id) }
        }
    }

    private static func strength(_ row: ScanRow) -> Int {
        SignalBars.count(row.rssi) == nil ? -1000 : row.rssi ?? -1000
    }
}
