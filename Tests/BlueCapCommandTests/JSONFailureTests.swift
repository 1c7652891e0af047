// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(5)))
struct JSONFailureTests {
    /// A value that is refused as a whole, in words of its own.
    private struct Refused: Decodable {
        init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorruptedError(
                in: try decoder.singleValueContainer(), debugDescription: "words of its own")
        }
    }

    private func failure<Value: Decodable>(_ text: [UInt8], as type: Value.Type) -> String? {
        do {
            _ = try JSONDecoder().decode(type, from: Data(text))
            return nil
        } catch {
            return JSONFailure.text(error, in: text)
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
                == "a value in it does not fit its place, most likely a number that is too great or not whole")
    }

    @Test func `a value that is refused is named with its place, and the whole without one`() {
        #expect(failure(Array("{}".utf8), as: Refused.self) == "words of its own")
        #expect(failure(Array("{\"a\": [1]}".utf8), as: [String: [Refused]].self) == "a[0]: words of its own")
    }
}
