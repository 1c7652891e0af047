// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapTerminal

@Suite(.timeLimit(.minutes(60)))
struct LineEditorTests {
    /// Types keys into an editor.
    ///
    /// - Returns: The outcomes of the keys other than editing.
    private func type(_ keys: String, into editor: inout LineEditor, words: [String] = []) -> [LineEditor.Outcome] {
        var decoder = KeyDecoder()
        var outcomes: [LineEditor.Outcome] = []
        for key in decoder.decode(keys.utf8) + decoder.timeOut() {
            let outcome = editor.handle(key) { text in
                let word = text.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
                return LineCompletion(start: text.count - word.count, candidates: words.filter { $0.hasPrefix(word) })
            }
            if outcome != .editing { outcomes.append(outcome) }
        }
        return outcomes
    }

    private static let left = "\u{1B}[D"
    private static let up = "\u{1B}[A"
    private static let down = "\u{1B}[B"

    @Test(arguments: [
        ("abc\(left)\(left)X", "aXbc", 2), ("abc\u{1}X", "Xabc", 1), ("abc\u{1}\u{5}X", "abcX", 4),
        ("abc\u{7F}", "ab", 2), ("abc\u{1}\u{7F}", "abc", 0), ("abc\u{1}\u{4}", "bc", 0),
        ("a bc d\u{17}\u{17}", "a ", 2),
        ("a bc\u{1B}b\u{B}", "a ", 2), ("abc def\u{15}\u{19}\u{19}", "abc defabc def", 14), ("ab\u{14}", "ba", 2),
        ("日本\u{7F}", "日", 1), ("e\u{301}\u{7F}", "", 0), ("a\u{1B}[200~b\nc\u{1B}[201~", "ab c", 4),
        ("a\u{0}\u{1B}[9~b", "ab", 2),
    ])
    func `a line is edited with the keys of Emacs and readline`(keys: String, text: String, cursor: Int) {
        var editor = LineEditor()
        #expect(type(keys, into: &editor).isEmpty)
        #expect(editor.field.text == text && editor.field.cursor == cursor)
    }

    @Test func `lines of before are shown again, and the new line comes back`() {
        var editor = LineEditor()
        #expect(
            type("one\rtwo\rtwo\r hidden\r\r", into: &editor)
                == ["one", "two", "two", " hidden", ""].map { .entered($0) })
        #expect(editor.history.lines == ["one", "two"])
        _ = type("new" + Self.up + Self.up + Self.up, into: &editor)
        #expect(editor.field.text == "one")
        _ = type(Self.down + Self.down + Self.down, into: &editor)
        #expect(editor.field.text == "new")
    }

    @Test func `a line of before is searched for, and the search can be given up`() {
        var editor = LineEditor(history: LineHistory(["read 2A19", "scan", "read 2A38", "tree"]))
        _ = type("\u{12}RE", into: &editor)
        #expect(editor.field.text == "tree" && editor.row(prompt: "> ", columns: 80).text == "(search: RE) tree")
        _ = type("a\u{12}", into: &editor)
        #expect(editor.field.text == "read 2A19")
        #expect(type("\r", into: &editor) == [.entered("read 2A19")])
        _ = type("x\u{12}scan\u{7}", into: &editor)
        #expect(editor.field.text == "x" && editor.row(prompt: "> ", columns: 80).text == "> x")
    }

    @Test func `a word is completed as far as it is certain, and the second tab shows what it can be`() {
        var editor = LineEditor()
        let words = ["subscribe", "subtract", "scan"]
        #expect(type("su\t", into: &editor, words: words).isEmpty && editor.field.text == "sub")
        #expect(type("\t", into: &editor, words: words).isEmpty)
        #expect(type("\t", into: &editor, words: words) == [.candidates(["subscribe", "subtract"])])
        #expect(type("s\t", into: &editor, words: words).isEmpty && editor.field.text == "subscribe ")
        #expect(type("zz\t", into: &editor, words: words).isEmpty && editor.field.text == "subscribe zz")
    }

    @Test func `control keys end, discard, clear and suspend`() {
        var editor = LineEditor()
        #expect(type("abc\u{3}\u{C}\u{1A}\u{4}", into: &editor) == [.discarded, .cleared, .suspended, .ended])
        #expect(type("a\u{1}\u{4}", into: &editor).isEmpty)
    }

    @Test(arguments: 8...30)
    func `a row never reaches the last column, wherever the cursor is`(columns: Int) {
        var editor = LineEditor()
        _ = type("read \"日本日本日本\" and more of it", into: &editor)
        for _ in 0...40 {
            let row = editor.row(prompt: "> ", columns: columns)
            #expect(CellText(row.text).width < columns && (2..<columns).contains(row.cursor))
            _ = type(Self.left, into: &editor)
        }
    }

    @Test func `a history keeps so many lines, and a field so many characters`() {
        let history = LineHistory((0..<50).map { "line \($0)" }, maximumCount: 10)
        #expect(history.lines.count == 10 && history.lines.first == "line 40")
        var field = EditField(maximumCount: 5)
        field.insert("abcdefgh")
        #expect(field.text == "abcde")
    }
}
