// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus
import BlueCapTestExecutor
import Testing

@Suite
struct PropertiesChangedTests {
    private static func frame(_ bytes: [UInt8]) throws -> Frame {
        let around = [UInt8](repeating: 7, count: 24)
        let place = around.count..<around.count + bytes.count
        return Frame(
            bytes: around + bytes + around, place: place, header: try FrameHeader(bytes.span), descriptors: .none)
    }

    private static func signal(_ body: [DBusValue]) throws -> Frame {
        let message = try Message.signal(path: "/a/b", interface: "a.b", member: "C", body: body)
        // Before it is sent it has the serial 0, which no message that came has.
        var bytes = message.frame.bytes
        bytes[8] = 1
        return try frame(bytes)
    }

    private static let values: [String: DBusValue] = [
        "Value": .bytes([1, 2, 3]), "Empty": .bytes([]), "RSSI": .int16(-40), "Name": .string("Ä"), "Flag": .bool(true),
        "Names": .strings(["a", "b"]), "Big": .uint64(1 << 40), "Inner": .properties(["a": .byte(1)]),
        "Data": .dictionary(
            DBusDictionary(
                keySignature: "q", valueSignature: "v", entries: [.init(key: .uint16(9), value: .variant(.bytes([4])))])
        ),
    ]

    @Test(arguments: 0..<20)
    func `every property is found where it stands, whatever its type`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let chosen = Self.values.filter { _ in Bool.random(using: &random) }
        let invalidated = Bool.random(using: &random) ? ["Gone"] : []
        let body: [DBusValue] = [.string("a.Interface1"), .properties(chosen), .strings(invalidated)]
        let change = try #require(try PropertiesChanged(Self.signal(body)))
        #expect(change.path.elementsEqual("/a/b".utf8))
        #expect(change.interface.elementsEqual("a.Interface1".utf8))
        #expect(change.hasInvalidated == !invalidated.isEmpty)
        var found: [String: DBusValue] = [:]
        var next = change.next()
        while let property = next {
            let name = String(decoding: change.name(of: property), as: UTF8.self)
            found[name] = change.value(of: property)
            let bytes = change.bytes(of: property).map { Array($0) }
            #expect(bytes == chosen[name]?.bytesValue)
            next = change.next(after: property)
        }
        #expect(found == chosen)
        #expect(try change.message.body() == body)
    }

    /// The whole content of a change.
    private static func description(_ change: PropertiesChanged?) -> String {
        guard let change else { return "none" }
        var parts = [String(decoding: change.interface, as: UTF8.self)]
        var next = change.next()
        while let property = next {
            let name = String(decoding: change.name(of: property), as: UTF8.self)
            let bytes = change.bytes(of: property).map { Array($0) }
            let value = change.value(of: property).map { "\($0)" } ?? "none"
            parts.append("\(name) \(value) \(bytes ?? []) \(change.int16(of: property) ?? 0)")
            next = change.next(after: property)
        }
        return (parts + ["without"] + change.invalidated).joined(separator: ", ")
    }

    /// A change of properties of any kind, of two paths.
    private static func random(_ random: inout SeededRandom) throws -> [UInt8] {
        let bytes = (0..<Int.random(in: 0..<9, using: &random)).map { UInt8($0) }
        let sets: [[String: DBusValue]] = [
            ["Value": .bytes(bytes)], ["RSSI": .int16(Int16(bytes.count))], ["Big": .uint64(7)], ["Flag": .bool(true)],
            ["RSSI": .int16(1), "Value": .bytes(bytes)], ["Odd": .byte(3)], [:],
        ]
        // Most of them of the first kinds.
        let chosen = min(Int.random(in: 0..<sets.count, using: &random), Int.random(in: 0..<sets.count, using: &random))
        let gone = Int.random(in: 0..<8, using: &random) == 0 ? ["Gone"] : []
        let message = try Message.signal(
            path: Bool.random(using: &random) ? "/a/b" : "/a/c", interface: "a.b", member: "C",
            body: [.string("a.Interface1"), .properties(sets[chosen]), .strings(gone)])
        var whole = message.frame.bytes
        whole[8] = 1
        if Int.random(in: 0..<4, using: &random) == 0 {
            let place = Int.random(in: message.frame.header.bodyStart..<whole.count, using: &random)
            whole[place] ^= UInt8.random(in: 0...16, using: &random)
        }
        return whole
    }

    @Test(arguments: 0..<4)
    func `a body that is read after others is what it is alone`(seed: UInt64) throws {
        var random = SeededRandom(seed: 700 + seed)
        var (headers, reader) = (HeaderReader(), PropertiesChangedReader())
        var last: ObjectIdentifier?
        var lastRead: (fingerprint: PropertiesChanged.Fingerprint, names: [ArraySlice<UInt8>])?
        var (same, alike) = (0, 0)
        for _ in 0..<3000 {
            let bytes = try Self.random(&random)
            let header = try headers.read(bytes.span)
            let frame = Frame(
                bytes: bytes, place: bytes.indices, header: header, descriptors: .none, shape: headers.shape)
            let alone = Result { () throws(DBusError) in Self.description(try PropertiesChanged(frame)) }
            let after = Result { () throws(DBusError) in
                let change = try reader.read(frame)
                let identity = change.map { ObjectIdentifier($0) }
                if identity != nil, identity == last { same += 1 }
                last = identity
                if let change, let fingerprint = change.fingerprint, let property = change.next() {
                    let names = [change.path, change.interface, change.name(of: property)].map { $0[...] }
                    #expect(change.next(after: property) == nil && !change.hasInvalidated)
                    #expect(change.firstBytes == change.bytes(of: property))
                    if let lastRead, lastRead.fingerprint == fingerprint {
                        alike += 1
                        #expect(names.elementsEqual(lastRead.names) { $0.elementsEqual($1) })
                    }
                    lastRead = (fingerprint, names)
                }
                return Self.description(change)
            }
            #expect(alone == after)
            reader.letGo()
        }
        // With AddressSanitizer, which gives no address twice, a good 200 are the same object.
        #expect(same > 200)
        #expect(alike > 50)
    }

    /// The fingerprint of the next signal, which has a value; the signal is not kept.
    private static func fingerprint(
        _ frame: Frame, of value: DBusValue, _ reader: inout PropertiesChangedReader
    ) throws -> PropertiesChanged.Fingerprint? {
        let read = try reader.read(frame)
        let change = try #require(read)
        let property = try #require(change.next())
        #expect(change.value(of: property) == value)
        return change.fingerprint
    }

    @Test(
        arguments: [
            ("org.bluez.Battery1", "Percentage", [.byte(90), .byte(89), .byte(88)]),
            ("org.bluez.Device1", "Appearance", [.uint16(1), .uint16(2), .uint16(3)]),
            ("org.bluez.Device1", "RSSI", [.int16(-60), .int16(-61), .int16(-62)]),
            ("org.bluez.GattCharacteristic1", "Value", [.bytes([1, 2, 3]), .bytes([]), .bytes([4])]),
        ] as [(String, String, [DBusValue])])
    func `a value is all that is read of a signal like the last, wherever it stands`(
        interface: String, name: String, values: [DBusValue]
    ) throws {
        var (headers, reader) = (HeaderReader(), PropertiesChangedReader())
        var fingerprints: [PropertiesChanged.Fingerprint?] = []
        for (index, value) in values.enumerated() {
            let body: [DBusValue] = [.string(interface), .properties([name: value]), .strings([])]
            var bytes = try Message.signal(path: "/a", interface: "a.b", member: "C", body: body).frame.bytes
            bytes[8] = UInt8(index + 1)
            let header = try headers.read(bytes.span)
            let frame = Frame(
                bytes: bytes, place: bytes.indices, header: header, descriptors: .none, shape: headers.shape)
            fingerprints.append(try Self.fingerprint(frame, of: value, &reader))
            reader.letGo()
        }
        // A signal whose body is walked over is like none before it.
        let first = try #require(fingerprints[0])
        #expect(fingerprints.allSatisfy { $0 == first })
    }

    @Test func `a change that its handler keeps does not become the next`() throws {
        var (headers, reader) = (HeaderReader(), PropertiesChangedReader())
        var kept: [PropertiesChanged?] = []
        for value: UInt8 in 1...3 {
            let body: [DBusValue] = [.string("a.B"), .properties(["Value": .bytes([value])]), .strings([])]
            var bytes = try Message.signal(path: "/a", interface: "a.b", member: "C", body: body).frame.bytes
            bytes[8] = value
            let header = try headers.read(bytes.span)
            kept.append(
                try reader.read(
                    Frame(
                        bytes: bytes, place: bytes.indices, header: header, descriptors: .none, shape: headers.shape)))
            reader.letGo()
        }
        #expect(kept.map { Self.description($0) }.count == Set(kept.map { Self.description($0) }).count)
    }

    @Test func `a signal of another signature is none, and a body that breaks the rules is refused`() throws {
        #expect(try PropertiesChanged(Self.signal([.string("a.Interface1")])) == nil)
        let text = FakeBus.string("a.I")
        let none = FakeBus.number(0)
        // The entries begin at a multiple of 8, even when there are none.
        let whole = try Self.frame(FakeBus.tick(text + none + [0, 0, 0, 0] + none, signature: "sa{sv}as"))
        #expect(try PropertiesChanged(whole)?.next() == nil)
        let wrong = try Self.frame(FakeBus.tick(text + none + [0, 0, 0, 1] + none, signature: "sa{sv}as"))
        #expect(throws: DBusError.malformed("padding that is not zero")) { try PropertiesChanged(wrong) }
    }

    @Test
    func `a body that nobody wants is not looked at; one that is wanted and malformed ends the connection`()
        async throws
    {
        let bus = try FakeBus { client in
            client.welcome()
            guard let call = client.readMessage() else { return }
            client.send(FakeBus.tick([2, 0, 0, 0], signature: "b"))
            client.answer(call)
            guard client.readMessage() != nil else { return }
            client.send(FakeBus.tick([2, 0, 0, 0], signature: "b"))
            client.waitForEnd()
        }
        let loop = try EventLoop()
        let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
        let link = connection.link
        let ended = Recorder<DBusError?>()
        await loop.run {
            _ = link.onSignal(.all, member: "Other") { _ in ended.add(nil) }
            link.onDisconnect { ended.add(link.endCause) }
        }
        let go = try Message.methodCall(to: "a.b", path: "/", interface: nil, member: "Go")
        _ = try await connection.call(go)
        #expect(await connection.metrics.unroutedSignals == 1)
        await loop.run { _ = link.onSignal(.all, member: "Tick") { _ in ended.add(nil) } }
        #expect(await failure { () throws(DBusError) in try await connection.call(go) } == .disconnected)
        await ended.wait(for: 1)
        #expect(ended.all == [.malformed("boolean")])
        await loop.stop()
    }
}
#endif
