// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapTestExecutor
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
        let found = try Self.selection.objects(in: Self.answer([Self.body(objects)]))
        #expect(Self.objects(found) == expected)
    }

    private static func objects(_ found: [ObjectSelection.Object]) -> Objects {
        Objects(
            uniqueKeysWithValues: found.map { object in
                let interfaces = object.interfaces.map { ($0.name, values(of: $0.properties)) }
                return (object.path, [String: [String: DBusValue]](uniqueKeysWithValues: interfaces))
            })
    }

    private static func values(of properties: WireProperties) -> [String: DBusValue] {
        let values = properties.names.compactMap { name in properties[name].map { (name, $0) } }
        return [String: DBusValue](uniqueKeysWithValues: values)
    }

    @Test func `an answer of another type is refused`() throws {
        let expected = DBusError.unexpectedSignature(expected: "a{oa{sa{sv}}}", found: "s")
        #expect(throws: expected) { try Self.selection.objects(in: Self.answer([.string("a")])) }
    }

    @Test func `a property of more values than the limit takes the room of its bytes, and has no value`() throws {
        let names = DBusValue.array(Array(repeating: .bool(true), count: WireReader.maximumValues), of: "b")
        let answer = try Self.answer([Self.body(["/a": [Self.lamp: ["Level": names, "Names": .byte(7)]]])])
        let properties = try #require(try Self.selection.objects(in: answer).first?.interfaces.first?.properties)
        #expect(properties.has("Level"))
        #expect(properties["Level"] == nil)
        #expect(properties["Names"] == .byte(7))
    }

    @Test(arguments: 1...6)
    func `more objects, interfaces and properties than the limit are refused`(limit: Int) throws {
        let objects: Objects = [
            "/a": [Self.lamp: ["Level": .byte(1), "Odd": .byte(2)], "org.example.Other1": [:]],
            "/b": ["org.example.Empty1": [:]],
        ]
        let selection = ObjectSelection([Self.lamp: ["Level"], "org.example.Empty1": []], limit: limit)
        let answer = try Self.answer([Self.body(objects)])
        if limit < 5 {
            #expect(throws: DBusError.malformed("too many values")) { try selection.objects(in: answer) }
        } else {
            #expect(try selection.objects(in: answer).count == 2)
        }
    }

    @Test func `what an object that appeared has of the selection is taken`() throws {
        let interfaces = DBusValue.dictionary(
            DBusDictionary(
                keySignature: "s", valueSignature: "a{sv}",
                entries: [
                    .init(key: .string("org.example.Other1"), value: .properties(["Level": .byte(3)])),
                    .init(key: .string(Self.lamp), value: .properties(["Level": .byte(4), "Odd": .byte(5)])),
                ]))
        let object = try Self.selection.object(addedBy: Self.answer([.objectPath("/a"), interfaces]))
        #expect(Self.objects([object]) == ["/a": [Self.lamp: ["Level": .byte(4)]]])
        let expected = DBusError.unexpectedSignature(expected: "oa{sa{sv}}", found: "s")
        #expect(throws: expected) { try Self.selection.object(addedBy: Self.answer([.string("a")])) }
    }
}
#endif
