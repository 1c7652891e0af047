// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapTesting
import Foundation

/// The article of an earlier run, with which the rows of this run are compared. Their times differ from run to run:
/// none may be longer than the article's by more than a bound.
struct MatrixArticle: Sendable {
    /// How much longer a time may be than the article's: far more than a busy machine adds, and less than the 10 s for
    /// which the kernel goes on with a dead program's discovery, or the 30 s after which a request fails.
    static let bound = Duration.seconds(5)

    /// The columns behind the fault, by heading and fault.
    private let rows: [String: [String: [Column]]]

    /// Reads the article.
    ///
    /// - Throws: An error where there is no such file, or no row in it.
    init(path: String) throws {
        var rows: [String: [String: [Column]]] = [:]
        var heading = ""
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("### ") { heading = String(line.dropFirst(4)) }
            guard line.hasPrefix("| "), line.hasSuffix(" |") else { continue }
            let columns = line.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
            if columns.count == 5 { rows[heading, default: [:]][columns[0]] = columns.dropFirst().map(Column.init) }
        }
        if rows.isEmpty { throw BedError(description: "\(path) has no rows") }
        self.rows = rows
    }

    /// Fails if the article has another result of a cell, or a time that is too much shorter.
    func compare(_ row: MatrixRow, of cell: MatrixCell) throws {
        let faults = rows[cell.activity.heading] ?? [:]
        guard let written = faults[cell.fault.name] else { throw ConformanceFailure("FaultMatrix has no such row") }
        let others = cell.fault.parts(under: cell.activity).compactMap { faults[$0.name] }
        for (index, text) in row.columns.enumerated() {
            let seen = Column(text)
            let alike = ([written] + others).map { $0[index] }.filter { $0.outcome == seen.outcome }
            // A loop of short operations may be between two of them.
            if index == 0, cell.activity == .adding, seen.outcome == "–" { continue }
            if alike.contains(where: { seen.time ?? .zero <= ($0.time ?? .zero) + Self.bound }) { continue }
            let bound = alike.isEmpty ? "" : ", which is more than \(Self.bound) longer"
            throw ConformanceFailure("FaultMatrix has \(written[index].text), and seen was \(text)\(bound)")
        }
    }

    /// A column of a row, with its time apart.
    private struct Column: Sendable {
        let text: String
        /// The column without its time.
        let outcome: String
        /// The time, where it has one.
        let time: Duration?

        init(_ text: String) {
            let time = #/(?: after | \(|^)([0-9]+\.[0-9]{2}) s\)?/#
            self.text = text
            outcome = text.replacing(time, with: "")
            self.time = text.firstMatch(of: time).flatMap { Double($0.1) }.map { .seconds($0) }
        }
    }
}

extension MatrixFault {
    /// The faults that this one consists of. Which of them a program notices first, and ends its operation for, is
    /// chance: an adapter that is unplugged is switched off, and loses its links. Of an adapter that is switched off
    /// the kernel ends channels, and bluetoothd, which does so as it stops, says that it is off.
    fileprivate func parts(under activity: MatrixActivity) -> [MatrixFault] {
        switch self {
        case .unplugging: [.power, .vanishing]
        case .restart, .power: activity.hasChannel ? [.power, .vanishing] : []
        default: []
        }
    }
}
#endif
