// SPDX-License-Identifier: MIT

/// The features of each platform, as `Tests/Apple/platforms.tsv` has them, and the page that is made of them.
struct PlatformTable {
    /// A platform's answer to a feature.
    struct Cell {
        /// "yes", "no", "part", or "–" where the question does not arise.
        let answer: String
        /// The rule of CoreBluetooth that no source settles, if the answer rests on one.
        let openRule: String?

        /// The cell in the table.
        var text: String { openRule == nil ? answer : answer + " \\*" }

        /// Reads a cell such as "yes ?B9"; nil for anything else.
        init?(_ text: String) {
            let parts = text.split(separator: " ", omittingEmptySubsequences: false)
            guard let answer = parts.first.map(String.init), ["yes", "no", "part", "–"].contains(answer) else {
                return nil
            }
            self.answer = answer
            switch parts.count {
            case 1: openRule = nil
            case 2 where parts[1].first == "?" && parts[1].count > 2: openRule = String(parts[1].dropFirst())
            default: return nil
            }
        }
    }

    /// A feature, with a cell for each platform.
    struct Feature {
        let role: String
        let name: String
        let cells: [Cell]
        let otherwise: String
        let rule: String
    }

    let platforms: [String]
    let features: [Feature]

    /// Reads the file; nil if it is not such a table.
    init?(_ text: String) {
        let rows = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        guard let head = rows.first, head.count == 11 else { return nil }
        var features: [Feature] = []
        for row in rows.dropFirst() {
            let cells = row.dropFirst(2).prefix(7).compactMap { Cell(String($0)) }
            guard row.count == head.count, cells.count == 7 else { return nil }
            features.append(
                Feature(
                    role: String(row[0]), name: String(row[1]), cells: cells, otherwise: String(row[9]),
                    rule: String(row[10])))
        }
        platforms = head[2...8].map(String.init)
        self.features = features
    }

    /// The cells that rest on a rule that no source settles, each as its platform, its feature and the rule.
    var openCells: [(platform: String, feature: String, rule: String)] {
        features.flatMap { feature in
            zip(platforms, feature.cells).compactMap { platform, cell in
                cell.openRule.map { (platform, feature.name, $0) }
            }
        }
    }

    /// The roles, in the order of the file.
    private var roles: [String] {
        features.reduce(into: []) { roles, feature in
            if roles.last != feature.role { roles.append(feature.role) }
        }
    }

    /// The page in BlueCap's catalogue.
    var page: String {
        var lines = [
            "# The platforms, feature by feature", "",
            "The abilities of each platform's radio, and the result where one is missing.", "", "## Overview", "",
            "\"Part\" and \"no\" are explained in the last column; – stands where the question does not arise. The columns of",
            "Apple's platforms are those of CoreBluetooth's documentation and of its users' reports. The backend has run over a",
            "stand-in that was written from these, and on no device. A star marks an answer that none of them settles: they are",
            "listed at the end. A letter with a number, such as C1, names a rule of CoreBluetooth in the sources of the backend.",
            "",
        ]
        for role in roles {
            lines += ["### \(role)", "", "| feature | \(platforms.joined(separator: " | ")) | where it is missing |"]
            lines.append("|---" + String(repeating: "|---", count: platforms.count + 1) + "|")
            for feature in features where feature.role == role {
                let cells = feature.cells.map(\.text).joined(separator: " | ")
                let otherwise = [feature.otherwise, feature.rule.isEmpty ? "" : "(\(feature.rule))"]
                    .filter { !$0.isEmpty }.joined(separator: " ")
                lines.append("| \(feature.name) | \(cells) | \(otherwise) |")
            }
            lines.append("")
        }
        lines += ["## Answers with a star", "", "| platform | feature | |", "|---|---|---|"]
        lines += openCells.map { "| \($0.platform) | \($0.feature) | unverified on hardware (\($0.rule)) |" }
        return lines.joined(separator: "\n") + "\n"
    }
}
