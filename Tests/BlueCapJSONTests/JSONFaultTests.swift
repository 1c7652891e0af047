// SPDX-License-Identifier: MIT

import BlueCapJSON
import Foundation
import Testing

@Suite(.timeLimit(.minutes(60)))
struct JSONFaultTests {
    /// The fault of a text, which may be as deep as for Foundation's decoder; nil where it is JSON.
    private func fault(_ text: [UInt8]) -> JSONFault? { fault(text, within: JSONLimits(values: .max, depth: 512)) }

    private func fault(_ text: [UInt8], within limits: JSONLimits, allowsDoubleKeys: Bool = false) -> JSONFault? {
        do throws(JSONFault) {
            _ = try PlacedJSON(text, within: limits, allowsDoubleKeys: allowsDoubleKeys)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "{}", "[]", " [1, -2.5e+10, 0, \"a\\u00e9\\n\", true, false, null] ", #"{"a": {"b": [{}, []]}, "ä": ""}"#,
        "\u{FEFF}1", "[\"é€😀\u{7F}\"]", "[\"\\uD83D\\uDE00\\ud7ff\\ue000\\u0000\"]",
        "\"x\"", "{\r\n\t\"a\" : 1 }\n",
    ])
    func `what is JSON has no fault`(text: String) { #expect(fault(Array(text.utf8)) == nil) }

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
        ("[\"\\uD83D\\u12\"]", "line 1, column 13: a hexadecimal digit is expected, not '\"'"),
        ("[1.]", "line 1, column 4: a digit is expected, not ']'"),
        ("[-]", "line 1, column 3: a digit is expected, not ']'"),
        ("[01]", "line 1, column 3: ',' or ']' is expected, not '1'"),
        ("[é]", "line 1, column 2: a value is expected, not 'é'"),
        ("{\"a\": [1, 2}", "line 1, column 12: ',' or ']' is expected, not '}'"),
        ("// a\n{}", "line 1, column 1: a value is expected, not '/'"),
        ("[\u{0}]", "line 1, column 2: a value is expected, not a control character"),
        ("[1", "line 1, column 3: ',' or ']' is expected, and the text ends"),
        ("\u{FEFF}", "line 1, column 1: a value is expected, and the text ends"),
        ("\u{FEFF}{a: 1}", "line 1, column 2: a key in quotes is expected, not 'a'"),
        ("\u{FEFF}[\n1 2]", "line 2, column 3: ',' or ']' is expected, not '2'"),
    ])
    func `the first fault has its line, its column, and what is wrong there`(text: String, fault: String) {
        #expect(self.fault(Array(text.utf8))?.description == fault)
    }

    @Test(
        arguments: [[0xB0], [0xFF], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]]
            as [[UInt8]])
    func `a text that is no UTF-8 is refused at its place`(bytes: [UInt8]) {
        let text = Array("[\"é 20 ".utf8) + bytes + Array("C\"]".utf8)
        #expect(
            fault(text)?.description
                == "line 1, column 8: a character is not in UTF-8, the encoding of JSON")
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([String].self, from: Data(text)) }
    }

    @Test(arguments: ["\\uD800", "\\uDC00", "\\uD83Dx", "\\uD83D\\n", "\\uD83D\\uD83D", "\\uD83D\\u00e9"])
    func `one half of a character without the other is refused at its place`(escape: String) {
        let text = "[\"a\(escape)\"]"
        #expect(
            fault(Array(text.utf8))?.description
                == "line 1, column 4: this is one half of a character without the other")
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([String].self, from: Data(text.utf8)) }
    }

    /// Any JSON.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    @Test(arguments: ["", "1", "[]", "{}"])
    func `as many values may be in each other as for the decoder`(inmost: String) {
        for depth in [511, 512, 513] {
            let text = String(repeating: "[", count: depth) + inmost + String(repeating: "]", count: depth)
            let isTaken = (try? JSONDecoder().decode(Anything.self, from: Data(text.utf8))) != nil
            #expect((fault(Array(text.utf8)) == nil) == isTaken, "\(depth)")
        }
        let tooDeep = String(repeating: "[", count: 512) + "{}" + String(repeating: "]", count: 512)
        #expect(
            fault(Array(tooDeep.utf8))?.description
                == "line 1, column 513: values are too deep in each other")
    }

    /// The message about JSON that may have four values and two objects or lists in each other.
    private func excess(_ text: String) -> String? {
        switch fault(Array(text.utf8), within: JSONLimits(values: 4, depth: 2)).map(DecodingFault.init) {
        case nil: nil
        case .notJSON(let reason): "not JSON: \(reason)"
        case .invalid(let path, let reason): path + reason
        }
    }

    @Test(arguments: ["[1, 2, 3]", #"{"a": [{}]}"#, #"{"a": 1, "b": "c", "d": true}"#, "[[1, 2]]", #"[["a"], null]"#])
    func `as many values as are allowed have no fault, and keys are none`(text: String) {
        #expect(excess(text) == (text.contains("{}") ? "line 1, column 8: values are too deep in each other" : nil))
    }

    @Test(arguments: [
        ("[1, 2, 3, 4]", "line 1, column 11: there are more than 4 values"),
        ("[[], [],\n[], []]", "line 2, column 5: there are more than 4 values"),
        (#"{"a": {"b": {"c": 1}}}"#, "line 1, column 13: values are too deep in each other"),
        ("[[[", "line 1, column 3: values are too deep in each other"),
        ("[1, 2, 3, 4, x", "line 1, column 11: there are more than 4 values"),
        ("[1, x, 3, 4, 5]", "not JSON: line 1, column 5: 'x' is no value: texts stand in quotes"),
    ])
    func `more values than are allowed, and deeper ones, are refused at their place as what they are`(
        text: String, fault: String
    ) {
        #expect(excess(text) == fault)
    }

    @Test(arguments: [
        (#"{"a": 1, "a": 1}"#, "line 1, column 10: 'a' stands in line 1 already: remove one of both"),
        (
            "[{\"a\": {\n\"b\": 1, \"c\": 2,\n \"b\": 3}}]",
            "line 3, column 2: 'b' stands in line 2 already: remove one of both"
        ),
        (#"{"a": 1, "\u0061": 1}"#, "line 1, column 10: 'a' stands in line 1 already: remove one of both"),
        (#"{"😀": 1, "\ud83d\ude00": 1}"#, "line 1, column 10: '😀' stands in line 1 already: remove one of both"),
        (#"{"": 1, "": 1}"#, "line 1, column 9: '' stands in line 1 already: remove one of both"),
    ])
    func `a key that stands twice is refused at its second place, in whichever form`(text: String, fault: String) {
        let limits = JSONLimits(values: 100, depth: 9)
        let found = self.fault(Array(text.utf8), within: limits)
        #expect(found?.description == fault)
        // Elsewhere its reader says so.
        #expect(self.fault(Array(text.utf8), within: limits, allowsDoubleKeys: true) == nil)
        guard case .invalid(let path, let reason) = found.map(DecodingFault.init) else {
            Issue.record("it has no fault")
            return
        }
        #expect(path.isEmpty && reason == fault)
    }

    @Test(arguments: [
        #"{"a": {"a": {"a": 1}}}"#, #"[{"a": 1}, {"a": 1}]"#, #"{"a": 1, "A": 1, "a ": 1, "\\u0061": 1}"#,
    ])
    func `a key may stand in each object`(text: String) {
        #expect(fault(Array(text.utf8), within: JSONLimits(values: 100, depth: 9)) == nil)
    }

    @Test func `what is nested without end is refused and not followed`() {
        let text = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(fault(text)?.reason == "values are too deep in each other")
    }
}
