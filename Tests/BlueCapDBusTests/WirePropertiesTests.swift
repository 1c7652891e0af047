// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapPrivateBus
import BlueCapTestExecutor
import Testing

struct WirePropertiesTests {
    private static let values: [DBusValue] = [
        .byte(1), .bool(true), .int16(-4), .uint16(5), .int32(-6), .uint64(1 << 40), .double(0.5), .string(""),
        .string("Äpfel"), .objectPath("/a/b"), .bytes([]), .bytes([1, 2, 3]), .strings(["a", "", "bcd"]),
        .properties(["x": .byte(1), "yy": .structure([.byte(1), .uint64(2)])]),
        .dictionary(
            DBusDictionary(
                keySignature: "q", valueSignature: "v",
                entries: [.init(key: .uint16(9), value: .variant(.bytes([4, 5, 6])))])),
    ]

    private static func values(of properties: WireProperties) -> [String: DBusValue] {
        Dictionary(uniqueKeysWithValues: properties.names.compactMap { name in properties[name].map { (name, $0) } })
    }

    @Test(arguments: 0..<50)
    func `properties are what a dictionary is after the same changes`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let names = ["a", "bb", "RSSI", "ManufacturerData", String(repeating: "n", count: 255), ""]
        var expected: [String: DBusValue] = [:]
        var properties = WireProperties()
        for _ in 0..<60 {
            let name = try #require(names.randomElement(using: &random))
            let value = Int.random(in: 0..<4, using: &random) == 0 ? nil : Self.values.randomElement(using: &random)
            expected[name] = value
            try properties.set(name, to: value)
            #expect(Self.values(of: properties) == expected)
            #expect(properties.has(name) == (value != nil))
            #expect(properties.isEmpty == expected.isEmpty)
        }
    }

    @Test(arguments: 0..<50)
    func `what changed from one to another makes the one the other`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func some() -> [String: DBusValue] {
            var some: [String: DBusValue] = [:]
            for name in ["a", "b", "c", "d", "e"] where Bool.random(using: &random) {
                some[name] = Self.values.randomElement(using: &random)
            }
            return some
        }
        let (old, new) = (some(), some())
        let (set, invalidated) = try WireProperties(new).changes(since: WireProperties(old))
        #expect(Self.values(of: set) == new.filter { old[$0.key] != $0.value })
        #expect(invalidated == old.keys.filter { new[$0] == nil }.sorted())
        var properties = try WireProperties(old)
        properties.take(set)
        for name in invalidated { properties.remove(name) }
        #expect(try properties == WireProperties(new))
        #expect(try (WireProperties(old) == WireProperties(new)) == (old == new))
    }

    @Test func `a value whose entries stand in another order is the same`() throws {
        let entries = [
            DBusDictionary.Entry(key: .string("a"), value: .byte(1)), .init(key: .string("bcdefgh"), value: .byte(2)),
        ]
        // On the wire `a{sv}` is written in the order of a dictionary, which `a{sy}` has not.
        func value(_ entries: [DBusDictionary.Entry]) -> DBusValue {
            .dictionary(DBusDictionary(keySignature: "s", valueSignature: "y", entries: entries))
        }
        let one = try WireProperties(["x": value(entries)])
        #expect(try one == WireProperties(["x": value(entries)]))
        #expect(try one != WireProperties(["x": value(entries.reversed())]))
        var first = WireProperties()
        try first.set("x", to: .byte(1))
        try first.set("y", to: .byte(2))
        var second = WireProperties()
        try second.set("y", to: .byte(2))
        try second.set("x", to: .byte(1))
        #expect(first == second)
    }

    @Test func `a name that is too long, and a value that cannot be sent, are refused and change nothing`() throws {
        var properties = try WireProperties(["a": .byte(1)])
        #expect(throws: DBusError.self) { try properties.set(String(repeating: "n", count: 256), to: .byte(2)) }
        #expect(throws: DBusError.self) { try properties.set("a", to: .string("\0")) }
        #expect(throws: DBusError.self) { try properties.set("a", to: .descriptor(0)) }
        #expect(Self.values(of: properties) == ["a": .byte(1)])
    }

    /// The body of a `PropertiesChanged`: three properties have a value, one has none.
    private static func change(isBigEndian: Bool) -> [UInt8] {
        var body: [UInt8] = []
        func number(_ value: UInt64, _ size: Int) {
            while body.count % size != 0 { body.append(0) }
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
            body += isBigEndian ? bytes.reversed() : bytes
        }
        func text(_ text: String) {
            number(UInt64(text.utf8.count), 4)
            body += Array(text.utf8) + [0]
        }
        func entry(_ name: String, _ signature: String) {
            while body.count % 8 != 0 { body.append(0) }
            text(name)
            body += [UInt8(signature.utf8.count)] + Array(signature.utf8) + [0]
        }
        text("org.example.Lamp1")
        number(0, 4)
        let length = body.count - 4
        while body.count % 8 != 0 { body.append(0) }
        let start = body.count
        entry("Level", "n")
        number(0xFFFC, 2)
        entry("Other", "y")
        body.append(1)
        entry("Odd", "t")
        number(3, 8)
        body.replaceSubrange(
            length..<length + 4, with: FakeBus.number(UInt32(body.count - start), isBigEndian: isBigEndian))
        number(9, 4)
        text("Gone")
        return body
    }

    @Test(arguments: [false, true])
    func `properties that came in either byte order are kept as they are`(isBigEndian: Bool) throws {
        func field(_ code: UInt8, _ type: Character, _ text: String) -> [UInt8] {
            FakeBus.field(code, type, FakeBus.string(text, isBigEndian: isBigEndian))
        }
        let fields = [
            field(1, "o", "/a"), field(2, "s", "org.freedesktop.DBus.Properties"), field(3, "s", "PropertiesChanged"),
            FakeBus.signatureField("sa{sv}as"),
        ]
        let body = Self.change(isBigEndian: isBigEndian)
        let message = try Message(
            wireBytes: FakeBus.message(type: 4, fields, body: body, isBigEndian: isBigEndian))
        let change = try #require(PropertiesChanged.of(message))
        #expect(change.invalidated == ["Gone"])
        #expect(change.isOf("org.example.Lamp1") && !change.isOf("org.example.Lamp2"))
        let level = try #require(change.next())
        #expect(change.isNamed("Level", level) && !change.isNamed("Lever", level))
        #expect(change.int16(of: level) == -4)
        #expect(try change.int16(of: #require(change.next(after: level))) == nil)
        let selection = ObjectSelection(["org.example.Lamp1": ["Level", "Odd", "Names"]])
        let found = try #require(selection.properties(in: change))
        #expect(found.interface == "org.example.Lamp1")
        #expect(Self.values(of: found.properties) == ["Level": .int16(-4), "Odd": .uint64(3)])
        #expect(ObjectSelection(["org.example.Other1": ["Level"]]).properties(in: change) == nil)
    }
}
#endif
