// SPDX-License-Identifier: MIT

import BlueCapESPHome

/// The bytes of a client of a proxy: the frames do not depend on the pieces in which the bytes come, and a message is
/// the same after it was written and read again.
struct ProxyFuzzer {
    func run(_ input: inout FuzzInput) {
        switch input.byte() % 4 {
        case 0: Self.message(&input)
        case 1: Self.frames(.sealed, &input)
        default: Self.frames(.clear, &input)
        }
    }

    private static func message(_ input: inout FuzzInput) {
        let type = input.pick(APIMessages.all)
        check(RawMessage(number: type.number, body: input.rest()[...]))
    }

    private static func check(_ raw: RawMessage) {
        guard let message = try? APIMessages.decode(raw) else { return }
        guard let again = try? APIMessages.decode(message.raw) else { return expect(false, "\(message) is not read") }
        expect(again.raw == message.raw, "\(message), \(again)")
    }

    private static func frames(_ kind: FrameCutter.Kind, _ input: inout FuzzInput) {
        let size = Int(input.byte()) % 40 + 1
        let bytes = input.rest()
        let (whole, pieces) = (cut(bytes, kind, size: max(bytes.count, 1)), cut(bytes, kind, size: size))
        expect(whole.frames == pieces.frames, "\(whole.frames.count) frames, \(pieces.frames.count) in pieces")
        expect(whole.error == pieces.error, "\(String(describing: whole.error)), \(String(describing: pieces.error))")
        for frame in whole.frames {
            switch frame {
            case .clear(let message): check(message)
            case .sealed(let text): if let message = try? RawMessage(text: text) { check(message) }
            }
        }
    }

    private static func cut(
        _ bytes: [UInt8], _ kind: FrameCutter.Kind, size: Int
    ) -> (frames: [Frame], error: WireError?) {
        var cutter = FrameCutter(kind, limit: 300)
        var frames: [Frame] = []
        do throws(WireError) {
            for start in stride(from: 0, to: bytes.count, by: size) {
                cutter.append(bytes[start...].prefix(size))
                while let frame = try cutter.next() { frames.append(frame) }
                expect(cutter.waitingCount < 310, "\(cutter.waitingCount) bytes wait")
            }
        } catch {
            return (frames, error)
        }
        return (frames, nil)
    }
}
