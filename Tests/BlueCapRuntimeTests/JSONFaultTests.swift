// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Testing

@Suite(.timeLimit(.minutes(5)))
struct JSONFaultTests {
    @Test(arguments: [
        "{}", "[]", " [1, -2.5e+10, 0, \"a\\u00e9\\n\", true, false, null] ", #"{"a": {"b": [{}, []]}, "ä": ""}"#,
        "\u{FEFF}1",
        "\"x\"", "{\r\n\t\"a\" : 1 }\n",
    ])
    func `what is JSON has no fault`(text: String) { #expect(JSONFault(in: Array(text.utf8)) == nil) }

    @Test(arguments: [
        ("", "line 1, column 1: a value is expected, and the text ends"),
        ("{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: ',' or '}' is expected, not '\"'"),
        ("[1, 2,]", "line 1, column 7: a value is expected, not ']'"),
        ("{\"a\": 1,}", "line 1, column 9: a key in quotes is expected, not '}'"),
        ("{a: 1}", "line 1, column 2: a key in quotes is expected, not 'a'"),
        ("{\"ä\" 1}", "line 1, column 6: ':' is expected, not '1'"),
        ("[True]", "line 1, column 2: 'True' is no value: texts stand in quotes"),
        ("[1] 2", "line 1, column 5: the end is expected, not '2'"),
        ("[\"a\n\"]", "line 1, column 2: this text is not closed in its line"),
        ("[\n\"a", "line 2, column 1: this text is not closed"),
        ("[\"a\tb\"]", "line 1, column 4: a control character stands in a text"),
        ("[\"\\x\"]", "line 1, column 4: a character that can follow '\\' is expected, not 'x'"),
        ("[\"\\u12\"]", "line 1, column 7: a hexadecimal digit is expected, not '\"'"),
        ("[1.]", "line 1, column 4: a digit is expected, not ']'"),
        ("[-]", "line 1, column 3: a digit is expected, not ']'"),
        ("[01]", "line 1, column 3: ',' or ']' is expected, not '1'"),
        ("[é]", "line 1, column 2: a value is expected, not 'é'"),
        ("{\"a\": [1, 2}", "line 1, column 12: ',' or ']' is expected, not '}'"),
        ("// a\n{}", "line 1, column 1: a value is expected, not '/'"),
        ("[\u{0}]", "line 1, column 2: a value is expected, not a control character"),
        ("[1", "line 1, column 3: ',' or ']' is expected, and the text ends"),
    ])
    func `the first fault has its line, its column, and what is wrong there`(text: String, fault: String) {
        #expect(JSONFault(in: Array(text.utf8))?.description == fault)
    }

    @Test func `what is nested without end is refused and not followed`() {
        let text = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(JSONFault(in: text)?.reason == "values are too deep in each other")
    }
}
