// SPDX-License-Identifier: MIT

import Testing

/// What a machine does for each state and each event, written as a table.
///
/// A state begins a line, with the words of its description after a colon. Below it stand the events: what is to be
/// done, and the state after it. Events that change nothing and ask for nothing stand together behind a dash. A line
/// that is further indented continues the one before it.
///
///     new: absent
///         settle | add 1 | adding
///         - refused, ended
struct MachineTable {
    struct Row: CustomTestStringConvertible, Sendable {
        let state: String
        let event: String
        let actions: [String]
        let after: String

        var testDescription: String { "\(event) when \(state)" }
    }

    /// The description of each state.
    private(set) var states: [String: String] = [:]
    private(set) var rows: [Row] = []

    init(_ text: String) {
        var state = ""
        for line in Self.unfolded(text) {
            let words = line.trimming
            if !line.hasPrefix(" ") {
                let parts = words.split(separator: ":").map(\.trimming)
                state = parts[0]
                states[state] = parts[1]
            } else if words.hasPrefix("- ") {
                for event in words.dropFirst(2).split(separator: ",") {
                    rows.append(Row(state: state, event: event.trimming, actions: [], after: states[state] ?? ""))
                }
            } else {
                let parts = words.split(separator: "|", omittingEmptySubsequences: false).map(\.trimming)
                let actions = parts[1].split(separator: ",").map(\.trimming)
                rows.append(Row(state: state, event: parts[0], actions: actions, after: parts[2]))
            }
        }
    }

    private static func unfolded(_ text: String) -> [String] {
        text.split(separator: "\n").reduce(into: []) { lines, line in
            if line.hasPrefix("        "), let last = lines.popLast() {
                lines.append("\(last) \(line.trimming)")
            } else {
                lines.append(String(line))
            }
        }
    }

    /// The pairs of a state and an event that the table does not name once.
    func gaps(of events: [String]) -> [String] {
        states.keys.sorted().flatMap { state in
            let named = rows.filter { $0.state == state }.map(\.event)
            return events.filter { event in named.count { $0 == event } != 1 }.map { "\($0) when \(state)" }
        }
    }
}

extension StringProtocol {
    fileprivate var trimming: String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}
