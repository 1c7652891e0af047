// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

/// A link to the lamp and packets of L2CAP on it, as a controller's host sees them.
struct ChannelSession {
    private(set) var analysis: CaptureAnalysis
    private var time: Int64 = 0

    init(limits: CaptureAnalysis.Limits = .init(), only: PeerIdentifier? = nil) {
        analysis = CaptureAnalysis(only: only, limits: limits)
        event("3E 13 01 00 4000 00 01 01000000DEC0 2400 0000 F401 00")
    }

    mutating func event(_ text: String) {
        analysis.add(CapturedPacket(time: next(), kind: .event, bytes: Bytes(bytes(text))))
    }

    private mutating func next() -> Timestamp {
        time += 1000
        return Timestamp(microseconds: LampSession.start + time)
    }

    /// A frame on a channel, in hexadecimal digits.
    mutating func put(_ direction: CapturedPacket.Direction, _ channel: UInt16, _ text: String) {
        put(direction, channel, bytes(text))
    }

    mutating func put(_ direction: CapturedPacket.Direction, _ channel: UInt16, _ payload: [UInt8]) {
        var packet: [UInt8] = []
        packet.append(UInt16(direction == .sent ? 0x0040 : 0x2040), .littleEndian)
        packet.append(UInt16(payload.count + 4), .littleEndian)
        packet.append(UInt16(payload.count), .littleEndian)
        packet.append(channel, .littleEndian)
        analysis.add(
            CapturedPacket(
                time: next(), kind: .data(direction), bytes: Bytes(packet + payload)))
    }

    /// The central opens PSM 0x80: units of 100 bytes to it in frames of 30, and of 64 in frames of 23 to the device.
    mutating func open(central: String = "4100", device: String = "4200") {
        put(.sent, 5, "14 01 0A00 8000 \(central) 6400 1E00 0300")
        put(.received, 5, "15 01 0A00 \(device) 4000 1700 0200 0000")
    }

    var channels: [CapturedChannel] { analysis.channels(of: LampSession.device) }
}

@Suite("Channels in a capture", .timeLimit(.minutes(60)))
struct ChannelAnalysisTests {
    @Test func `have their PSM, terms, credits, units of several frames each way, and end`() throws {
        var session = ChannelSession()
        session.open()
        // 25 bytes in two frames of 23 at most, the first with the length; then one of 2 bytes.
        session.put(.sent, 0x42, [25, 0] + Array(0..<21))
        session.put(.received, 5, "16 02 0400 4200 0500")
        session.put(.sent, 0x42, "15 16 17 18")
        session.put(.received, 0x41, "0200 AABB")
        session.put(.sent, 5, "16 02 0400 4100 0100")
        session.put(.sent, 5, "06 03 0400 4200 4100")
        session.put(.received, 5, "07 03 0400 4200 4100")
        let channel = try #require(session.channels.first)
        #expect(session.channels.count == 1)
        #expect(channel.psm == 0x80 && channel.isAccepted && !channel.isEncrypted)
        #expect(
            channel.device
                == .init(
                    number: 0x42, maximumUnitLength: 64, maximumFrameLength: 23, initialCredits: 2, addedCredits: 5,
                    frameCount: 1, unitCount: 1, byteCount: 2))
        #expect(
            channel.peer
                == .init(
                    number: 0x41, maximumUnitLength: 100, maximumFrameLength: 30, initialCredits: 3, addedCredits: 1,
                    frameCount: 2, unitCount: 1, byteCount: 25))
        #expect(channel.units.map(\.value) == [Bytes(Array(0..<25)), [0xAA, 0xBB]])
        #expect(channel.units.map(\.isFromDevice) == [false, true])
        #expect(channel.time == Timestamp(microseconds: LampSession.start + 2000))
        #expect(channel.units.first?.time == Timestamp(microseconds: LampSession.start + 6000))
        #expect(channel.outcome == .closedByPeer && channel.malformedCount == 0)
        #expect(session.analysis.channelCounts == CapturedChannelCounts())
        #expect(session.analysis.devices.first { $0.identifier == LampSession.device }?.channelCount == 1)
        // The host's own device was asked for none.
        #expect(session.analysis.devices.first { $0.isOwn }?.channelCount == 0)
    }

    @Test(arguments: [2, 4, 8, 0x0B, 0x7777] as [UInt16])
    func `that are refused have the result`(_ result: UInt16) {
        var session = ChannelSession()
        session.put(.sent, 5, "14 01 0A00 8000 4100 6400 1E00 0300")
        session.put(.received, 5, bytes("15 01 0A00 0000 0000 0000 0000") + [UInt8(result & 0xFF), UInt8(result >> 8)])
        #expect(session.channels.map(\.outcome) == [.refused(ChannelRefusal(rawValue: result))])
        #expect(session.channels.map(\.isAccepted) == [false])
        #expect(session.channels.first?.device == .init())
    }

    @Test func `are closed by the device, or end with their link, and a request may have no answer`() {
        var session = ChannelSession()
        session.open()
        session.put(.received, 5, "06 09 0400 4100 4200")
        // What was on its way still arrives.
        session.put(.sent, 0x42, "0100 55")
        session.put(.sent, 5, "07 09 0400 4100 4200")
        session.put(.sent, 0x42, "0100 66")
        session.open()
        session.put(.sent, 5, "14 07 0A00 8100 4300 6400 1E00 0300")
        session.event("05 04 00 4000 13")
        #expect(session.channels.map(\.outcome) == [.closedByDevice, .linkEnded, nil])
        #expect(session.channels.map(\.psm) == [0x80, 0x80, 0x81])
        #expect(session.channels.first?.units.map(\.value) == [[0x55]])
        // One frame came after the end.
        #expect(session.analysis.channelCounts.unexplained == 1)
    }

    @Test func `that a device opens to the host belong to the host's device`() {
        var session = ChannelSession()
        session.put(.received, 5, "14 01 0A00 9000 4100 6400 1E00 0300")
        session.put(.sent, 5, "15 01 0A00 4100 4000 1700 0200 0000")
        // Both ends have the same number.
        session.put(.received, 0x41, "0100 01")
        session.put(.sent, 0x41, "0100 02")
        #expect(session.channels.isEmpty)
        let own = session.analysis.devices.first { $0.isOwn }
        let channels = own.map { session.analysis.channels(of: $0.identifier) } ?? []
        #expect(channels.map(\.psm) == [0x90])
        #expect(channels.first?.units.map(\.isFromDevice) == [false, true])
        #expect(channels.first?.units.map(\.value) == [[1], [2]])
    }

    @Test(
        arguments: [
            // A unit that is longer than the device takes, a frame that is, and more bytes than the length says.
            [[65, 0, 1]], [[10, 0] + Array(repeating: 1, count: 22)], [[2, 0, 1], [2, 3]],
            // No length.
            [[7]], [[]],
        ] as [[[UInt8]]])
    func `with a length that lies lose the rest of that direction`(_ frames: [[UInt8]]) {
        var session = ChannelSession()
        session.open()
        session.put(.received, 5, "16 02 0400 4200 0500")
        for frame in frames { session.put(.sent, 0x42, frame) }
        session.put(.sent, 0x42, "0100 55")
        session.put(.received, 0x41, "0100 66")
        #expect(session.channels.map(\.malformedCount) == [1])
        #expect(session.channels.first?.units.map(\.value) == [[0x66]])
    }

    @Test func `count frames without a credit, and credits of none or too many`() {
        var session = ChannelSession()
        session.open()
        for number in 0..<3 { session.put(.sent, 0x42, [1, 0, UInt8(number)]) }
        session.put(.received, 5, "16 02 0400 4200 0000")
        session.put(.received, 5, "16 02 0400 4200 FFFF")
        session.put(.received, 5, "16 02 0400 4200 0100")
        #expect(session.channels.map(\.malformedCount) == [3])
        #expect(session.channels.first?.units.count == 3)
        #expect(session.channels.first?.device.addedCredits == 65_535)
    }

    @Test(arguments: [
        "", "14", "14 01 0A00 8000", "14 00 0A00 8000 4100 6400 1E00 0300", "14 01 0B00 8000 4100 6400 1E00 0300",
        "14 01 0900 8000 4100 6400 1E00 03", "15 01 0200 4100", "16 01 0300 410001", "06 01 0200 4100",
        "06 01 0500 41004200 00",
    ])
    func `are not made of signalling whose length lies`(_ text: String) {
        var session = ChannelSession()
        session.put(.sent, 5, text)
        #expect(session.channels.isEmpty)
        #expect(session.analysis.channelCounts.malformed == 1)
    }

    @Test(arguments: [("3F00", "4200"), ("4100", "8000")])
    func `have ends with numbers in the range of LE links`(_ central: String, _ device: String) {
        var session = ChannelSession()
        session.open(central: central, device: device)
        #expect(session.channels.map(\.isAccepted) == [false])
        #expect(session.channels.map(\.malformedCount) == [1])
        #expect(session.analysis.channelCounts.malformed == 1)
    }

    @Test func `of which the capture has no opening are counted, and so is the enhanced mode`() {
        var session = ChannelSession()
        session.put(.sent, 0x42, "0100 55")
        session.put(.received, 5, "16 02 0400 4200 0500")
        session.put(.received, 5, "15 01 0A00 4200 4000 1700 0200 0000")
        session.put(.sent, 5, "06 03 0400 4200 4100")
        for code in ["17", "18", "19", "1A"] { session.put(.sent, 5, "\(code) 05 0200 0000") }
        // Connection parameters, and a request that is not known to the device.
        session.put(.received, 5, "12 06 0800 0600 0C00 0000 F401")
        session.put(.sent, 5, "14 07 0A00 8000 4100 6400 1E00 0300")
        session.put(.received, 5, "01 07 0200 0000")
        #expect(session.analysis.channelCounts == CapturedChannelCounts(malformed: 0, unexplained: 4, enhanced: 4))
        #expect(session.channels.map(\.outcome) == [nil])
    }

    /// A link without directions, on which PSM 0x80 was opened.
    private static func undirected(central: UInt8, device: UInt8) -> AirLink {
        var link = AirLink()
        link.put(fromCentral: true, 5, bytes("14 01 0A00 8000") + [central, 0] + bytes("6400 1E00 0300"))
        link.put(fromCentral: false, 5, bytes("15 01 0A00") + [device, 0] + bytes("4000 1700 0200 0000"))
        return link
    }

    @Test func `without directions are read where only one end has the number`() {
        var link = Self.undirected(central: 0x41, device: 0x42)
        link.put(fromCentral: true, 0x42, [1, 0, 1])
        link.put(fromCentral: false, 0x41, [1, 0, 2])
        link.put(fromCentral: false, 5, bytes("16 02 0400 4200 0500"))
        link.put(fromCentral: false, 5, bytes("06 03 0400 4100 4200"))
        let channel = link.analysis.channels(of: AirLink.peripheral).first
        #expect(channel?.units.map(\.value) == [[1], [2]])
        #expect(channel?.units.map(\.isFromDevice) == [false, true])
        #expect(channel?.device.addedCredits == 5)
        #expect(channel?.outcome == .closedByDevice)
        var same = Self.undirected(central: 0x40, device: 0x40)
        same.put(fromCentral: true, 0x40, [1, 0, 1])
        #expect(same.analysis.channels(of: AirLink.peripheral).map(\.units.count) == [0])
        #expect(same.analysis.channelCounts.unexplained == 1)
    }

    @Test func `that are used again without an end are two`() {
        var session = ChannelSession()
        session.open()
        session.put(.sent, 0x42, "0200 01")
        session.open()
        session.put(.sent, 0x42, "0100 02")
        #expect(session.channels.map { $0.units.map(\.value) } == [[], [[2]]])
        #expect(session.channels.map(\.outcome) == [nil, nil])
    }

    @Test func `take no more memory than the limit, and what is beyond it is counted`() {
        var session = ChannelSession(limits: .init(bytes: 10_000))
        session.open()
        for number in 0..<1000 {
            session.put(.sent, 0x42, [20, 0] + Array(repeating: UInt8(number & 0xFF), count: 20))
        }
        #expect(session.analysis.storedByteCount < 10_200)
        #expect(session.channels.first?.units.count ?? 0 > 50)
        #expect(session.analysis.droppedCount > 800)
        // Units that never become whole count, too.
        var partial = ChannelSession(limits: .init(bytes: 10_000))
        for number in 0..<60 as Range<UInt8> {
            let end = Bytes([0x40 + number, 0]).hex
            partial.put(.sent, 5, "14 01 0A00 8000 \(end) FFFF FFFF FFFF")
            partial.put(.received, 5, "15 01 0A00 \(end) FFFF FFFF FFFF 0000")
            partial.put(.sent, 0x40 + UInt16(number), [0xFF, 0xFF] + Array(repeating: 1, count: 1000))
        }
        #expect(partial.analysis.storedByteCount < 11_500)
        #expect(partial.analysis.droppedCount > 50)
    }

    @Test func `of other devices than the only one are not kept`() {
        for (only, count) in [(LampSession.device, 1), (PeerIdentifier("C0:DE:00:00:00:02"), 0)] {
            var session = ChannelSession(only: only)
            session.open()
            session.put(.sent, 0x42, "0100 01")
            #expect(session.channels.flatMap(\.units).count == count)
        }
    }

    @Test func `follow a device to its identity`() throws {
        var session = ChannelSession()
        session.open()
        session.put(.received, 0x41, "0100 02")
        // The device hands over its identity in a pairing (Vol 3, Part H, 3.6.5), and goes on.
        session.put(.received, 6, "09 01 02000000DEC0")
        session.put(.received, 0x41, "0100 03")
        session.open(central: "4500", device: "4600")
        let channels = session.analysis.channels(of: "C0:DE:00:00:00:02")
        #expect(channels.map { $0.units.map(\.value) } == [[[2], [3]], []])
        #expect(session.channels == channels)
    }
}

extension AirLink {
    /// A frame on a channel, whose direction is not recorded.
    fileprivate mutating func put(fromCentral: Bool, _ channel: UInt8, _ payload: [UInt8]) {
        data(2, [UInt8(payload.count), 0, channel, 0] + payload, fromCentral: fromCentral)
    }
}
