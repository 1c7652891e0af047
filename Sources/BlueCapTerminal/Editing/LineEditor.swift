// SPDX-License-Identifier: MIT

/// A prompt with a line that is edited, completed, and found again in its history.
///
/// It is a machine that knows no terminal: keys go in, and the results of the line come out.
package struct LineEditor: Sendable {
    package enum Outcome: Sendable, Hashable {
        /// It goes on being edited.
        case editing
        /// It was entered; the editor has an empty line again.
        case entered(String)
        /// It was thrown away (Ctrl-C); the editor has an empty line again.
        case discarded
        /// There will be no more lines: Ctrl-D on an empty one.
        case ended
        /// The screen is to be cleared (Ctrl-L).
        case cleared
        /// The process is to be stopped (Ctrl-Z).
        case suspended
        /// The word has these completions, to be shown.
        case candidates([String])
    }

    package private(set) var field = EditField()
    /// The lines that were entered before.
    package private(set) var history: LineHistory
    /// Whether lines that are entered are kept in the history; false for secrets.
    package var keepsLines = true
    /// The index of the shown line in the history; the number of its lines for the new line.
    private var place: Int
    /// The new line, while one of the history is shown.
    private var draft = ""
    /// The search text while the history is searched; else nil.
    private var search: EditField?
    private var isTabRepeated = false

    package init(history: LineHistory = LineHistory()) {
        self.history = history
        place = history.lines.count
    }

    /// Takes a key.
    ///
    /// - Returns: The result of the key.
    package mutating func handle(_ press: KeyPress, complete: (String) -> LineCompletion) -> Outcome {
        let wasTab = isTabRepeated
        isTabRepeated = false
        if search != nil, handleSearch(press) { return .editing }
        switch (press.key, press.modifiers) {
        case (.enter, _): return enter()
        case (.tab, []): return self.complete(complete(String(field.characters[..<field.cursor])), showsAll: wasTab)
        case (.up, []), (.character("p"), .control): show(place - 1)
        case (.down, []), (.character("n"), .control): show(place + 1)
        case (.character("r"), .control): search = EditField()
        case (.character("c"), .control):
            start()
            return .discarded
        case (.character("d"), .control) where field.isEmpty: return .ended
        case (.character("l"), .control): return .cleared
        case (.character("z"), .control): return .suspended
        default: _ = field.handle(press)
        }
        return .editing
    }

    /// The prompt and the line as a row of a terminal.
    ///
    /// - Parameters:
    ///   - prompt: The text in front of the line; the search text replaces it while the history is searched.
    ///   - columns: How many columns the terminal has.
    /// - Returns: The row, and the column of the cursor.
    package func row(prompt: String, columns: Int) -> (text: String, cursor: Int) {
        let label = search.map { "(search: \($0.text)) " } ?? prompt
        let head = CellText(label).map(\.text).joined()
        let used = CellText(head).width
        // The last column stays free: a terminal that wraps would begin a new row behind it.
        let shown = field.window(columns: max(columns - used - 1, 4))
        return (head + CellText(shown.text).map(\.text).joined(), used + shown.cursor)
    }

    private mutating func enter() -> Outcome {
        let line = field.text
        if keepsLines { history.add(line) }
        start()
        return .entered(line)
    }

    private mutating func start() {
        field.replace(with: "")
        search = nil
        place = history.lines.count
        draft = ""
    }

    private mutating func show(_ wanted: Int) {
        guard (0...history.lines.count).contains(wanted) else { return }
        if place == history.lines.count { draft = field.text }
        place = wanted
        field.replace(with: place == history.lines.count ? draft : history.lines[place])
    }

    // MARK: Completion

    private mutating func complete(_ completion: LineCompletion, showsAll: Bool) -> Outcome {
        guard let only = completion.candidates.first, completion.start <= field.cursor else { return .editing }
        let word = completion.start..<field.cursor
        if completion.candidates.count == 1 {
            field.replace(word, with: only + " ")
            return .editing
        }
        let common = completion.commonPrefix
        if common.count > word.count {
            field.replace(word, with: common)
            return .editing
        }
        isTabRepeated = true
        return showsAll ? .candidates(completion.candidates) : .editing
    }

    // MARK: Search

    /// Takes a key while the history is searched.
    ///
    /// - Returns: False where the search is over and the key counts for the line that was found.
    private mutating func handleSearch(_ press: KeyPress) -> Bool {
        guard var text = search else { return false }
        switch (press.key, press.modifiers) {
        case (.character("r"), .control), (.up, []):
            find(text.text, before: place)
        case (.character("g"), .control), (.escape, _), (.character("c"), .control):
            search = nil
            show(history.lines.count)
        case (.character, []), (.backspace, []), (.paste, _):
            _ = text.handle(press)
            search = text
            find(text.text, before: history.lines.count)
        default:
            search = nil
            return false
        }
        return true
    }

    private mutating func find(_ text: String, before end: Int) {
        if let found = history.last(containing: text, before: end) { show(found) }
    }
}

/// The completions of the text in front of the cursor.
package struct LineCompletion: Sendable, Hashable {
    /// How many characters stand in front of the word that is completed.
    package var start: Int
    /// The possible words, each as it would stand in the line.
    package var candidates: [String]

    /// A completion.
    package init(start: Int, candidates: [String]) {
        self.start = start
        self.candidates = candidates
    }

    /// The longest common beginning of the candidates, without regard to case, written as in the first of them.
    package var commonPrefix: String {
        guard var common = candidates.first.map(Array.init) else { return "" }
        for candidate in candidates.dropFirst() {
            let same = zip(common, candidate).prefix { $0.lowercased() == $1.lowercased() }.count
            common.removeLast(common.count - same)
        }
        return String(common)
    }
}

/// The lines that were entered before, the oldest first.
package struct LineHistory: Sendable, Hashable {
    /// How many lines are kept.
    package let maximumCount: Int
    package private(set) var lines: [String]

    /// A history.
    ///
    /// - Parameters:
    ///   - lines: The lines, the oldest first; of more than fit the newest are kept.
    ///   - maximumCount: How many lines are kept.
    package init(_ lines: [String] = [], maximumCount: Int = 1000) {
        self.maximumCount = maximumCount
        self.lines = []
        for line in lines { add(line) }
    }

    /// Adds a line, unless it is empty, the same as the last, or begins with a blank, which keeps a line out on
    /// purpose.
    package mutating func add(_ line: String) {
        guard let first = line.first, first != " ", line != lines.last else { return }
        lines.append(line)
        if lines.count > maximumCount { lines.removeFirst(lines.count - maximumCount) }
    }

    /// The newest line before `end` that has a text in it, in capitals or not.
    package func last(containing text: String, before end: Int) -> Int? {
        let wanted = text.lowercased()
        return lines.prefix(max(end, 0)).lastIndex { wanted.isEmpty || $0.lowercased().contains(wanted) }
    }
}
