// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct JSONFailureTests {
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

    enum Place: String, CodingKey {
        case lamp
    }

    @Test(arguments: [([], "words of its own"), ([.lamp], "lamp: words of its own")] as [([Place], String)])
    func `a value that is refused is named with its place, and the whole without one`(path: [Place], text: String) {
        let refusal = DecodingError.Context(codingPath: path, debugDescription: "words of its own")
        #expect(JSONFailure.text(DecodingError.dataCorrupted(refusal), in: Array("{}".utf8)) == text)
    }
}
