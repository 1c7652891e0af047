// SPDX-License-Identifier: MIT

#if Gateway
/// The actions and the next state of a life for each state and each event, written as a table.
///
/// A state begins a line. Below it stand the events: the actions, and the state after it. Events that change nothing
/// and ask for nothing stand together behind a dash. A line that is further indented continues the one before it.
///
/// A state may be as another above it that has fewer words: its additional words also stand after each event. Only the
/// rows that differ stand below it.
struct LifeTable {
    struct Row: Hashable {
        var actions: [String]
        var after: String
    }

    /// The rows of each event, by the state.
    private(set) var rows: [String: [String: Row]] = [:]
    /// The pairs that stand twice.
    private(set) var doubles: [String] = []

    init(_ text: String, words: [String]) {
        var (state, own) = ("", Set<String>())
        for line in Self.unfolded(text) {
            guard line.hasPrefix(" ") else {
                let parts = line.split(separator: ":").map(Self.trimmed)
                (state, own) = (parts[0], [])
                let other = parts.count > 1 ? String(parts[1].dropFirst(3)) : state
                let extra = Set(state.split(separator: " ")).subtracting(other.split(separator: " "))
                rows[state] = (rows[other] ?? [:]).mapValues { row in
                    let after = extra.union(row.after.split(separator: " ")).map(String.init)
                        .sorted { (words.firstIndex(of: $0) ?? -1) < (words.firstIndex(of: $1) ?? -1) }
                    return Row(actions: row.actions, after: after.joined(separator: " "))
                }
                continue
            }
            let words = Self.trimmed(line[...])
            let parts = words.split(separator: "|", omittingEmptySubsequences: false).map(Self.trimmed)
            let events = words.hasPrefix("- ") ? words.dropFirst(2).split(separator: ",").map(Self.trimmed) : [parts[0]]
            let actions = parts.count > 1 ? parts[1].split(separator: ",").map(Self.trimmed) : []
            for event in events {
                if !own.insert(event).inserted { doubles.append("\(event) when \(state)") }
                rows[state]?[event] = Row(actions: actions, after: parts.count > 2 ? parts[2] : state)
            }
        }
    }

    private static func unfolded(_ text: String) -> [String] {
        text.split(separator: "\n").reduce(into: []) { lines, line in
            if line.hasPrefix("        "), let last = lines.popLast() {
                lines.append("\(last) \(trimmed(line))")
            } else {
                lines.append(String(line))
            }
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}
#endif
