// SPDX-License-Identifier: MIT

import BlueCapTestExecutor
import Testing

@testable import BlueCapESPHome

@Suite("Frames", .timeLimit(.minutes(60)))
struct FrameCutterTests {
    private static let messages = [
        RawMessage(number: 7, body: []), RawMessage(number: 1, body: [10, 1, 116, 16, 1, 24, 10]),
        RawMessage(number: 150, body: ArraySlice((0..<300).map { UInt8(truncatingIfNeeded: $0) })),
    ]

    private func cut(_ kind: FrameCutter.Kind, _ bytes: [UInt8], pieces: Int) throws(WireError) -> [Frame] {
        var cutter = FrameCutter(kind)
        var frames: [Frame] = []
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            cutter.append(bytes[start...].prefix(pieces))
            while let frame = try cutter.next() { frames.append(frame) }
        }
        #expect(cutter.waitingCount == 0)
        return frames
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `are the same in whichever pieces they come`(pieces: Int) throws {
        let clear = Self.messages.map(Frame.clear)
        #expect(try cut(.clear, clear.flatMap(\.bytes), pieces: pieces) == clear)
        let sealed = Self.messages.map { Frame.sealed($0.text[...]) }
        #expect(try cut(.sealed, sealed.flatMap(\.bytes), pieces: pieces) == sealed)
    }

    @Test func `end at each byte without a frame that is not whole`() throws {
        for kind in [FrameCutter.Kind.clear, .sealed] {
            let message = Self.messages[2]
            let bytes = kind == .clear ? Frame.clear(message).bytes : Frame.sealed(message.text[...]).bytes
            for end in 0..<bytes.count {
                var cutter = FrameCutter(kind)
                cutter.append(bytes[..<end])
                #expect(try cutter.next() == nil)
                #expect(cutter.waitingCount == end)
            }
        }
    }

    @Test(arguments: [
        ([0x00, 0x81, 0x80, 0x02], WireError.tooLong), ([0x00, 0x80, 0xAD, 0xE2, 0x04, 0x07], .tooLong),
        ([0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], .tooLong),
        ([0x00, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], .malformed),
        ([0x00, 0x00, 0x80, 0x80, 0x04], .tooLong), ([0x01, 0x00], .badIndicator(1)), ([0x16], .badIndicator(0x16)),
    ])
    func `in clear text that lie are refused by their head`(bytes: [UInt8], error: WireError) {
        var cutter = FrameCutter(.clear)
        cutter.append(bytes)
        #expect(throws: error) { try cutter.next() }
    }

    @Test func `that are sealed and longer than allowed are refused by their head`() throws {
        var cutter = FrameCutter(.sealed, limit: 128)
        cutter.append([1, 0, 129])
        #expect(throws: WireError.tooLong) { try cutter.next() }
        cutter = FrameCutter(.sealed, limit: 128)
        cutter.append([1, 0, 128])
        #expect(try cutter.next() == nil)
        cutter = FrameCutter(.sealed)
        cutter.append([0])
        #expect(throws: WireError.badIndicator(0)) { try cutter.next() }
    }

    @Test func `carry a message within, whose own length is not looked at`() throws {
        let message = RawMessage(number: 0x1234, body: [1, 2])
        #expect(message.text == [0x12, 0x34, 0, 2, 1, 2])
        #expect(try RawMessage(text: [0x12, 0x34, 0xFF, 0xFF, 1, 2]) == message)
        for count in 0..<4 {
            #expect(throws: WireError.malformed) { _ = try RawMessage(text: [UInt8](repeating: 0, count: count)[...]) }
        }
    }

    @Test func `of random bytes end with an error or wait, and keep no more than a frame`() {
        var random = SeededRandom(seed: 1)
        for kind in [FrameCutter.Kind.clear, .sealed] {
            for _ in 0..<2000 {
                var cutter = FrameCutter(kind)
                do throws(WireError) {
                    for _ in 0..<20 {
                        cutter.append(
                            (0..<40).map { _ in random.next() % 3 == 0 ? 0 : UInt8(truncatingIfNeeded: random.next()) })
                        while try cutter.next() != nil {}
                        #expect(cutter.waitingCount <= FrameCutter.longestRequest + 8)
                    }
                } catch {}
            }
        }
    }
}
