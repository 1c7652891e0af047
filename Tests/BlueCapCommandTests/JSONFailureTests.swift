// SPDX-License-Identifier: MIT

import BlueCapJSON
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct JSONFailureTests {
    private func failure<Value: Decodable>(_ text: [UInt8], as type: Value.Type) -> String? {
        do {
            _ = try JSONFailure.decode(type, from: text, within: JSONLimits(values: 10))
            return nil
        } catch {
            return JSONFailure.text(error)
        }
    }

    @Test func `a file in another encoding is no JSON, and says where`() {
        let text = Array("{\"name\": \"20 ".utf8) + [0xB0] + Array("C\"}".utf8)
        #expect(
            failure(text, as: [String: String].self)
                == "this is not JSON: line 1, column 14: a character is not in UTF-8, the encoding of JSON")
    }

    @Test func `a number that does not fit is not called a fault of the JSON`() {
        #expect(
            failure(Array("{\"a\": 256}".utf8), as: [String: UInt8].self)
                == "a: this is a whole number from 0 to 255 (line 1, column 7)")
    }

    /// A value that is refused as a whole, in words of its own.
    private struct Refused: Decodable {
        init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorruptedError(
                in: try decoder.singleValueContainer(), debugDescription: "words of its own")
        }
    }

    @Test func `a value that is refused is named with its place, and the whole without a path`() {
        let text = Array("{\"lamp\": 1}".utf8)
        #expect(failure(text, as: [String: Refused].self) == "lamp: words of its own (line 1, column 10)")
        #expect(failure(text, as: Refused.self) == "words of its own (line 1, column 1)")
    }
}
