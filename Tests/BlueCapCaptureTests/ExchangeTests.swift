// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

/// Rules of a twin from a capture: the same write that always led to the same values.
@Suite(.timeLimit(.minutes(60)))
struct ExchangeTests {
    /// A link to a device with a command at 3, a result at 5 with its configuration at 6, and a level at 8 with 9.
    private struct Scene {
        var link = AirLink()

        init() {
            for (text, isCentral) in [
                ("10 0100 FFFF 0028", true), ("11 06 0100 0900 F0FF", false), ("08 0100 0900 0328", true),
                ("09 07 0200 0C 0300 F1FF 0400 12 0500 F2FF 0700 12 0800 192A", false),
                ("12 0600 0100", true), ("13", false), ("12 0900 0100", true), ("13", false),
            ] { pass(text, isCentral) }
        }

        mutating func pass(_ text: String, _ isCentral: Bool) {
            link.pass(text, fromCentral: isCentral, direction: isCentral ? .sent : .received)
        }

        /// The command is written, with a response or without, and results follow.
        mutating func write(_ value: String, command: Bool = false, results: String...) {
            pass((command ? "52" : "12") + " 0300 " + value, true)
            if !command { pass("13", false) }
            for result in results { pass("1B 0500 " + result, false) }
        }

        var command: TwinCharacteristic? { link.services.first?.characteristics.first }
        var result: TwinCharacteristic? { link.services.first?.characteristics.dropFirst().first }
    }

    private func answer(_ write: Bytes, _ values: Bytes..., first: Int64 = 20) -> TwinAnswer {
        TwinAnswer(
            write: write,
            replies: values.enumerated().map {
                TwinReply("FFF2", after: .milliseconds(first + 10 * Int64($0)), value: $1)
            })
    }

    @Test func `writes that had the same replies each time become rules, and their replies no notifications`() {
        var scene = Scene()
        scene.write("01", results: "A1", "A2")
        scene.write("02", command: true, results: "B1")
        scene.write("01", results: "A1", "A2")
        #expect(scene.command?.answers == [answer([1], [0xA1], [0xA2]), answer([2], [0xB1], first: 10)])
        #expect(scene.result?.notifications == [])
    }

    @Test func `a write with other replies the next time is no rule, and its replies stay notifications`() {
        var scene = Scene()
        scene.write("01", results: "A1")
        scene.write("02", results: "B1")
        scene.write("02", results: "B2")
        #expect(scene.command?.answers == [answer([1], [0xA1])])
        #expect(scene.result?.notifications.map(\.value) == [[0xB1], [0xB2]])
    }

    @Test(arguments: [["A1"], ["A1", "A2", "A3"], [], ["A1", "A1"]])
    func `fewer replies, more and others are not the same`(results: [String]) {
        var scene = Scene()
        scene.write("01", results: "A1", "A2")
        scene.write("01")
        for result in results { scene.pass("1B 0500 " + result, false) }
        scene.write("03")
        #expect(scene.command?.answers == [])
    }

    @Test func `a characteristic that also sends by itself has no part in rules`() {
        var scene = Scene()
        scene.pass("1B 0500 A0", false)
        scene.write("01", results: "A1")
        #expect(scene.command?.answers == [])
        #expect(scene.result?.notifications.count == 2)
    }

    @Test func `a reply to one of two writes is nobody's, until one of them was alone`() {
        var scene = Scene()
        scene.write("01")
        scene.write("02", results: "B1")
        #expect(scene.command?.answers == [])
        scene.write("02", results: "B1")
        #expect(scene.command?.answers == [answer([2], [0xB1])])
    }

    @Test func `a value after a subscription, a refused write or a long time is no reply`() {
        for text in ["12 0900 0100", "01 12 0300 03"] {
            var scene = Scene()
            scene.pass("12 0300 01", true)
            scene.pass(text, text.hasPrefix("12"))
            scene.pass("1B 0500 A1", false)
            #expect(scene.command?.answers == [] && scene.result?.notifications.count == 1, "\(text)")
        }
        var scene = Scene()
        scene.write("01")
        // Ten milliseconds each.
        for _ in 0..<500 { scene.pass("0A 0800", true) }
        scene.pass("1B 0500 A1", false)
        #expect(scene.command?.answers == [])
    }

    @Test func `a write that the capture ends behind is judged by the others`() {
        var scene = Scene()
        scene.write("01", results: "A1", "A2")
        scene.write("01", results: "A1")
        #expect(scene.command?.answers == [answer([1], [0xA1], [0xA2])])
    }

    @Test func `of data in many parts no more than thousands are looked at`() {
        var exchanges = ObservedExchanges()
        var open: ObservedExchanges.Open?
        for number in 0..<10_000 {
            let value = Bytes([UInt8(number >> 8), UInt8(truncatingIfNeeded: number)])
            open = exchanges.begin(.init(handle: 3, value: value), at: nil, after: open)
        }
        #expect(exchanges.all.count == 4096 && open == nil)
    }
}
