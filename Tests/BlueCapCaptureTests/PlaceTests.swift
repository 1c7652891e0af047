// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

/// Attributes that were discovered without the service or characteristic that holds them, and devices beyond the limit.
@Suite(.timeLimit(.minutes(60)))
struct PlaceTests {
    /// Requests of the central, each with its answer.
    private func analyze(_ exchanges: [(String, String)]) -> CaptureAnalysis {
        var link = AirLink()
        for (request, answer) in exchanges {
            link.pass(request, fromCentral: true, direction: .sent)
            link.pass(answer, fromCentral: false, direction: .received)
        }
        return link.analysis
    }

    private static let service = ("10 0100 FFFF 0028", "11 06 0600 0900 0F18")
    private static let level = ("08 0600 0900 0328", "09 07 0700 12 0800 192A")

    @Test(
        arguments: [
            // Characteristics outside of the only service; of none; a value that is found by its type; descriptors
            // without the characteristic, and outside of any service; all in place.
            ([service, level, ("08 0A00 1400 0328", "09 07 0B00 02 0C00 242A 0D00 02 0E00 262A")], 2),
            ([level], 1), ([("08 0100 FFFF 002A", "09 03 0300 41")], 1),
            ([service, ("04 0900 0900", "05 01 0900 0229")], 1), ([("04 0900 0A00", "05 01 0900 0229 0A00 0129")], 2),
            ([service, level, ("04 0900 0900", "05 01 0900 0229")], 0),
            ([service, level, ("0A 0800", "0B 5A")], 0), ([service], 0), ([], 0),
        ] as [([(String, String)], Int)])
    func `what was discovered without its service or characteristic is counted`(
        exchanges: [(String, String)], count: Int
    ) {
        let device = analyze(exchanges).devices.first { $0.identifier == AirLink.peripheral }
        #expect(device?.unplacedCount == count)
    }

    @Test func `the value of a characteristic whose service was not captured is an access with its type`() {
        var link = AirLink()
        let packets = ["08 0600 1400 0328", "09 07 0700 02 0800 242A 0900 02 0A00 262A", "0A 0A00", "0B 312E30"]
        for (index, packet) in packets.enumerated() {
            let isRequest = index.isMultiple(of: 2)
            link.pass(packet, fromCentral: isRequest, direction: isRequest ? .sent : .received)
        }
        #expect(link.accesses.map(\.uuid) == ["2A26"])
        #expect(link.accesses.map(\.value) == [Bytes("1.0".utf8)])
    }

    // MARK: Limits

    private static func advertisement(of number: Int, name: String) -> CapturedPacket {
        let data = [UInt8(name.utf8.count + 1), 9] + Array(name.utf8)
        let report =
            [2, 1, 0, 1] + Framing.btsnoop1001.little(0xC000_0000_0000 + number, 6) + [UInt8(data.count)] + data + [
                0xC8
            ]
        return CapturedPacket(time: nil, kind: .event, bytes: Bytes([0x3E, UInt8(report.count)] + report))
    }

    @Test(arguments: ["Lamp", "C0:00:00:00:03:E7"])
    func `a device that is asked for is kept though it is heard after as many others as may be`(wanted: String) {
        var analysis = CaptureAnalysis(limits: .init(devices: 100))
        analysis.isWanted = { identifier, name in name == wanted || identifier == PeerIdentifier(wanted) }
        for number in 0..<1000 {
            analysis.add(Self.advertisement(of: number, name: number == 999 ? "Lamp" : "N\(number)"))
        }
        #expect(analysis.twin(of: "C0:00:00:00:03:E7")?.displayName == "Lamp")
        #expect(analysis.devices.count == 101)
        #expect(analysis.leftOutCount == 899)
    }

    @Test func `a device with a link takes the place of one that only advertised`() {
        var analysis = CaptureAnalysis(limits: .init(devices: 100))
        for number in 0..<100 { analysis.add(Self.advertisement(of: number, name: "N")) }
        for number in 0..<2 {
            let event = bytes("3E 13 01 00") + [0x40 + UInt8(number), 0] + bytes("00 01") + [UInt8(number)]
            analysis.add(
                CapturedPacket(
                    time: nil, kind: .event, bytes: Bytes(event + bytes("000000DEC0 2400 0000 F401 00"))))
        }
        // Two peripherals, and the controller.
        #expect(analysis.devices.count { $0.connectionCount > 0 || $0.isOwn } == 3)
        #expect(analysis.devices.count == 100)
        #expect(analysis.devices.first?.identifier == "C0:00:00:00:00:03")
    }

    @Test func `links do not take the places of devices with links`() {
        var analysis = CaptureAnalysis(limits: .init(devices: 10))
        for number in 0..<40 {
            let event = bytes("3E 13 01 00 4000 00 01") + [UInt8(number)]
            analysis.add(
                CapturedPacket(
                    time: nil, kind: .event, bytes: Bytes(event + bytes("000000DEC0 2400 0000 F401 00"))))
        }
        #expect(analysis.devices.map(\.identifier).prefix(2) == ["HCI0", "C0:DE:00:00:00:00"])
        #expect(analysis.devices.count == 10)
    }
}
