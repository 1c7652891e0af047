// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import Testing

extension ProfileFileTests {
    @Test func `fields that go by one flag are there together, and in one form`() throws {
        let layout = """
            "flags": "uint8", "fields": [
                {"name": "a", "type": "uint8", "flag": 0}, {"name": "b", "type": "uint8", "flag": 0, "unknown": 255},
                {"name": "c", "type": "uint16", "flag": 1, "else": "uint8"},
                {"name": "d", "type": "uint16", "flag": 1, "else": "uint8"}
            ]
            """
        try expect(layout, "000304", ["c": "3", "d": "4"])
        try expect(layout, "0101020304", ["a": "1", "b": "2", "c": "3", "d": "4"])
        try expect(layout, "0101ff0304", ["a": "1", "c": "3", "d": "4"])
        try expect(layout, "0203000001", ["c": "3", "d": "256"])
        #expect(try profile(layout).bytes(fromString: ["b": "2", "c": "3", "d": "4"]) == nil)
    }

    @Test(arguments: [
        (#""type": "bits", "bits": [0, 2]"#, #""type": "bits", "bits": [2, 3]"#, 2),
        (#""type": "bits", "bits": [0, 2]"#, #""type": "uint8", "flag": 1"#, 1),
        (#""type": "uint8", "flag": 1"#, #""type": "bits", "bits": [1]"#, 1),
    ])
    func `a bit of one field is no other field's`(first: String, second: String, bit: Int) {
        let layout = "\"flags\": \"uint8\", \"fields\": [{\"name\": \"v\", \(first)}, {\"name\": \"w\", \(second)}]"
        let error = #expect(throws: DecodingError.self) { try profile(layout) }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.last?.stringValue == "fields")
        #expect(context.debugDescription == "'w' and 'v' both go by bit \(bit)")
    }
}
