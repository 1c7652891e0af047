// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

/// The advertised data of a device after several packets, some of them without data.
@Suite(.timeLimit(.minutes(60)))
struct HeardTests {
    private static let device: PeerIdentifier = "C0:DE:00:00:00:01"

    /// Events of HCI; `<` in front of data sent, `>` of data received, `*` of a command.
    private func analyze(_ lines: [String]) -> CaptureAnalysis {
        var analysis = CaptureAnalysis()
        for line in lines {
            let kind: CapturedPacket.Kind =
                switch line.first {
                case ">": .data(.received)
                case "<": .data(.sent)
                case "*": .command
                default: .event
                }
            let text = kind == .event ? line : String(line.dropFirst())
            analysis.add(CapturedPacket(time: nil, kind: kind, bytes: Bytes(bytes(text))))
        }
        return analysis
    }

    /// A legacy report: the type of the packet, and its data.
    private static func report(_ type: UInt8, _ data: String) -> String {
        let data = bytes(data)
        let report = [2, 1, type, 1] + bytes("01000000DEC0") + [UInt8(data.count)] + data + [0xC8]
        return Bytes([0x3E, UInt8(report.count)] + report).hex
    }

    private static let connected = "3E 13 01 00 4000 00 01 01000000DEC0 2400 0000 F401 00"
    private static let named = report(4, "09 09 547261696C203430")
    private static let unnamed = report(0, "020106")

    /// A read of Device Name by its type, with the value's digits.
    private static func read(_ name: String) -> [String] {
        let length = UInt8(bytes(name).count)
        let answer = [length + 8, 0, length + 4, 0, 4, 0, 9, length + 2, 3, 0] + bytes(name)
        return ["<4000 0B00 0700 0400 08 0100 FFFF 002A", ">4020" + Bytes(answer).hex]
    }

    @Test(arguments: [
        [unnamed, named, connected] + read(""),
        [unnamed, connected] + read("547261696C203430"),
        [report(0, "020106 0109"), connected] + read("547261696C203430"),
        [named, report(0, "020106 0109")],
        [named, report(0, "020106 0108")],
        [connected] + read("547261696C203430") + read(""),
    ])
    func `an empty name is no name, and another one that the device has stays`(lines: [String]) {
        let analysis = analyze(lines)
        #expect(analysis.devices.first { $0.identifier == Self.device }?.name == "Trail 40")
        #expect(analysis.twin(of: Self.device)?.displayName == "Trail 40")
    }

    @Test func `a device that has only empty names has none`() {
        let analysis = analyze([Self.report(0, "020106 0109"), Self.connected] + Self.read(""))
        #expect(analysis.devices.first?.name == nil)
        #expect(analysis.twin(of: Self.device)?.displayName == nil)
    }

    /// The advertisement of a mouse, and packets without data.
    private static let mouse = report(0, "020106 03031218 0809 4D6F7573652033")
    private static let silent = [
        // ADV_DIRECT_IND; ADV_IND, ADV_SCAN_IND and ADV_NONCONN_IND without data.
        report(1, ""), report(0, ""), report(2, ""), report(3, ""),
        // Extended reports: directed, as legacy packets and as such.
        "3E 1A 0D 01 1500 01 01000000DEC0 01 00 FF 7F C8 0000 00 000000000000 00",
        "3E 1A 0D 01 0500 01 01000000DEC0 01 01 00 7F C8 0000 00 000000000000 00",
    ]

    @Test(arguments: silent)
    func `a packet that carries no data takes nothing away from what was heard`(packet: String) {
        let twin = analyze([Self.mouse, packet]).twin(of: Self.device)
        #expect(twin?.displayName == "Mouse 3")
        #expect(twin?.advertisement?.data.serviceUUIDs == ["1812"])
        #expect(twin?.advertisement?.isConnectable == true)
    }

    @Test(arguments: [report(4, ""), "3E 1A 0D 01 1B00 01 01000000DEC0 01 00 FF 7F C8 0000 00 000000000000 00"])
    func `an empty scan response takes nothing away from the one before`(packet: String) {
        let twin = analyze([Self.unnamed, Self.named, packet]).twin(of: Self.device)
        #expect(twin?.advertisement?.scanResponse?.localName == "Trail 40")
    }

    @Test func `ADV_DIRECT_IND and an empty scan response on the air take nothing away`() {
        var analysis = CaptureAnalysis()
        let packets = [
            "40 0D 01000000DEC0 020106 03031218", "41 0C 01000000DEC0 010000000000", "44 06 01000000DEC0",
        ]
        for packet in packets {
            let packet = bytes("D6BE898E" + packet) + [0, 0, 0]
            analysis.add(CapturedPacket(time: nil, kind: .linkLayer(.init()), bytes: Bytes(packet)))
        }
        #expect(analysis.devices.first?.advertisementCount == 3)
        #expect(analysis.twin(of: Self.device)?.advertisement?.data.serviceUUIDs == ["1812"])
    }

    @Test func `what this controller advertised stays when its host takes it back`() {
        let zeros = String(repeating: "00", count: 31)
        let analysis = analyze([
            "0E 0A 01 0910 00 0102030405C6", "*3820 0A 00 03 01 06 05094C616D70", "*3720 0A 00 03 01 06 020106 020A00",
            "*0820 20 00 \(zeros)", "*0920 20 00 \(zeros)", "*3720 04 00 03 01 00",
        ])
        let twin = analysis.twin(of: "C6:05:04:03:02:01")
        #expect(twin?.displayName == "Lamp")
        #expect(twin?.advertisement?.data.txPower == 0)
    }

    @Test func `what was heard under a private address is not lost to a packet without data`() {
        let twin = analyze([
            Self.report(1, "").replacing("01000000dec0", with: "01000000de00"),
            Self.named.replacing("01000000dec0", with: "112233445546"),
            "3E 1F 0A 00 4000 00 02 01000000DE00 000000000000 112233445546 2400 0000 F401 00",
        ]).twin(of: "00:DE:00:00:00:01")
        #expect(twin?.displayName == "Trail 40")
    }
}
