// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

/// Devices that are heard by a private address, and hand over their identity in a pairing.
@Suite(.timeLimit(.minutes(60)))
struct IdentityTests {
    private static let privateAddress: PeerIdentifier = "5A:00:00:00:00:07"
    private static let identity: PeerIdentifier = "C4:7C:8D:00:00:01"

    /// Packets of HCI: `>` in front of data received, `<` of data sent, `!` of an event; a second apart.
    private static func analyze(_ lines: [String], only: PeerIdentifier? = nil) -> CaptureAnalysis {
        var analysis = CaptureAnalysis(only: only)
        for (index, line) in lines.enumerated() {
            let kind: CapturedPacket.Kind =
                switch line.first {
                case ">": .data(.received)
                case "<": .data(.sent)
                default: .event
                }
            let time = Timestamp(microseconds: LampSession.start + Int64(index) * 1_000_000)
            analysis.add(CapturedPacket(time: time, kind: kind, bytes: Bytes(bytes(String(line.dropFirst())))))
        }
        return analysis
    }

    /// The private address advertises a name, and is connected to.
    private static let heard = [
        "! 3E 12 02 01 00 01 07000000005A 06 05095269 6E67 C8",
        "! 3E 13 01 00 4000 00 01 07000000005A 2400 0000 F401 00",
    ]
    /// 180F with a level, which is read.
    private static let found = [
        "< 4000 0B00 0700 0400 10 0100 FFFF 0028", "> 4020 0C00 0800 0400 11 06 0600 0900 0F18",
        "< 4000 0B00 0700 0400 08 0600 0900 0328", "> 4020 0D00 0900 0400 09 07 0700 12 0800 192A",
        "< 4000 0700 0300 0400 0A 0800", "> 4020 0600 0200 0400 0B 5A",
    ]
    /// Identity Address Information: the type and the address.
    private static func handover(_ address: String, isSent: Bool = false) -> String {
        (isSent ? "< 4000" : "> 4020") + " 0C00 0800 0600 09" + address
    }
    /// A link under the identity, in which the level is notified.
    private static let again = [
        "! 05 04 00 4000 13", "! 3E 13 01 00 4100 00 00 0100008D7CC4 2400 0000 F401 00",
        "> 4120 0800 0400 0400 1B 0800 59",
    ]
    private static let handed = handover("00 0100008D7CC4")

    @Test(arguments: [
        heard + found + [handed] + again, heard + [handed] + found + again,
        heard + found + again + [
            "! 3E 13 01 00 4200 00 01 07000000005A 2400 0000 F401 00", "> 4220 0C00 0800 0600 09 00 0100008D7CC4",
        ],
    ])
    func `it is one device under its identity, with all that was found`(lines: [String]) throws {
        let analysis = Self.analyze(lines)
        let device = try #require(analysis.devices.first { !$0.isOwn })
        #expect(analysis.devices.count { !$0.isOwn } == 1)
        #expect(device.identifier == Self.identity)
        #expect(device.isRandom == false)
        #expect(device.name == "Ring")
        #expect(device.serviceCount == 1)
        #expect(device.notificationCount == 1)
        #expect(device.unexplainedCount == 0)
        let twin = try #require(analysis.twin(of: Self.privateAddress))
        #expect(twin == analysis.twin(of: Self.identity))
        #expect(twin.isAddressRandom == false)
        let level = try #require(twin.services.first?.characteristics.first)
        #expect(twin.services.map(\.uuid) == ["180F"])
        #expect(level.value == [0x5A])
        #expect(level.notifications.map(\.value) == [[0x59]])
    }

    @Test func `it stands where it was first heard, and its other private addresses lead to it`() {
        let other = "! 3E 12 02 01 00 01 09000000DEC0 06 0509416161 61 C8"
        let analysis = Self.analyze(
            Self.heard + [other, Self.handed, "! 05 04 00 4000 13"]
                + [
                    "! 3E 13 01 00 4300 00 01 08000000005A 2400 0000 F401 00",
                    "> 4320 0C00 0800 0600 09 00 0100008D7CC4",
                ])
        #expect(analysis.devices.filter { !$0.isOwn }.map(\.identifier) == [Self.identity, "C0:DE:00:00:00:09"])
        #expect(analysis.devices.first { $0.identifier == Self.identity }?.connectionCount == 2)
        #expect(analysis.identity(of: "5A:00:00:00:00:08") == Self.identity)
    }

    @Test func `a static address is an identity, too, and an advertisement by a private one does not change its type`()
    {
        let lines = Self.heard + [Self.handover("01 0100008D7CC4"), Self.heard[0]]
        let analysis = Self.analyze(lines)
        #expect(analysis.devices.filter { !$0.isOwn }.map(\.identifier) == [Self.identity])
        #expect(analysis.devices.first { !$0.isOwn }?.isRandom == true)
        let isPublic = Self.analyze(Self.heard + [Self.handed, Self.heard[0]])
        #expect(isPublic.devices.first { !$0.isOwn }?.isRandom == false)
        #expect(isPublic.devices.first { !$0.isOwn }?.advertisementCount == 2)
    }

    @Test func `the identity that this host hands over names its controller`() {
        let analysis = Self.analyze(Self.heard + [Self.handover("00 0A00008D7CC4", isSent: true)])
        #expect(analysis.devices.first { $0.isOwn }?.identifier == "C4:7C:8D:00:00:0A")
        #expect(analysis.devices.filter { !$0.isOwn }.map(\.identifier) == [Self.privateAddress])
    }

    @Test(arguments: [
        "> 4020 0B00 0700 0600 09 00 0100008D7C", "> 4020 0D00 0900 0600 09 00 0100008D7CC400",
        handover("00 000000000000"),
        handover("01 0100008D7C44"), "> 4020 0C00 0800 0600 08 00 0100008D7CC4",
        "> 4020 0C00 0800 0500 09 00 0100008D7CC4",
        "! 05 04 00 4000 13",
    ])
    func `what is no identity leaves the devices apart`(line: String) {
        let analysis = Self.analyze(Self.heard + [line])
        #expect(analysis.devices.filter { !$0.isOwn }.map(\.identifier) == [Self.privateAddress])
    }

    @Test func `the database of the later link counts, and values of both are kept`() throws {
        // The device was known by its identity before; then its services have moved.
        let moved = [
            "< 4000 0B00 0700 0400 10 0100 FFFF 0028", "> 4020 0C00 0800 0400 11 06 0800 0C00 0A18",
            "> 4020 0800 0400 0400 1B 2000 01",
        ]
        let earlier = ["! 3E 13 01 00 4000 00 00 0100008D7CC4 2400 0000 F401 00"] + Self.found + ["! 05 04 00 4000 13"]
        let analysis = Self.analyze(earlier + Self.heard + moved + [Self.handed])
        let device = try #require(analysis.devices.first { $0.identifier == Self.identity })
        #expect(device.connectionCount == 2)
        #expect(device.notificationCount == 1)
        #expect(analysis.twin(of: Self.identity)?.services.map(\.uuid) == ["180A"])
        #expect(analysis.storedByteCount > 0)
    }

    @Test func `a sniffer with the key hears it, and only where directions are recorded`() {
        func link(_ direction: CapturedPacket.Direction?) -> AirLink {
            var link = AirLink()
            link.data(2, bytes("0800 0600 09 00 0100008D7CC4"), fromCentral: false, direction: direction)
            return link
        }
        #expect(link(.received).analysis.devices.map(\.identifier) == [AirLink.central, Self.identity])
        #expect(link(nil).analysis.devices.map(\.identifier) == [AirLink.central, AirLink.peripheral])
    }
}
