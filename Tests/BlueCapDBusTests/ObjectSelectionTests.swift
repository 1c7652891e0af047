// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import Testing

struct ObjectSelectionTests {
    private typealias Objects = [String: [String: [String: DBusValue]]]

    private static let lamp = "org.example.Lamp1"
    private static let selection = ObjectSelection([lamp: ["Level", "Names", "Data"], "org.example.Empty1": []])

    /// An answer to `GetManagedObjects` as it comes off the bus.
    private static func answer(_ body: [DBusValue]) throws -> Message {
        // Of all messages of our own a signal needs the least of another.
        try Message.signal(path: "/a/b", interface: "a.b", member: "C", body: body)
    }

    private static func body(_ objects: Objects) -> DBusValue {
        let entries = objects.map { path, interfaces in
            let properties = interfaces.map { DBusDictionary.Entry(key: .string($0), value: .properties($1)) }
            let value = DBusDictionary(keySignature: "s", valueSignature: "a{sv}", entries: properties)
            return DBusDictionary.Entry(key: .objectPath(path), value: .dictionary(value))
        }
        return .dictionary(DBusDictionary(keySignature: "o", valueSignature: "a{sa{sv}}", entries: entries))
    }

    @Test(arguments: 0..<20)
    func `what is selected is decoded, and what stands before, between and behind it is passed over`(seed: UInt64)
        throws
    {
        var random = SeededRandom(seed: seed)
        let values: [String: DBusValue] = [
            "Level": .int16(-4), "Names": .strings(["Ä", ""]), "Flag": .bool(true), "Big": .uint64(1 << 40),
            "Odd": .byte(7),
            "Data": .dictionary(
                DBusDictionary(
                    keySignature: "q", valueSignature: "v",
                    entries: [.init(key: .uint16(9), value: .variant(.bytes([4, 5, 6])))])),
            "Inner": .properties(["a": .structure([.byte(1), .uint64(2)])]),
        ]
        var objects: Objects = [:]
        for number in 0..<5 {
            for interface in [Self.lamp, "org.example.Empty1", "org.example.Other1"] where Bool.random(using: &random) {
                objects["/lamp\(number)", default: [:]][interface] = values.filter { _ in Bool.random(using: &random) }
            }
        }
        let expected = objects.compactMapValues { interfaces -> [String: [String: DBusValue]]? in
            var kept: [String: [String: DBusValue]] = [:]
            kept[Self.lamp] = interfaces[Self.lamp]?.filter { ["Level", "Names", "Data"].contains($0.key) }
            if interfaces["org.example.Empty1"] != nil { kept["org.example.Empty1"] = [:] }
            return kept.isEmpty ? nil : kept
        }
        #expect(try Self.selection.objects(in: Self.answer([Self.body(objects)])) == expected)
    }

    @Test func `an answer of another type is refused`() throws {
        let expected = DBusError.unexpectedSignature(expected: "a{oa{sa{sv}}}", found: "s")
        #expect(throws: expected) { try Self.selection.objects(in: Self.answer([.string("a")])) }
    }

    @Test func `values of many properties count together towards the limit`() throws {
        let names = DBusValue.array(Array(repeating: .bool(true), count: WireReader.maximumValues / 2), of: "b")
        let one: Objects = ["/a": [Self.lamp: ["Level": names]]]
        let two: Objects = ["/a": [Self.lamp: ["Level": names, "Names": names]]]
        #expect(try Self.selection.objects(in: Self.answer([Self.body(one)])).count == 1)
        #expect(throws: DBusError.malformed("too many values")) {
            try Self.selection.objects(in: Self.answer([Self.body(two)]))
        }
    }
}
#endif
