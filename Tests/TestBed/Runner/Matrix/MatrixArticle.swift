// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapTesting
import Foundation

/// The article of an earlier run, with which the rows of this run are compared, except for the times, which differ from
/// run to run.
struct MatrixArticle: Sendable {
    /// The columns without times, by heading and fault.
    private let rows: [String: [String: [String]]]

    /// Reads the article.
    ///
    /// - Throws: An error where there is no such file, or no row in it.
    init(path: String) throws {
        var rows: [String: [String: [String]]] = [:]
        var heading = ""
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("### ") { heading = String(line.dropFirst(4)) }
            guard line.hasPrefix("| "), line.hasSuffix(" |") else { continue }
            let columns = line.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
            if columns.count == 5 { rows[heading, default: [:]][columns[0]] = Self.outcome(columns.dropFirst()) }
        }
        if rows.isEmpty { throw BedError(description: "\(path) has no rows") }
        self.rows = rows
    }

    /// Fails if the article has another result of a cell.
    func compare(_ row: MatrixRow, of cell: MatrixCell) throws {
        let seen = Self.outcome(row.columns[...])
        let written = rows[cell.activity.heading]?[cell.fault.name]
        if seen == written { return }
        throw ConformanceFailure(
            "FaultMatrix has \(written?.joined(separator: " | ") ?? "no such row"); seen: \(seen.joined(separator: " | "))"
        )
    }

    /// The columns of the ended operation, the state and the link, without times.
    private static func outcome(_ columns: ArraySlice<String>) -> [String] {
        columns.prefix(3).map { $0.replacing(#/ (?:after |\()[0-9]+\.[0-9]{2} s\)?/#, with: "") }
    }
}
#endif
