// SPDX-License-Identifier: MIT

/// The actions and the next state of a machine for each state and each event, written as a table.
///
/// A state begins a line, with the words of its description after a colon. Below it stand the events: the actions, and
/// the state after it. Events that change nothing and ask for nothing stand together behind a dash. A line that is
/// further indented continues the one before it.
///
///     new: absent
///         settle | add 1 | adding
///         - refused, ended
///
/// A state may be like another above it that has fewer words: its additional words also stand after each event. Only
/// the rows that differ stand below it. The name of such a state is its description.
///
///     absent changed: as absent
///         suspended | fail all | absent
struct MachineTable {
    struct Row {
        let state: String
        let event: String
        let actions: [String]
        let after: String

        /// The pair that it is about.
        var pair: String { "\(event) when \(state)" }
    }

    /// The description of each state.
    private(set) var states: [String: String] = [:]
    private(set) var rows: [Row] = []
    private let words: [String]

    /// - Parameters:
    ///   - texts: The parts of the table.
    ///   - words: The words of descriptions in their order, where a state is like another.
    init(_ texts: String..., words: [String] = []) {
        self.words = words
        var state = ""
        for line in texts.flatMap(Self.unfolded) {
            let words = line.trimming
            if !line.hasPrefix(" ") {
                let parts = words.split(separator: ":").map(\.trimming)
                state = parts[0]
                if parts[1].hasPrefix("as ") {
                    states[state] = state
                    inherit(from: String(parts[1].dropFirst(3)), to: state)
                } else {
                    states[state] = parts[1]
                }
            } else if words.hasPrefix("- ") {
                for event in words.dropFirst(2).split(separator: ",") {
                    add(Row(state: state, event: event.trimming, actions: [], after: states[state] ?? ""))
                }
            } else {
                let parts = words.split(separator: "|", omittingEmptySubsequences: false).map(\.trimming)
                let actions = parts[1].split(separator: ",").map(\.trimming)
                add(Row(state: state, event: parts[0], actions: actions, after: parts[2]))
            }
        }
    }

    /// Rows that a state has from another, until rows of its own take their places.
    private var inherited: [Row] = []

    private mutating func inherit(from other: String, to state: String) {
        let extra = Set(state.split(separator: " ")).subtracting((states[other] ?? "").split(separator: " "))
        let order = words
        let rows = rows.filter { $0.state == other }
        for row in rows {
            let after = extra.union(row.after.split(separator: " ")).map(String.init)
                .sorted { (order.firstIndex(of: $0) ?? .max) < (order.firstIndex(of: $1) ?? .max) }
            self.rows.append(
                Row(state: state, event: row.event, actions: row.actions, after: after.joined(separator: " ")))
        }
        inherited = self.rows.suffix(rows.count)
    }

    private mutating func add(_ row: Row) {
        if let index = inherited.firstIndex(where: { $0.state == row.state && $0.event == row.event }) {
            inherited.remove(at: index)
            rows.removeAll { $0.state == row.state && $0.event == row.event }
        }
        rows.append(row)
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

    /// The rows of a state.
    func rows(of state: String) -> [Row] { rows.filter { $0.state == state } }

    /// The rows of the states that have this description.
    func rows(ofStatesThatAre description: String) -> [Row] { rows.filter { states[$0.state] == description } }

    /// The descriptions of all states without their counts.
    var shapes: Set<String> { Set(states.values.map(Self.shape)) }

    /// A description without its counts: a number, with the word before it.
    static func shape(of description: String) -> String {
        description.split(separator: " ").reduce(into: [Substring]()) { words, word in
            if Int(word) == nil { words.append(word) } else { _ = words.popLast() }
        }.joined(separator: " ")
    }
}

extension StringProtocol {
    fileprivate var trimming: String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}
