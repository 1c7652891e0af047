// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapPrivateBus
import Testing

@Suite(.timeLimit(.minutes(60)))
struct FrameSplitterTests {
    /// Puts bytes in, in pieces of at most so many, and takes the messages out.
    static func split(_ bytes: [UInt8], piece: Int) throws(DBusError) -> [[UInt8]] {
        var splitter = FrameSplitter()
        var messages: [[UInt8]] = []
        var sent = 0
        while sent < bytes.count {
            sent += put(bytes[sent...].prefix(piece), into: &splitter)
            while let place = try splitter.next() { messages.append(Array(splitter.bytes[place])) }
        }
        return messages
    }

    /// Puts in as much as there is room for.
    static func put(_ bytes: ArraySlice<UInt8>, into splitter: inout FrameSplitter) -> Int {
        unsafe splitter.receive { room in
            let count = min(room.count, bytes.count)
            unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<count]).copyBytes(from: bytes.prefix(count))
            return count
        }
    }

    private static let samples: [[UInt8]] = [
        FakeBus.tick(), FakeBus.tick(FakeBus.number(7), signature: "u"),
        FakeBus.tick(FakeBus.string("hi", isBigEndian: true), signature: "s", isBigEndian: true),
        FakeBus.message(type: 2, [FakeBus.field(5, "u", FakeBus.number(3))]),
        FakeBus.tick([UInt8](repeating: 1, count: 300), signature: "y"),
    ]

    @Test(arguments: 1...40)
    func `messages come out whole, whatever the pieces in which their bytes come`(piece: Int) throws {
        let all = Array(repeatElement(Self.samples, count: 3).joined())
        #expect(try Self.split(Array(all.joined()), piece: piece) == all)
    }

    @Test func `a message cut at any byte waits for the rest of it`() throws {
        for sample in Self.samples {
            for cut in 1..<sample.count {
                var splitter = FrameSplitter()
                #expect(Self.put(sample[..<cut], into: &splitter) == cut)
                #expect(try splitter.next() == nil)
                #expect(!splitter.isEmpty)
                #expect(Self.put(sample[cut...], into: &splitter) == sample.count - cut)
                let place = try #require(try splitter.next())
                #expect(Array(splitter.bytes[place]) == sample)
                #expect(try splitter.next() == nil)
                #expect(splitter.isEmpty)
            }
        }
    }

    @Test
    func `many messages in one piece come out one after the other, and those that go round the buffer's end do`() throws
    {
        let sample = FakeBus.tick(FakeBus.number(7), signature: "u")
        let count = 3 * FrameSplitter.usualCapacity / sample.count
        let bytes = Array(repeatElement(sample, count: count).joined())
        #expect(try Self.split(bytes, piece: .max).count == count)
    }

    @Test(arguments: [65_400, 65_536, 65_537, 131_072, 200_000, 1 << 20])
    func `a long message is taken without a copy of the buffer, which is small again afterwards`(length: Int) throws {
        let body = FakeBus.number(UInt32(length)) + [UInt8](repeating: 7, count: length)
        let (long, short) = (FakeBus.tick(body, signature: "ay"), FakeBus.tick())
        for piece in [1000, 65_536, .max] {
            #expect(
                try Self.split(short + long + short + long + long + short, piece: piece).map(\.count)
                    == [short, long, short, long, long, short].map(\.count))
        }
        var splitter = FrameSplitter()
        var sent = 0
        var place: Range<Int>?
        while place == nil {
            sent += Self.put(long[sent...], into: &splitter)
            place = try splitter.next()
        }
        #expect(Array(splitter.bytes[try #require(place)]) == long)
        _ = unsafe splitter.receive { _ in 0 }
        #expect(splitter.bytes.count == FrameSplitter.usualCapacity)
    }

    @Test
    func `a length that is only claimed takes no memory; what is taken is at most twice what came`() throws {
        let long = FakeBus.tick([UInt8](repeating: 0, count: 64), signature: "ay", bodyLength: 31 << 20)
        var splitter = FrameSplitter()
        _ = Self.put(long[...], into: &splitter)
        #expect(try splitter.next() == nil)
        #expect(splitter.bytes.count == FrameSplitter.usualCapacity)
        var came = long.count
        while came < 2 << 20 {
            let piece = [UInt8](repeating: 0, count: 10_000)
            came += Self.put(piece[...], into: &splitter)
            #expect(try splitter.next() == nil)
            #expect(splitter.bytes.count <= max(FrameSplitter.usualCapacity, 2 * came))
        }
    }

    @Test(arguments: [false, true])
    func `a message that passes a limit is refused at its first sixteen bytes`(isBigEndian: Bool) throws {
        func start(_ order: UInt8? = nil, fields: UInt32 = 0, body: UInt32 = 0) -> [UInt8] {
            [order ?? UInt8(ascii: isBigEndian ? "B" : "l"), 4, 0, 1] + FakeBus.number(body, isBigEndian: isBigEndian)
                + FakeBus.number(1, isBigEndian: isBigEndian) + FakeBus.number(fields, isBigEndian: isBigEndian)
        }
        let limit = UInt32(DBusValue.maximumMessageLength)
        let refused = [
            start(0), start(UInt8(ascii: "b")), start(body: limit - 15), start(body: .max), start(fields: limit),
            start(fields: .max), start(fields: .max, body: .max), start(fields: 100, body: limit - 100),
        ]
        for bytes in refused {
            var splitter = FrameSplitter()
            _ = Self.put(bytes[..<15], into: &splitter)
            #expect(try splitter.next() == nil)
            _ = Self.put(bytes[15...], into: &splitter)
            #expect(throws: DBusError.self) { try splitter.next() }
        }
        var splitter = FrameSplitter()
        _ = Self.put(start(body: limit - 16)[...], into: &splitter)
        #expect(try splitter.next() == nil)
    }
}
#endif
