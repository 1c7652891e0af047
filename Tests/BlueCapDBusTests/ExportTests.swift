// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus
import BlueCapTestExecutor
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ExportTests {
    /// An object with a method of each kind and a property of each access.
    @Sendable static func interfaces() -> [ExportedInterface] {
        var interface = ExportedInterface(TestPair.interface)
        interface.method("Echo", in: "ay", out: "ay") { call in call.reply(call.arguments[0]) }
        interface.method("Refuse") { call in call.fail("org.bluez.Error.NotReady", "not now") }
        interface.method("Forget") { _ in }
        var name = "first"
        interface.property(
            "Name", "s", get: { .string(name) },
            set: { value, call in
                name = value.stringValue ?? ""
                call.reply()
            })
        interface.property("Size", "q", get: { .uint16(517) })
        interface.property("Absent", "s", get: { nil })
        interface.signal("Happened", "su")
        return [interface]
    }

    @Test func `a method's reply comes back with its values`() async throws {
        let pair = try await TestPair(interfaces: Self.interfaces)
        let reply = try await pair.client.call(TestPair.call("Echo", .bytes([1, 2, 3])))
        #expect(try reply.body(expecting: "ay") == [.bytes([1, 2, 3])])
        await pair.close()
    }

    @Test func `an error answer keeps its name and text`() async throws {
        let pair = try await TestPair(interfaces: Self.interfaces)
        let call = try TestPair.call("Refuse")
        let error = await failure { () throws(DBusError) in try await pair.client.call(call) }
        #expect(error == .remote(name: "org.bluez.Error.NotReady", message: "not now"))
        await pair.close()
    }

    @Test
    func `an object with a handler of its own is asked for standard interfaces, too, until it is taken away`()
        async throws
    {
        let pair = try await TestPair()
        let link = pair.service.link
        try await pair.loop.run { () throws(DBusError) in
            try link.export(at: TestPair.path) { $0.reply(.string($0.message.member ?? ""), $0.arguments[0]) }
        }
        let call = try TestPair.call("GetAll", .string("any"), interface: StandardInterface.properties)
        let reply = try await pair.client.call(call)
        #expect(try reply.body(expecting: "ss") == [.string("GetAll"), .string("any")])
        await pair.loop.run { link.unexport(at: TestPair.path) }
        let error = await failure { () throws(DBusError) in try await pair.client.call(call) }
        #expect(error?.remoteName == ErrorName.unknownObject)
        await pair.close()
    }

    @Test func `a call that its handler drops is answered with an error`() async throws {
        let pair = try await TestPair(interfaces: Self.interfaces)
        let call = try TestPair.call("Forget")
        let error = await failure { () throws(DBusError) in try await pair.client.call(call) }
        #expect(error?.remoteName == ErrorName.failed)
        await pair.close()
    }

    @Test(arguments: [
        ("Echo", "/nowhere", TestPair.interface, ErrorName.unknownObject),
        ("Echo", TestPair.path, "org.bluecap.Other", ErrorName.unknownInterface),
        ("Nothing", TestPair.path, TestPair.interface, ErrorName.unknownMethod),
        ("Echo", TestPair.path, TestPair.interface, ErrorName.invalidArgs),
        ("Get", TestPair.path, StandardInterface.properties, ErrorName.invalidArgs),
        ("Nothing", TestPair.path, StandardInterface.properties, ErrorName.unknownMethod),
    ])
    func `calls to what does not exist get the standard errors`(
        member: String, path: String, interface: String, expected: String
    ) async throws {
        let pair = try await TestPair(interfaces: Self.interfaces)
        let call = try TestPair.call(member, interface: interface, path: path)
        let error = await failure { () throws(DBusError) in try await pair.client.call(call) }
        #expect(error?.remoteName == expected)
        await pair.close()
    }

    @Test func `a call that wants no reply gets none, not even an error`() async throws {
        let pair = try await TestPair(interfaces: Self.interfaces)
        for member in ["Echo", "Refuse", "Forget", "Nothing"] {
            let silent = try Message.methodCall(
                to: TestPair.serviceName, path: TestPair.path, interface: TestPair.interface, member: member,
                expectsReply: false)
            try await pair.client.send(silent)
        }
        // Answered after the four, so their replies would be counted by now.
        _ = try await pair.client.call(TestPair.call("Echo", .bytes([])))
        #expect(await pair.client.metrics.strayReplies == 0)
        await pair.close()
    }

    @Test func `properties are read one by one and together, without those that are absent`() async throws {
        let pair = try await TestPair(interfaces: Self.interfaces)
        func get(_ member: String, _ body: DBusValue...) async throws -> DBusValue? {
            let message = try Message.methodCall(
                to: TestPair.serviceName, path: TestPair.path, interface: StandardInterface.properties,
                member: member, body: body)
            return try await pair.client.call(message).body().first
        }
        #expect(try await get("Get", .string(TestPair.interface), .string("Size"))?.uint16Value == 517)
        let all = try await get("GetAll", .string(TestPair.interface))?.propertiesValue
        #expect(all == ["Name": .string("first"), "Size": .uint16(517)])
        _ = try await get("Set", .string(TestPair.interface), .string("Name"), .variant(.string("second")))
        #expect(try await get("Get", .string(TestPair.interface), .string("Name"))?.stringValue == "second")
        await pair.close()
    }

    @Test(arguments: [
        ("Size", DBusValue.uint16(1), ErrorName.propertyReadOnly),
        ("Absent", .string(""), ErrorName.unknownProperty),
        ("Name", .uint16(1), ErrorName.invalidArgs),
    ])
    func `a property is not set when it is read-only, absent, or of another type`(
        name: String, value: DBusValue, expected: String
    ) async throws {
        let pair = try await TestPair(interfaces: Self.interfaces)
        let call = try TestPair.call(
            "Set", .string(TestPair.interface), .string(name), .variant(value), interface: StandardInterface.properties)
        let error = await failure { () throws(DBusError) in try await pair.client.call(call) }
        #expect(error?.remoteName == expected)
        await pair.close()
    }

    @Test
    func `every connection answers Peer at any path: Ping, the machine's identifier, and an error for anything else`()
        async throws
    {
        let pair = try await TestPair()
        func call(_ member: String, _ body: DBusValue...) async throws(DBusError) -> Message {
            try await pair.client.call(
                .methodCall(
                    to: TestPair.serviceName, path: "/nowhere", interface: StandardInterface.peer, member: member,
                    body: body))
        }
        #expect(try await call("Ping").body().isEmpty)
        let identifier = try await call("GetMachineId").body(expecting: "s").first?.stringValue
        #expect(identifier?.utf8.count == 32)
        let unknown = await failure { () throws(DBusError) in try await call("Pong") }
        #expect(unknown?.remoteName == ErrorName.unknownMethod)
        let wrong = await failure { () throws(DBusError) in try await call("Ping", .byte(1)) }
        #expect(wrong?.remoteName == ErrorName.invalidArgs)
        await pair.close()
    }

    @Test func `introspection tells of interfaces, and of children along the way to an object`() async throws {
        let pair = try await TestPair(interfaces: Self.interfaces)
        func introspect(_ path: String) async throws -> String {
            let call = try TestPair.call("Introspect", interface: StandardInterface.introspectable, path: path)
            return try await pair.client.call(call).body().first?.stringValue ?? ""
        }
        let object = try await introspect(TestPair.path)
        #expect(object.contains("<method name=\"Echo\">\n      <arg type=\"ay\" direction=\"in\"/>"))
        #expect(object.contains("<property name=\"Name\" type=\"s\" access=\"readwrite\"/>"))
        #expect(object.contains("<signal name=\"Happened\">\n      <arg type=\"s\"/>\n      <arg type=\"u\"/>"))
        #expect(try await introspect("/org").contains("<node name=\"bluecap\"/>"))
        await pair.close()
    }

    @Test func `an object manager lists what is below it and announces what comes and goes`() async throws {
        let pair = try await TestPair()
        let seen = Recorder<String>()
        let (service, client) = (pair.service.link, pair.client.link)
        try await pair.client.addMatch(MatchRule(interface: StandardInterface.objectManager))
        try await pair.loop.run { () throws(DBusError) in
            client.onSignal(.path("/"), interface: StandardInterface.objectManager) { message in
                let body = (try? message.body()) ?? []
                seen.add("\(message.member ?? "") \(body.first?.objectPathValue ?? "")")
            }
            try service.exportObjectManager(at: "/")
            try service.export(Self.interfaces(), at: "/a/b")
        }
        let call = try TestPair.call("GetManagedObjects", interface: StandardInterface.objectManager, path: "/")
        let objects = try await pair.client.call(call).body(expecting: "a{oa{sa{sv}}}").first?.entriesValue
        #expect(objects?.map(\.key) == [.objectPath("/a/b")])
        let properties = objects?.first?.value.entriesValue?.first?.value.propertiesValue
        #expect(properties?["Size"] == .uint16(517))
        await pair.loop.run { service.unexport(at: "/a/b") }
        await seen.wait(for: 2)
        #expect(seen.all == ["InterfacesAdded /a/b", "InterfacesRemoved /a/b"])
        await pair.close()
    }

    @Test func `a changed property reaches the other side with its value, a gone one by name`() async throws {
        let pair = try await TestPair(interfaces: Self.interfaces)
        let seen = Recorder<[DBusValue]>()
        let (service, client) = (pair.service.link, pair.client.link)
        try await pair.client.addMatch(MatchRule(sender: TestPair.serviceName))
        try await pair.loop.run { () throws(DBusError) in
            client.onSignal(.path(TestPair.path)) { seen.add((try? $0.body(expecting: "sa{sv}as")) ?? []) }
            try service.emitPropertiesChanged(
                at: TestPair.path, interface: TestPair.interface, changed: ["Size": .uint16(23)],
                invalidated: ["Absent"])
        }
        await seen.wait(for: 1)
        #expect(
            seen.all == [[.string(TestPair.interface), .properties(["Size": .uint16(23)]), .strings(["Absent"])]])
        await pair.close()
    }
}
#endif
