// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapTestExecutor
import func CBlueCapDBus.dbus_message_demarshal
import func CBlueCapDBus.dbus_message_unref
@testable import BlueCapDBus
import BlueCapPrivateBus
import Testing

/// Accepted and refused messages, compared with libdbus.
@Suite(.timeLimit(.minutes(60)))
struct AgainstLibraryTests {
    /// Whether libdbus's own reading, which the library does not use, takes a whole message.
    private static func libraryTakes(_ bytes: [UInt8]) -> Bool {
        let message = unsafe bytes.withUnsafeBytes { bytes in
            unsafe dbus_message_demarshal(bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count), nil)
        }
        guard let message = unsafe message else { return false }
        unsafe dbus_message_unref(message)
        return true
    }

    /// The error with which we refuse a message, if we do, and whether the message claims to have descriptors: libdbus
    /// does not read such a message in this way.
    private static func refusal(of bytes: [UInt8]) -> (DBusError?, hasDescriptors: Bool) {
        var hasDescriptors = false
        do throws(DBusError) {
            let header = try FrameHeader(bytes.span)
            hasDescriptors = header.descriptorCount > 0
            try header.checkBody(of: bytes.span)
            return (nil, hasDescriptors)
        } catch {
            return (error, hasDescriptors)
        }
    }

    /// Fields of bus names, in which libdbus takes a unique name without a dot, against the specification.
    private static let stricter: [DBusError] = [.malformed("field 6 of a header"), .malformed("field 7 of a header")]

    private static func sample(_ random: inout SeededRandom) -> [UInt8]? {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: FakeBus.tick(FakeBus.string("hi") + [0] + FakeBus.number(5), signature: "su")
        case 1:
            FakeBus.message(
                type: 3,
                [
                    FakeBus.field(4, "s", FakeBus.string("a.Error")), FakeBus.field(5, "u", FakeBus.number(1)),
                    FakeBus.field(6, "s", FakeBus.string(":1.9")), FakeBus.field(20, "u", FakeBus.number(1)),
                ])
        default: WireReaderFuzzTests.Sample.random(&random)?.bytes
        }
    }

    @Test(arguments: 0..<8)
    func `what we write libdbus takes`(seed: UInt64) throws {
        var random = SeededRandom(seed: 500 + seed)
        var taken = 0
        while taken < 300 {
            let values = (0..<Int.random(in: 0..<5, using: &random)).map { _ in random.value() }
            let call = FakeBus.message(
                type: 1,
                [
                    FakeBus.field(1, "o", FakeBus.string("/a")), FakeBus.field(3, "s", FakeBus.string("Do")),
                    FakeBus.field(7, "s", FakeBus.string(":1.9")),
                ])
            var builder =
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    try MessageBuilder.methodCall(
                        to: [nil, "a.b"].randomElement(using: &random) ?? nil, path: "/", interface: nil, member: "C",
                        autoStart: .random(using: &random), expectsReply: .random(using: &random))
                case 1: try MessageBuilder.reply(to: Message(wireBytes: call))
                case 2: try MessageBuilder.error(to: Message(wireBytes: call), name: "a.E", message: "text")
                default: try MessageBuilder.signal(path: "/a/b", interface: "a.b", member: "C", to: ":1.7")
                }
            var isWhole = true
            for value in values { do { try builder.append(value) } catch { isWhole = false } }
            guard isWhole else { continue }
            let message = builder.finish()
            var bytes = message.frame.bytes
            bytes[8] = 1
            #expect(Self.libraryTakes(bytes), "\(bytes)")
            // A built message has the same properties as the same message read from its bytes.
            let read = try Message(wireBytes: bytes)
            #expect(
                read.path == message.path && read.member == message.member && read.interface == message.interface
                    && read.destination == message.destination && read.errorName == message.errorName
                    && read.signature == message.signature && read.replySerial == message.replySerial
                    && read.expectsReply == message.expectsReply && read.kind == message.kind)
            taken += 1
        }
    }

    @Test(arguments: 0..<8)
    func `any change of a message is taken or refused as libdbus does`(seed: UInt64) {
        var random = SeededRandom(seed: 400 + seed)
        var (taken, refused) = (0, 0)
        while taken + refused < 3000 {
            guard let sample = Self.sample(&random) else { continue }
            for _ in 0..<40 {
                var bytes = sample
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    case 1: bytes[index] = UInt8.random(in: 0..<10, using: &random)
                    case 2: bytes[index] = bytes.randomElement(using: &random) ?? 0
                    default: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                    }
                }
                let (refusal, hasDescriptors) = Self.refusal(of: bytes)
                if hasDescriptors { continue }
                // libdbus waits for more bytes if a message is incomplete, and leaves bytes after the end of one.
                let length = try? FramePrefix(bytes.span).messageLength
                guard length == nil || length == bytes.count else { continue }
                if let refusal, Self.stricter.contains(refusal) { continue }
                #expect((refusal == nil) == Self.libraryTakes(bytes), "\(String(describing: refusal)) for \(bytes)")
                if refusal == nil { taken += 1 } else { refused += 1 }
            }
        }
        #expect(taken > 100 && refused > 100, "\(taken) taken, \(refused) refused")
    }
}
#endif
