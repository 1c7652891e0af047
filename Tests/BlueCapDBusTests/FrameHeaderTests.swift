// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapPrivateBus
import BlueCapTestExecutor
import Testing

@Suite
struct FrameHeaderTests {
    /// Reads a message's header and checks its body.
    static func read(_ bytes: [UInt8]) throws(DBusError) -> FrameHeader {
        let header = try FrameHeader(bytes.span)
        try header.checkBody(of: bytes.span)
        return header
    }

    private static func text(_ text: String, _ isBigEndian: Bool) -> [UInt8] {
        FakeBus.string(text, isBigEndian: isBigEndian)
    }

    @Test func `a length that no message may have can be added to others on machines of 32 bits`() {
        #expect(Int(length: 7) == 7)
        #expect(Int32(exactly: 3 * Int(length: .max) + 64) != nil)
        #expect(Int(length: .max) > FramePrefix.maximumArrayLength)
        #expect(Int(length: .max) > DBusValue.maximumMessageLength)
    }

    @Test(arguments: [false, true])
    func `every field is found, in either byte order and any order of fields`(isBigEndian: Bool) throws {
        let fields = [
            FakeBus.field(1, "o", Self.text("/a/b", isBigEndian)), FakeBus.field(2, "s", Self.text("a.B", isBigEndian)),
            FakeBus.field(3, "s", Self.text("M", isBigEndian)), FakeBus.field(4, "s", Self.text("a.E", isBigEndian)),
            FakeBus.field(5, "u", FakeBus.number(9, isBigEndian: isBigEndian)),
            FakeBus.field(6, "s", Self.text(":1.7", isBigEndian)), FakeBus.field(7, "s", Self.text("a.c", isBigEndian)),
            FakeBus.signatureField("u"), FakeBus.field(9, "u", FakeBus.number(2, isBigEndian: isBigEndian)),
            // A field of a later version.
            FakeBus.field(10, "s", Self.text("more", isBigEndian)),
        ]
        for fields in [fields, fields.reversed()] {
            let bytes = FakeBus.message(type: 1, fields, body: [1, 2, 3, 4], isBigEndian: isBigEndian)
            let frame = Frame(
                bytes: bytes, place: bytes.indices, header: try Self.read(bytes), descriptors: .none)
            #expect(frame.header.kind == .methodCall)
            #expect(frame.header.serial == 1)
            #expect(frame.header.replySerial == 9)
            #expect(frame.header.descriptorCount == 2)
            #expect(frame.header.expectsReply)
            let message = try Message(frame)
            #expect(message.path == "/a/b" && message.interface == "a.B" && message.member == "M")
            #expect(message.errorName == "a.E" && message.destination == ":1.7" && message.sender == "a.c")
            #expect(try message.body() == [.uint32(isBigEndian ? 0x0102_0304 : 0x0403_0201)])
        }
    }

    private static let path = FakeBus.field(1, "o", FakeBus.string("/"))
    private static let interface = FakeBus.field(2, "s", FakeBus.string("a.B"))
    private static let member = FakeBus.field(3, "s", FakeBus.string("M"))
    private static let errorName = FakeBus.field(4, "s", FakeBus.string("a.E"))
    private static let replySerial = FakeBus.field(5, "u", FakeBus.number(1))

    @Test(arguments: 0..<5)
    func `each type of message needs its fields`(kind: Int) throws {
        let needs: [[[UInt8]]] = [
            [], [Self.path, Self.member], [Self.replySerial], [Self.errorName, Self.replySerial],
            [Self.path, Self.interface, Self.member],
        ]
        let needed = needs[kind]
        guard kind > 0 else {
            #expect(throws: DBusError.self) { try Self.read(FakeBus.message(type: 0, [Self.path, Self.member])) }
            #expect(try Self.read(FakeBus.message(type: 200, [])).kind == nil)
            return
        }
        _ = try Self.read(FakeBus.message(type: UInt8(kind), needed))
        for left in needed.indices {
            var fields = needed
            fields.remove(at: left)
            #expect(throws: DBusError.self) { try Self.read(FakeBus.message(type: UInt8(kind), fields)) }
        }
    }

    @Test(arguments: [
        FakeBus.field(0, "s", FakeBus.string("a")), FakeBus.field(1, "s", FakeBus.string("/")),
        FakeBus.field(1, "o", FakeBus.string("/a/")), FakeBus.field(1, "o", FakeBus.string("")),
        FakeBus.field(1, "o", FakeBus.string("/org/freedesktop/DBus/Local")),
        FakeBus.field(2, "s", FakeBus.string("org.freedesktop.DBus.Local")),
        FakeBus.field(2, "s", FakeBus.string("a")), FakeBus.field(2, "o", FakeBus.string("/a")),
        FakeBus.field(3, "s", FakeBus.string("a.b")), FakeBus.field(3, "s", FakeBus.string("")),
        FakeBus.field(4, "s", FakeBus.string("no")), FakeBus.field(5, "u", FakeBus.number(0)),
        FakeBus.field(5, "s", FakeBus.string("1")), FakeBus.field(6, "s", FakeBus.string("1")),
        FakeBus.field(7, "s", FakeBus.string("")), FakeBus.field(7, "s", FakeBus.string(":1")),
        FakeBus.field(8, "s", FakeBus.string("u")), FakeBus.signatureField("a"), FakeBus.signatureField("(u"),
        FakeBus.signatureField("a{vs}"), FakeBus.field(9, "s", FakeBus.string("1")),
        // A longer text than there is, one without its NUL, an unknown field that is none.
        FakeBus.field(7, "s", [255, 255, 255, 255, 97, 0]),
        FakeBus.field(7, "s", FakeBus.number(3) + Array("a.bc".utf8)),
        FakeBus.field(11, "s", FakeBus.number(1) + [0xFF, 0]), [11, 2, 117, 117, 0, 0, 0, 0], [11, 0, 0, 0],
        // Cut short.
        [5], [5, 1], [5, 1, 117], [5, 1, 117, 0, 1],
    ])
    func `a field that breaks D-Bus's rules is refused`(field: [UInt8]) {
        // A message that would be whole with or without the field; none is there twice but for the field's own sake.
        let others = [Self.path, Self.interface, Self.member].filter { $0[0] != field[0] }
        let bytes = FakeBus.message(type: 4, others + [field])
        #expect(throws: DBusError.self) { try Self.read(bytes) }
    }

    @Test(arguments: [path, interface, member, replySerial])
    func `a field that comes twice is refused`(field: [UInt8]) {
        let bytes = FakeBus.message(type: 4, [Self.path, Self.interface, Self.member, Self.replySerial, field])
        #expect(throws: DBusError.malformed("a field that comes twice")) { try Self.read(bytes) }
    }

    @Test func `padding that is not zero is refused wherever it stands`() throws {
        let bytes = FakeBus.tick([1, 0, 0, 0, 5, 0, 0, 0], signature: "yu")
        _ = try Self.read(bytes)
        var refused = 0
        for index in bytes.indices where bytes[index] == 0 {
            var changed = bytes
            changed[index] = 0x80
            if (try? Self.read(changed)) == nil { refused += 1 }
        }
        var inBody = bytes
        inBody[bytes.count - 7] = 1
        #expect(throws: DBusError.malformed("padding that is not zero")) { try Self.read(inBody) }
        // Between fields; the zeros of numbers and of flags may be others.
        #expect(refused > 30)
    }

    @Test func `no change of a single byte leads out of the message`() {
        let bytes = FakeBus.tick(FakeBus.string("hi") + [0] + FakeBus.number(5), signature: "su")
        for index in bytes.indices {
            for value: UInt8 in [0, 1, 2, 7, 0x7F, 0x80, 0xFF, bytes[index] ^ 1] {
                var changed = bytes
                changed[index] = value
                _ = try? Self.read(changed)
            }
        }
    }

    @Test func `a message cut short anywhere, or with more behind it, is refused`() {
        let bytes = FakeBus.tick(FakeBus.number(5), signature: "u")
        for length in bytes.indices {
            #expect(throws: DBusError.self) { try Self.read(Array(bytes[..<length])) }
        }
        #expect(throws: DBusError.self) { try Self.read(bytes + [0]) }
    }

    @Test func `a serial of 0, another version, a body without a signature are refused`() throws {
        var bytes = FakeBus.tick()
        bytes[8] = 0
        #expect(throws: DBusError.malformed("a serial of 0")) { try Self.read(bytes) }
        bytes = FakeBus.tick()
        bytes[3] = 0
        #expect(throws: DBusError.malformed("version 0 of the protocol")) { try Self.read(bytes) }
        #expect(throws: DBusError.malformed("a body without a signature")) { try Self.read(FakeBus.tick([1])) }
        bytes = FakeBus.tick()
        bytes[2] = 1
        #expect(try !Self.read(bytes).expectsReply)
    }

    @Test(arguments: [
        ("u", [UInt8](arrayLiteral: 1, 0, 0)), ("u", [1, 0, 0, 0, 0]), ("b", [2, 0, 0, 0]),
        ("s", [1, 0, 0, 0, 0xFF, 0]), ("s", [1, 0, 0, 0, 0, 0]), ("s", [1, 0, 0, 0, 97, 98]),
        ("s", [255, 255, 255, 255, 97, 0]), ("o", [1, 0, 0, 0, 97, 0]), ("g", [1, 97, 0]),
        ("v", [2, 121, 121, 0, 1]),
        ("v", [0, 0]), ("ay", [255, 255, 255, 255, 1]), ("au", [3, 0, 0, 0, 1, 2, 3]),
        ("aq", [3, 0, 0, 0, 1, 2, 3, 4]),
        ("as", [3, 0, 0, 0, 1, 0, 0, 0, 97, 0]), ("ab", [4, 0, 0, 0, 2, 0, 0, 0]),
        ("at", [0, 0, 0, 0, 1, 0, 0, 0]),
        ("ay", [1, 0, 0, 4, 1]), ("a{sv}", [8, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 97, 0, 1, 121]), ("yy", [1]),
        ("(yu)", [1, 9, 0, 0, 1, 0, 0, 0]),
    ])
    func `a body that is not what its signature says is refused`(signature: String, body: [UInt8]) {
        #expect(throws: DBusError.self) { try Self.read(FakeBus.tick(body, signature: signature)) }
    }

    @Test func `variants nested beyond the limit are refused, up to it they are taken`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array(repeatElement([1, 118, 0], count: depth - 1).joined()) + [1, 121, 0, 7]
        }
        _ = try Self.read(FakeBus.tick(nested(64), signature: "v"))
        for depth in [65, 1000, 100_000] {
            #expect(throws: DBusError.malformed("nested too deeply")) {
                try Self.read(FakeBus.tick(nested(depth), signature: "v"))
            }
        }
    }

    @Test(arguments: 0..<4)
    func `a header that is read after others is what it is alone`(seed: UInt64) {
        var random = SeededRandom(seed: 500 + seed)
        var reader = HeaderReader()
        var message = FakeBus.tick(FakeBus.number(1), signature: "u")
        let signature = FakeBus.signatureField("u")
        var (same, family, answers) = (0, 0, 0)
        // The last message that was no answer, and the shape that its header shared with others.
        var (other, shape) = (message, reader.shape)
        for _ in 0..<8000 {
            let before = message
            switch Int.random(in: 0..<16, using: &random) {
            case 0: message = WireReaderFuzzTests.Sample.random(&random)?.bytes ?? message
            case 1: message = FakeBus.tick(FakeBus.number(1), signature: "u")
            case 2: message = FakeBus.tick()
            case 3: message[Int.random(in: 0..<16, using: &random)] = UInt8.random(in: 0..<6, using: &random)
            case 4: message[Int.random(in: 0..<message.count, using: &random)] ^= 1
            case 5: message.append(0)
            case 6: message = FakeBus.tick(FakeBus.number(1), path: "/abc/d_2", signature: "u")
            case 7...9:
                // The place of the path's letters in the message that `tick` makes.
                let letters = Array("/abé_1".utf8)
                message[Int.random(in: 24..<30, using: &random)] = letters.randomElement(using: &random) ?? 0
            case 10: message = FakeBus.message(type: 2, [Self.replySerial, signature], body: FakeBus.number(1))
            case 11: message = FakeBus.message(type: 2, [signature, Self.replySerial], body: FakeBus.number(1))
            case 12, 13:
                // Where the serial of the call stands in the first of these.
                message[Int.random(in: 20..<24, using: &random)] = UInt8.random(in: 0..<4, using: &random)
            case 14: message = other
            default: message[8] = UInt8.random(in: 0..<4, using: &random)
            }
            let alone = Result { () throws(DBusError) in try FrameHeader(message.span) }
            let after = Result { () throws(DBusError) in try reader.read(message.span) }
            #expect(alone == after, "\(message) after \(before)")
            guard case .success(let header) = alone else {
                message = before
                continue
            }
            #expect((header.kind == .methodReturn) == (reader.shape == nil))
            guard let newShape = reader.shape else {
                answers += 1
                continue
            }
            defer { (other, shape) = (message, newShape) }
            if message[12...] == other[12...] { same += 1 }
            let fields = 12..<header.bodyStart
            if newShape.header == shape?.header { #expect(message[fields] == other[fields]) }
            guard newShape.family == shape?.family, let path = header.place(of: .path) else { continue }
            if newShape.header != shape?.header { family += 1 }
            for index in fields where !path.contains(index) { #expect(message[index] == other[index]) }
        }
        #expect(same > 100)
        #expect(family > 50)
        #expect(answers > 500)
    }

    @Test(arguments: 0..<4)
    func `a body that passes the check is decoded, whatever was changed in it`(seed: UInt64) {
        var random = SeededRandom(seed: 300 + seed)
        var (taken, refused) = (0, 0)
        while taken + refused < 500 {
            guard let sample = WireReaderFuzzTests.Sample.random(&random) else { continue }
            for _ in 0..<20 {
                let mutated = sample.mutated(&random)
                guard mutated.signature == sample.signature, let header = try? FrameHeader(mutated.bytes.span) else {
                    continue
                }
                let isChecked = (try? header.checkBody(of: mutated.bytes.span)) != nil
                let values = try? WireReader.body(ofMessage: mutated.bytes, signature: mutated.signature)
                // The reader does not look at padding, and does not have to.
                #expect(!isChecked || values != nil)
                if isChecked { taken += 1 } else { refused += 1 }
            }
        }
        #expect(taken > 20 && refused > 20, "\(taken) taken, \(refused) refused")
    }
}
#endif
