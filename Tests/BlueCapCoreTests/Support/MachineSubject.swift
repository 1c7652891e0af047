// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// A machine together with the parts of its surroundings that the test of its table needs.
protocol MachineSubject: CustomStringConvertible {
    associatedtype Event: CaseIterable, RawRepresentable<String>

    /// A machine in a state of the table.
    init(_ state: String)

    /// Takes an event, and returns the machine's actions in words.
    @discardableResult
    mutating func take(_ event: Event) -> [String]
}

extension MachineSubject {
    /// Expects that each event leads from a state to the actions and the state that the table has for them.
    static func expectRows(of state: String, in table: MachineTable) throws {
        for row in table.rows(of: state) {
            var subject = Self(state)
            try subject.expect(row)
        }
    }

    /// Expects that a state after an event behaves as the table demands of states with its description.
    ///
    /// - Parameters:
    ///   - state: The state before that event.
    ///   - table: The table of the machine.
    ///   - isAlike: Whether the surroundings of two states are equal.
    static func expectRowsBehind(
        _ state: String, in table: MachineTable,
        where isAlike: (_ state: String, _ other: String) -> Bool = { _, _ in true }
    ) throws {
        for row in table.rows(of: state) {
            var subject = Self(state)
            subject.take(try #require(Event(rawValue: row.event)))
            for next in table.rows(ofStatesThatAre: row.after) where isAlike(row.state, next.state) {
                var again = subject
                try again.expect(next, " after \(row.pair)")
            }
        }
    }

    private mutating func expect(_ row: MachineTable.Row, _ history: String = "") throws {
        let actions = take(try #require(Event(rawValue: row.event)))
        #expect(actions == row.actions, "\(row.pair)\(history)")
        #expect(description == row.after, "\(row.pair)\(history)")
    }

    /// The descriptions, without their counts, of all states that this many events can lead to from here.
    func shapes(after depth: Int) -> Set<String> {
        var seen: Set = [description]
        var edge = [self]
        for _ in 0..<depth {
            edge = edge.flatMap { subject in
                Event.allCases.compactMap { event in
                    var next = subject
                    next.take(event)
                    return seen.insert(next.description).inserted ? next : nil
                }
            }
        }
        return Set(seen.map(MachineTable.shape))
    }

    /// The methods of a machine that report events, and that the source of its subject does not call.
    ///
    /// - Parameters:
    ///   - machine: The file of the machine, inside the sources of Core.
    ///   - subject: The file of the subject.
    static func uncalledMethods(of machine: String, by subject: String) throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let source = try String(contentsOf: root.appending(path: "Sources/BlueCapCore/\(machine)"), encoding: .utf8)
        let calls = try String(contentsOf: URL(filePath: subject), encoding: .utf8)
        let names = source.split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix("mutating func ") }
            .compactMap { $0.dropFirst("mutating func ".count).split(separator: "(").first.map(String.init) }
        return names.isEmpty ? ["none was found"] : names.filter { !calls.contains("machine.\($0)(") }
    }
}
