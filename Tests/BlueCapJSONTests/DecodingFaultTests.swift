// SPDX-License-Identifier: MIT

import BlueCapJSON
import Foundation
import Testing

/// The decoder over JSON that has the place of each value.
@Suite(.timeLimit(.minutes(60)))
struct DecodingFaultTests {
    private static let limits = JSONLimits(values: 10_000, depth: 32)

    /// A value that is refused as a whole, in words of its own.
    private struct Refused: Decodable {
        init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorruptedError(
                in: try decoder.singleValueContainer(), debugDescription: "words of its own")
        }
    }

    private struct Record: Codable, Equatable {
        var name: String?
        var isOn: Bool?
        var byte: UInt8?
        var number: Double?
        var list: [Int]?
        var table: [String: Int64]?
        var inner: [Record]?
    }

    /// The message about JSON that cannot be decoded as a type; nil where it can.
    private func fault<Value: Decodable>(_ text: String, as type: Value.Type) throws -> String? {
        let json = try PlacedJSON(Array(text.utf8), within: Self.limits)
        do {
            _ = try json.decode(type)
            return nil
        } catch let error as DecodingError {
            guard case .invalid(let path, let reason) = DecodingFault(error, in: json) else { return "not JSON" }
            return "'\(path)': \(reason)"
        }
    }

    @Test(arguments: [
        (#"{"byte": 256}"#, "'byte': this is a whole number from 0 to 255 (line 1, column 10)"),
        (#"{"byte": 0.5}"#, "'byte': this is a whole number from 0 to 255 (line 1, column 10)"),
        (#"{"byte": -1}"#, "'byte': this is a whole number from 0 to 255 (line 1, column 10)"),
        (#"{"byte": 1e400}"#, "'byte': this is a whole number from 0 to 255 (line 1, column 10)"),
        ("{\n  \"number\":\n    1e400}", "'number': this number is too great or too small (line 3, column 5)"),
        (#"{"number": -1e-400}"#, "'number': this number is too great or too small (line 1, column 12)"),
        (#"{"name": 7}"#, "'name': the value is not a text (line 1, column 10)"),
        (#"{"isOn": 0}"#, "'isOn': the value is not true or false (line 1, column 10)"),
        (#"{"byte": "1"}"#, "'byte': the value is not a number in range (line 1, column 10)"),
        (#"{"é": 0, "list": {}}"#, "'list': the value is not a list (line 1, column 18)"),
        ("{\"inner\": [{},\n{\"list\": [1, 2.5]}]}", "'inner[1].list[1]': this is a whole number from "),
        ("{\"inner\": [{},\n 7]}", "'inner[1]': the value is not an object in braces: {…} (line 2, column 2)"),
        (#"{"list": [null]}"#, "'list[0]': there is no value (line 1, column 11)"),
        (#"{"table": {"a": 1, "b": []}}"#, "'table.b': the value is not a number in range (line 1, column 25)"),
    ])
    func `a value that does not fit has its path, the reason and its place`(text: String, message: String) throws {
        let found = try fault(text, as: Record.self)
        #expect(found?.hasPrefix(message) == true, "\(String(describing: found))")
        #expect(found?.contains("(line ") == true)
    }

    @Test func `a value that is missing has the place of its object`() throws {
        struct Needed: Decodable { var a: [String: Int] }
        #expect(try fault("[\n{\"b\": 1}]", as: [Needed].self) == "'[0].a': it is missing (line 2, column 1)")
    }

    @Test func `a value that is refused as a whole keeps the reason`() throws {
        #expect(try fault("{}", as: Refused.self) == "'': words of its own (line 1, column 1)")
        #expect(try fault("{\"a\": 1}", as: [String: Refused].self) == "'a': words of its own (line 1, column 7)")
    }

    @Test(arguments: [
        "{}", #"{"name": "a\u00e4\n\"", "isOn": true, "byte": 255, "number": -2.5e-3}"#, #"{"name": null}"#,
        #"{"byte": 1e2, "list": [1.0, -0, 9007199254740993], "number": 0e-999}"#,
        #"{"table": {"1": -9223372036854775808, "x": 9223372036854775807}, "inner": [{"inner": []}, {}]}"#,
        #"{"list": [], "other": [{"a": [null, 1, "b"]}]}"#,
    ])
    func `what is decoded is the same as by Foundation's decoder`(text: String) throws {
        let json = try PlacedJSON(Array(text.utf8), within: Self.limits)
        #expect(try json.decode(Record.self) == JSONDecoder().decode(Record.self, from: Data(text.utf8)))
    }

    @Test func `an object with many keys has each of them, and a text with many escapes each of its characters`() throws
    {
        let keys = (0..<1000).map { "\"k\($0)\": \($0)" }.joined(separator: ",")
        let table = try PlacedJSON(Array("{\(keys)}".utf8), within: Self.limits).decode([String: Int].self)
        #expect(table == Dictionary(uniqueKeysWithValues: (0..<1000).map { ("k\($0)", $0) }))
        let escapes = "\"" + String(repeating: #"\u00e9\ud83d\ude00\t"#, count: 1000) + "\""
        let text = try PlacedJSON(Array(escapes.utf8), within: Self.limits).decode(String.self)
        #expect(text == String(repeating: "é😀\t", count: 1000))
    }

    @Test(arguments: [
        ("a[1].b", "line 3, column 6"), ("a[1].c", "line 3, column 1"), ("a[7]", "line 1, column 7"),
        ("a[1].b[0].d", "line 3, column 7"), ("", "line 1, column 1"),
    ])
    func `a path leads to the place of its value, or of the last one on the way that is there`(
        path: String, place: String
    ) throws {
        let json = try PlacedJSON(Array("{\"a\": [1,\n\n{\"b\":[2]}]}".utf8), within: Self.limits)
        #expect(json.place(at: PlacedJSON.keys(ofPath: path)).description == place)
    }
}
