// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

/// The assignment of answers to requests.
@Suite(.timeLimit(.minutes(60)))
struct ConversationTests {
    /// A discovery of a battery and a read of its level: each packet, and whether the central sends it.
    private static let battery: [(text: String, fromCentral: Bool)] = [
        ("10 0100 FFFF 0028", true), ("11 06 0100 0500 0018 0600 0900 0F18 0A00 1400 0A18", false),
        ("08 0600 0900 0328", true), ("09 07 0700 12 0800 192A", false), ("0A 0800", true), ("0B 5A", false),
    ]

    private static let services = [
        TwinService("1800", handle: 1),
        TwinService(
            "180F", handle: 6,
            characteristics: [TwinCharacteristic("2A19", handle: 8, properties: [.read, .notify], value: [0x5A])]),
        TwinService("180A", handle: 10),
    ]

    @Test(arguments: [[0], [1], [2], [3], [4], [5], [0, 2, 4], [1, 3, 5], [0, 3]])
    func `an answer belongs to its request where the recorded direction of one of them is wrong`(wrong: [Int]) {
        var link = AirLink()
        for (index, packet) in Self.battery.enumerated() {
            let isSent = packet.fromCentral != wrong.contains(index)
            link.pass(packet.text, fromCentral: packet.fromCentral, direction: isSent ? .sent : .received)
        }
        #expect(link.services == Self.services)
    }

    @Test func `a subscription whose recorded direction is wrong is the peripheral's`() {
        var link = AirLink()
        for packet in Self.battery {
            link.pass(packet.text, fromCentral: packet.fromCentral, direction: packet.fromCentral ? .sent : .received)
        }
        link.pass("12 0900 0100", fromCentral: true, direction: .received)
        link.pass("13", fromCentral: false, direction: .received)
        link.pass("1B 0800 59", fromCentral: false, direction: .received)
        let notifications = link.services.dropFirst().first?.characteristics.first?.notifications
        // 20 ms are between the write and the value.
        #expect(notifications == [TwinNotification(after: .milliseconds(20), value: [0x59])])
    }

    @Test func `where both ends ask at once and directions are recorded, each answer is that of the right end`() {
        var link = AirLink()
        link.pass("0A 0300", fromCentral: true, direction: .sent)
        link.pass("0A 0500", fromCentral: false, direction: .received)
        link.pass("0B 07", fromCentral: true, direction: .sent)
        link.pass("0B 08", fromCentral: false, direction: .received)
        #expect(link.accesses.map(\.device) == [AirLink.central, AirLink.peripheral])
        #expect(link.accesses.map(\.handle) == [5, 3])
        #expect(link.accesses.map(\.value) == [[7], [8]])
    }

    /// Both ends exchange MTUs while the central discovers, in several orders.
    private static let mixed: [[(text: String, fromCentral: Bool)]] = [
        [("02 0502", true), ("02 F700", false), battery[0], ("03 F700", false), ("03 0502", true), battery[1]],
        [("02 F700", false), battery[0], ("03 0502", true), battery[1]],
        [battery[0], ("02 F700", false), battery[1], ("03 0502", true)],
        [battery[0], ("02 F700", false), ("03 0502", true), battery[1]],
        [battery[0], ("0A 0300", false), ("01 0A 0300 01", true), battery[1]],
        [battery[0], ("12 0300 01", false), ("13", true), battery[1]],
    ]

    @Test(arguments: mixed.indices)
    func `without directions an answer belongs to the request of its kind, though the other end asked later`(
        _ index: Int
    ) {
        var link = AirLink()
        for packet in Self.mixed[index] + Self.battery.dropFirst(2) {
            link.pass(packet.text, fromCentral: packet.fromCentral, direction: nil)
        }
        #expect(link.services == Self.services)
    }

    @Test func `a refusal belongs to the request that it names`() {
        var link = AirLink()
        link.pass("0A 0300", fromCentral: true, direction: nil)
        link.pass("12 0400 01", fromCentral: false, direction: nil)
        link.pass("01 12 0400 03", fromCentral: true, direction: nil)
        link.pass("0B 07", fromCentral: false, direction: nil)
        #expect(link.accesses.map(\.kind) == [.read])
        #expect(link.accesses.map(\.handle) == [3])
    }

    @Test func `a request whose answer was not heard is over with the answer to a later one`() {
        var link = AirLink()
        link.pass("0A 0300", fromCentral: true, direction: .sent)
        link.pass("12 0400 01", fromCentral: true, direction: .sent)
        link.pass("13", fromCentral: false, direction: .received)
        link.pass("0B 07", fromCentral: false, direction: .received)
        #expect(link.accesses.map(\.kind) == [.written])
    }
}
