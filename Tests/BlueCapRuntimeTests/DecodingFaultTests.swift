// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Foundation
import Testing

@Suite(.timeLimit(.minutes(60)))
struct DecodingFaultTests {
    /// A value that is refused as a whole, in words of its own.
    private struct Refused: Decodable {
        init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorruptedError(
                in: try decoder.singleValueContainer(), debugDescription: "words of its own")
        }
    }

    /// The message about JSON that cannot be decoded as a type.
    private func fault<Value: Decodable>(_ text: [UInt8], as type: Value.Type) -> String? {
        do {
            _ = try JSONDecoder().decode(type, from: Data(text))
            return nil
        } catch let error as DecodingError {
            switch DecodingFault(error, in: text) {
            case .notJSON(let reason): return "not JSON: \(reason)"
            case .invalid(let path, let reason): return "'\(path)': \(reason)"
            }
        } catch {
            return "\(error)"
        }
    }

    @Test func `a file in another encoding is no JSON, and no number in it is blamed`() {
        let text = Array("{\"name\": \"20 ".utf8) + [0xB0] + Array("C\"}".utf8)
        #expect(
            fault(text, as: [String: String].self)
                == "not JSON: line 1, column 14: a character is not in UTF-8, the encoding of JSON")
    }

    @Test(arguments: ["{\"a\": 256}", "{\"a\": 0.5}", "{\"a\": -1}"])
    func `a number that does not fit is a wrong value whose place is not known`(text: String) {
        #expect(
            fault(Array(text.utf8), as: [String: UInt8].self)
                == "'': a value in it does not fit its place, most likely a number that is too great or not whole")
    }

    @Test func `a value that is refused as a whole keeps the reason`() {
        #expect(fault(Array("{}".utf8), as: Refused.self) == "'': words of its own")
        #expect(fault(Array("{\"a\": 1}".utf8), as: [String: Refused].self) == "'a': words of its own")
    }
}
