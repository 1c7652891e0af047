// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus
import Testing

@Suite(.timeLimit(.minutes(60)))
struct MessageTests {
    private static func send(_ values: DBusValue...) throws -> Message {
        try .signal(path: "/a", interface: "a.b", member: "C", body: values)
    }

    @Test func `a message tells its header`() throws {
        let message = try Message.methodCall(
            to: "org.bluez", path: "/org/bluez", interface: "org.bluez.Adapter1", member: "StartDiscovery",
            body: [.properties(["Pattern": .string("x")])])
        #expect(message.kind == .methodCall)
        #expect(message.destination == "org.bluez")
        #expect(message.path == "/org/bluez")
        #expect(message.interface == "org.bluez.Adapter1")
        #expect(message.member == "StartDiscovery")
        #expect(message.signature == "a{sv}")
        #expect(message.sender == nil)
        #expect(message.expectsReply)
    }

    @Test(arguments: [
        DBusValue.string("a\0b"), .objectPath("no/slash"), .objectPath("/trailing/"), .objectPath("/a//b"),
        .objectPath("/é"), .objectPath(""), .signature("a"), .signature("(ii"), .structure([]),
        .array([.uint16(1)], of: "u"), .array([], of: "ii"), .array([], of: "y"), .array([], of: ""),
        .dictionary(DBusDictionary(keySignature: "v", valueSignature: "s")),
        .dictionary(DBusDictionary(keySignature: "s", valueSignature: "")),
        .dictionary(
            DBusDictionary(
                keySignature: "q", valueSignature: "v",
                entries: [.init(key: .uint16(1), value: .string("no variant"))])),
        .properties(["a\0": .byte(1)]), .variant(.structure([])), .descriptor(0),
    ])
    func `values that D-Bus forbids are refused before they are sent`(value: DBusValue) {
        #expect(throws: DBusError.self) { try Self.send(value) }
    }

    @Test func `a body longer than the bus takes is refused`() {
        #expect(throws: DBusError.self) { try Self.send(.bytes([UInt8](repeating: 0, count: 33 * 1024 * 1024))) }
    }

    @Test(arguments: [
        ("org.bluez", "/", "a.b", "M\0"), ("org.bluez", "/", "a.b", "1M"), ("org.bluez", "/", "a.b", "a.b"),
        ("org.bluez", "/", "a", "M"), ("org.bluez", "/", "a..b", "M"), ("org.bluez", "/", "a.1b", "M"),
        ("org", "/", "a.b", "M"), (":1", "/", "a.b", "M"), ("", "/", "a.b", "M"), ("org.bluez", "", "a.b", "M"),
        ("org.bluez", "/", "a.b", ""), ("org.bluez", "/", "a.b", String(repeating: "m", count: 256)),
    ])
    func `names that D-Bus forbids are refused`(destination: String, path: String, interface: String, member: String) {
        #expect(throws: DBusError.self) {
            try Message.methodCall(to: destination, path: path, interface: interface, member: member)
        }
    }

    @Test func `a signature of 255 bytes is sent, one of 256 is refused`() throws {
        let fields = [DBusValue](repeating: .byte(1), count: 253)
        #expect(try Self.send(.structure(fields)).signature.utf8.count == 255)
        #expect(throws: DBusError.self) { try Self.send(.structure(fields), .byte(1)) }
        #expect(throws: DBusError.self) { try Self.send(.variant(.structure(fields + [.byte(1)]))) }
    }

    @Test func `arrays and structures nest 32 deep and no deeper`() throws {
        #expect(Signature.isValid(String(repeating: "a", count: 32) + "y"))
        #expect(!Signature.isValid(String(repeating: "a", count: 33) + "y"))
        #expect(Signature.isValid(String(repeating: "(", count: 32) + "y" + String(repeating: ")", count: 32)))
        #expect(!Signature.isValid(String(repeating: "(", count: 33) + "y" + String(repeating: ")", count: 33)))
        func nested(_ depth: Int) -> DBusValue {
            (0..<depth).reduce(DBusValue.byte(1)) { value, _ in .variant(value) }
        }
        #expect(try Self.send(nested(64)).body() == [nested(64)])
        #expect(throws: DBusError.self) { try Self.send(nested(65)) }
        var structures = DBusValue.byte(1)
        for _ in 0..<33 { structures = .structure([structures]) }
        #expect(throws: DBusError.self) { try Self.send(structures) }
    }

    @Test func `descriptors are numbered, and each taken is an own duplicate`() async throws {
        let pair = try await TestPair(interfaces: {
            var interface = ExportedInterface(TestPair.interface)
            interface.method("Acquire", out: "hqh") { call in
                call.reply { builder throws(DBusError) in
                    let pair = try DBusError.translating(PacketPair.init)
                    try builder.append(pair.near)
                    try builder.append(.uint16(517))
                    try builder.append(pair.far)
                }
            }
            return [interface]
        })
        let message = try await pair.client.call(TestPair.call("Acquire"))
        #expect(try message.body() == [.descriptor(0), .uint16(517), .descriptor(1)])
        let first = try message.takeDescriptor(at: 0)
        let again = try message.takeDescriptor(at: 0)
        let second = try message.takeDescriptor(at: 1)
        #expect(Set([first.rawValue, again.rawValue, second.rawValue]).count == 3)
        #expect(throws: DBusError.self) { _ = try message.takeDescriptor(at: 2).rawValue }
        #expect(throws: DBusError.self) { _ = try message.takeDescriptor(at: -1).rawValue }
        await pair.close()
    }

    @Test func `a descriptor that is not open is refused`() throws {
        var builder = try MessageBuilder.signal(path: "/a", interface: "a.b", member: "C")
        #expect(throws: DBusError.self) { try builder.append(FileDescriptor(owning: 1_000_000)) }
    }

    @Test func `accessors look through variants and refuse other types`() {
        #expect(DBusValue.variant(.variant(.uint16(5))).uint16Value == 5)
        #expect(DBusValue.uint16(5).integer(Int8.self) == 5)
        #expect(DBusValue.uint16(500).integer(Int8.self) == nil)
        #expect(DBusValue.objectPath("/a").stringValue == nil)
        #expect(DBusValue.strings(["a", "b"]).stringsValue == ["a", "b"])
        #expect(DBusValue.objectPaths(["/a"]).stringsValue == nil)
    }

    @Test func `addresses that would start programs are refused`() throws {
        #expect(throws: DBusError.self) { try BusAddress("unixexec:path=/bin/true") }
        #expect(throws: DBusError.self) { try BusAddress("unix:path=/x;autolaunch:") }
        #expect(throws: DBusError.self) { try BusAddress("") }
        #expect(try BusAddress("unix:path=/x").text == "unix:path=/x")
    }
}
#endif
