// SPDX-License-Identifier: MIT

#if os(Linux)
@testable import BlueCapKernel
import BlueCapSerDe
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ManagementFrameTests {
    /// Device Found of a device with a random address, at −60 dBm, with three bytes of flags.
    static let found: [UInt8] =
        [0x55, 0x44, 0x33, 0x22, 0x11, 0xC0, 2, 0xC4, 0, 0, 0, 0, 3, 0] + [2, 1, 6]

    @Test func `a frame is read as it was written`() {
        let frame = ManagementFrame(code: 0x0052, controller: 1, parameters: [9, 8])
        #expect(frame.packet == [0x52, 0, 1, 0, 2, 0, 9, 8])
        #expect(ManagementFrame(frame.packet[...]) == frame)
    }

    @Test func `a frame whose length lies is none`() {
        let packet = ManagementFrame(code: 0x0012, controller: 0, parameters: Self.found).packet
        for length in 0..<packet.count { #expect(ManagementFrame(packet.prefix(length)) == nil) }
        #expect(ManagementFrame((packet + [0])[...]) == nil)
    }

    @Test(arguments: [(0x0012, []), (0x002F, [7, 0])] as [(UInt16, [UInt8])])
    func `an event of a packet has its address, strength and bytes`(code: UInt16, handle: [UInt8]) throws {
        let frame = ManagementFrame(code: code, controller: 0, parameters: handle + Self.found)
        guard case .received(let packet) = ManagementEvent(frame) else {
            Issue.record("no packet")
            return
        }
        #expect(packet.address == "C0:11:22:33:44:55")
        #expect(packet.isRandom)
        #expect(packet.rssi == -60)
        #expect(packet.data == [2, 1, 6])
    }

    @Test func `a packet that is cut off, lengthened or of BR-EDR is none`() {
        for length in 0..<Self.found.count { #expect(ReceivedPacket(Self.found.prefix(length)) == nil) }
        #expect(ReceivedPacket((Self.found + [0])[...]) == nil)
        var other = Self.found
        other[6] = 0
        #expect(ReceivedPacket(other[...]) == nil)
    }

    @Test func `a strength that was not measured is none`() {
        var unknown = Self.found
        unknown[7] = 127
        #expect(ReceivedPacket(unknown[...])?.rssi == nil)
    }

    @Test func `events of any bytes are read without a trap`() {
        for code in 0..<UInt16(0x40) {
            for length in 0..<24 {
                let frame = ManagementFrame(
                    code: code, controller: 0, parameters: [UInt8](repeating: 0xFF, count: length))
                if case .received = ManagementEvent(frame) { Issue.record("a packet of \(length) bytes") }
            }
        }
    }

    @Test func `a monitor's command has its patterns at their length`() {
        let parameters = ManagementCommand.addMonitor(AdvertisementPattern.commonFlags).parameters
        #expect(parameters.count == 1 + 34 * AdvertisementPattern.commonFlags.count)
        #expect(parameters.prefix(6) == [8, 1, 0, 1, 6, 0])
        #expect(ManagementCommand.removeMonitor(0x0102).parameters == [2, 1])
    }
}
#endif
