// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

@Suite(.timeLimit(.minutes(60)))
struct AnalysisTests {
    /// Packets of HCI from hexadecimal text: `>` in front received, `<` sent, `!` an event, `*` a command.
    private func analyze(_ lines: String, only: PeerIdentifier? = nil) -> (CaptureAnalysis, [CapturedAccess]) {
        var analysis = CaptureAnalysis(only: only)
        var accesses: [CapturedAccess] = []
        for (index, line) in lines.split(separator: "\n").enumerated() {
            let kind: CapturedPacket.Kind =
                switch line.first {
                case ">": .data(.received)
                case "<": .data(.sent)
                case "*": .command
                default: .event
                }
            let time = Timestamp(microseconds: LampSession.start + Int64(index) * 1_000_000)
            accesses += analysis.add(
                CapturedPacket(time: time, kind: kind, bytes: Bytes(bytes(String(line.dropFirst())))))
        }
        return (analysis, accesses)
    }

    private let connected = "! 3E 13 01 00 4000 00 01 01000000DEC0 2400 0000 F401 00\n"

    @Test
    func `services found by their UUID are there, with their ranges`() {
        let (analysis, _) = analyze(
            connected + """
                < 4000 0D00 0900 0400 06 0100 FFFF 0028 0F18
                > 4020 0D00 0900 0400 07 0400 0900 2000 2300
                """)
        let services = analysis.twin(of: LampSession.device)?.services
        #expect(services == [TwinService("180F", handle: 4), TwinService("180F", handle: 32)])
    }

    @Test
    func `included services are found, with a long UUID from the read of its declaration`() {
        let (analysis, _) = analyze(
            connected + """
                < 4000 0B00 0700 0400 10 0100 FFFF 0028
                > 4020 0C00 0800 0400 11 06 0100 0400 0F18
                < 4000 0B00 0700 0400 08 0100 0400 0228
                > 4020 0E00 0A00 0400 09 08 0200 0A00 0C00 0A18
                < 4000 0B00 0700 0400 08 0300 0400 0228
                > 4020 0C00 0800 0400 09 06 0300 1400 1600
                < 4000 0700 0300 0400 0A 1400
                > 4020 1500 1100 0400 0B 00000000000000B00040510410AA00F0
                """)
        let services = analysis.twin(of: LampSession.device)?.services
        #expect(
            services == [
                TwinService("180F", handle: 1, includes: [1, 2]),
                TwinService("180A", handle: 10, isPrimary: false),
                TwinService(LampSession.service, handle: 20, isPrimary: false),
            ])
    }

    @Test func `an include that overlaps a service is none, as what is in both would be there twice`() {
        let (analysis, _) = analyze(
            connected + """
                < 4000 0B00 0700 0400 10 0100 FFFF 0028
                > 4020 0C00 0800 0400 11 06 0100 0400 0F18
                < 4000 0B00 0700 0400 08 0100 0400 0228
                > 4020 0E00 0A00 0400 09 08 0200 0300 FFFF 0A18
                """)
        #expect(analysis.twin(of: LampSession.device)?.services == [TwinService("180F", handle: 1)])
    }

    @Test
    func `a long value is put together from Read and Read Blob`() {
        let (_, accesses) = analyze(
            connected + """
                < 4000 0700 0300 0400 0A 0600
                > 4020 1B00 1700 0400 0B 000102030405060708090A0B0C0D0E0F101112131415
                < 4000 0900 0500 0400 0C 0600 1600
                > 4020 0800 0400 0400 0D 161718
                """)
        #expect(accesses.map(\.value) == [Bytes(Array(0...0x15)), Bytes(Array(0...0x18))])
    }

    @Test
    func `a value that is written in parts counts once it is executed`() {
        let (_, accesses) = analyze(
            connected + """
                < 4000 0B00 0700 0400 16 0600 0000 0102
                > 4020 0B00 0700 0400 17 0600 0000 0102
                < 4000 0B00 0700 0400 16 0600 0200 0304
                > 4020 0B00 0700 0400 17 0600 0200 0304
                < 4000 0600 0200 0400 18 01
                > 4020 0500 0100 0400 19
                """)
        #expect(accesses.map(\.value) == [[1, 2, 3, 4]])
        #expect(accesses.map(\.kind) == [.written])
    }

    @Test
    func `commands, indications and several notifications in one packet are values, too`() {
        let (_, accesses) = analyze(
            connected + """
                < 4000 0800 0400 0400 52 0600 01
                > 4020 0800 0400 0400 1D 0600 02
                < 4000 0500 0100 0400 1E
                > 4020 1000 0C00 0400 23 0600 0100 03 0900 0200 0405
                """)
        #expect(accesses.map(\.kind) == [.writtenWithoutResponse, .indicated, .notified, .notified])
        #expect(accesses.map(\.handle) == [6, 6, 6, 9])
        #expect(accesses.map(\.value) == [[1], [2], [3], [4, 5]])
    }

    @Test
    func `a request that is refused teaches nothing but what it demands`() {
        let (analysis, accesses) = analyze(
            connected + """
                < 4000 0B00 0700 0400 10 0100 FFFF 0028
                > 4020 0C00 0800 0400 11 06 0100 0400 0F18
                < 4000 0B00 0700 0400 08 0100 0400 0328
                > 4020 0D00 0900 0400 09 07 0200 0A 0300 192A
                ! 08 04 00 4000 01
                < 4000 0700 0300 0400 0A 0300
                > 4020 0900 0500 0400 01 0A 0300 05
                < 4000 0800 0400 0400 12 0300 01
                > 4020 0900 0500 0400 01 12 0300 80
                """)
        #expect(accesses.isEmpty)
        let characteristic = analysis.twin(of: LampSession.device)?.services.first?.characteristics.first
        #expect(characteristic?.readSecurity == .authenticated)
        #expect(characteristic?.writeSecurity == nil)
        #expect(characteristic?.value == nil)
    }

    @Test
    func `the controller's own server is a device of its own`() {
        let (analysis, accesses) = analyze(
            """
            ! 0E 0A 01 0910 00 0102030405C6
            ! 3E 13 01 00 4000 01 01 01000000DEC0 2400 0000 F401 00
            > 4020 0700 0300 0400 0A 0600
            < 4000 0600 0200 0400 0B 64
            """)
        #expect(accesses.map(\.device) == ["C6:05:04:03:02:01"])
        #expect(analysis.devices.first { $0.isOwn }?.identifier == "C6:05:04:03:02:01")
    }

    @Test
    func `what the host has its controller advertise is its own device's advertisement`() {
        let zeros = String(repeating: "00", count: 24)
        let (analysis, _) = analyze(
            """
            ! 0E 0A 01 0910 00 0102030405C6
            * 0820 20 07 02010603030F18 \(zeros)
            * 3820 0A 00 03 01 06 05094C616D70
            """)
        let twin = analysis.twin(of: "C6:05:04:03:02:01")
        #expect(twin?.advertisement?.data.serviceUUIDs == ["180F"])
        #expect(twin?.name == "Lamp")
    }

    @Test
    func `a capture that begins within a link has a device that is named by the link, and has no address`() throws {
        let (analysis, accesses) = analyze("> 4020 0800 0400 0400 1B 0600 63")
        #expect(accesses.map(\.device.text) == ["HCI0/0040"])
        #expect(analysis.devices.map(\.unexplainedCount) == [1])
        let twin = try #require(analysis.twin(of: "hci0/0040"))
        #expect(twin.address == nil)
    }

    @Test(arguments: [
        "! 05 04 00 4000 13", "! 3E 13 01 00 4000 00 01 01000000DEC0 2400 0000 F401 00\n! 05 04 00 4000 13",
    ])
    func `a later link by the same handle whose beginning is missing has a name of its own`(end: String) {
        let value = "> 4020 0800 0400 0400 1B 0600 63"
        let (_, accesses) = analyze([value, end, value, value].joined(separator: "\n"))
        #expect(accesses.map(\.device.text) == ["HCI0/0040", "HCI0/0040/2", "HCI0/0040/2"])
    }

    @Test func `a later link by the same access address whose beginning is missing has a name of its own`() {
        var analysis = CaptureAnalysis()
        let value = "0A 0400 0400 1B 0600 63"
        var accesses: [CapturedAccess] = []
        for packet in ["02 08" + value.dropFirst(2), "03 02 0213", "0A 08" + value.dropFirst(2)] {
            accesses += analysis.add(
                CapturedPacket(
                    time: nil, kind: .linkLayer(.init(direction: .received)),
                    bytes: Bytes(bytes("01DEC050" + packet + "000000"))))
        }
        #expect(accesses.map(\.device.text) == ["LINK/50C0DE01", "LINK/50C0DE01/2"])
    }

    @Test func `what a controller did before it said its address is the same device's`() {
        let (analysis, accesses) = analyze(
            """
            * 3820 0A 00 03 01 06 05094C616D70
            ! 3E 13 01 00 4000 01 01 01000000DEC0 2400 0000 F401 00
            ! 0E 0A 01 0910 00 0102030405C6
            > 4020 0700 0300 0400 0A 0600
            < 4000 0600 0200 0400 0B 64
            """)
        #expect(analysis.devices.filter(\.isOwn).map(\.identifier.text) == ["C6:05:04:03:02:01"])
        #expect(analysis.devices.filter(\.isOwn).map(\.connectionCount) == [1])
        #expect(analysis.twin(of: "C6:05:04:03:02:01")?.displayName == "Lamp")
        #expect(accesses.map(\.device.text) == ["C6:05:04:03:02:01"])
    }

    @Test
    func `of other devices than the one that is asked for, no values are kept`() {
        let (analysis, accesses) = analyze(
            connected + "> 4020 0800 0400 0400 1B 0600 63", only: "AA:AA:AA:AA:AA:AA")
        #expect(accesses.isEmpty)
        #expect(analysis.devices.contains { $0.identifier == LampSession.device })
        #expect(analysis.storedByteCount == 0)
    }

    @Test
    func `what was heard under a private address belongs to the identity that the controller resolved`() {
        let (analysis, _) = analyze(
            """
            ! 3E 12 02 01 04 01 112233445546 06 05094C616D70 C3
            ! 3E 1F 0A 00 4000 00 02 01000000DE00 000000000000 112233445546 2400 0000 F401 00
            """)
        #expect(analysis.devices.count == 2)
        #expect(analysis.twin(of: "00:DE:00:00:00:01")?.name == "Lamp")
        #expect(analysis.twin(of: "46:55:44:33:22:11")?.address == "00:DE:00:00:00:01")
    }

    @Test
    func `extended advertising data come together from several reports`() {
        // Connectable, data to continue; then complete.
        let (analysis, _) = analyze(
            """
            ! 3E 1F 0D 01 2100 01 01000000DEC0 01 02 05 7F C4 0000 00 000000000000 05 020106 0509
            ! 3E 1E 0D 01 0100 01 01000000DEC0 01 02 05 7F C4 0000 00 000000000000 04 4C616D70
            """)
        #expect(analysis.devices.first?.name == "Lamp")
        #expect(analysis.devices.first?.advertisementCount == 1)
        #expect(analysis.twin(of: LampSession.device)?.advertisement?.isConnectable == true)
    }

    @Test
    func `the only descriptor behind a value that notifies needs no discovery`() {
        let (analysis, accesses) = analyze(
            connected + """
                < 4000 0B00 0700 0400 10 0100 FFFF 0028
                > 4020 0C00 0800 0400 11 06 0100 0400 0F18
                < 4000 0B00 0700 0400 08 0100 0400 0328
                > 4020 0D00 0900 0400 09 07 0200 20 0300 192A
                < 4000 0900 0500 0400 12 0400 0200
                > 4020 0500 0100 0400 13
                """)
        #expect(accesses.map(\.uuid) == ["2902"])
        #expect(analysis.devices.map(\.unexplainedCount).max() == 0)
    }

    @Test
    func `notifications of two links follow one another`() {
        let (analysis, _) = analyze(
            connected + """
                < 4000 0B00 0700 0400 10 0100 FFFF 0028
                > 4020 0C00 0800 0400 11 06 0100 0400 0F18
                < 4000 0B00 0700 0400 08 0100 0400 0328
                > 4020 0D00 0900 0400 09 07 0200 10 0300 192A
                < 4000 0900 0500 0400 12 0400 0100
                > 4020 0500 0100 0400 13
                > 4020 0800 0400 0400 1B 0300 01
                < 4000 0900 0500 0400 12 0400 0000
                > 4020 0500 0100 0400 13
                < 4000 0900 0500 0400 12 0400 0100
                > 4020 0500 0100 0400 13
                > 4020 0800 0400 0400 1B 0300 02
                """)
        let sent = analysis.twin(of: LampSession.device)?.services.first?.characteristics.first?.notifications
        #expect(
            sent == [
                TwinNotification(after: .seconds(2), value: [1]), TwinNotification(after: .seconds(4), value: [2]),
            ])
    }

    @Test
    func `packets that are damaged in any byte, or cut off anywhere, are borne`() {
        for packet in LampSession.packets {
            for length in 0..<packet.bytes.count {
                var analysis = CaptureAnalysis()
                for kind in [CapturedPacket.Kind.event, .data(.received), .data(nil), .linkLayer(.init())] {
                    analysis.add(CapturedPacket(time: nil, kind: kind, bytes: Bytes(packet.bytes.prefix(length))))
                }
                #expect(analysis.packetCount == 4)
            }
        }
        for index in 0..<40 {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var analysis = CaptureAnalysis()
                for packet in LampSession.packets {
                    var bytes = packet.bytes
                    if index < bytes.count { bytes[index] = value }
                    let kind: CapturedPacket.Kind =
                        packet.kind == .event ? .event : .data(packet.kind == .sent ? .sent : .received)
                    analysis.add(CapturedPacket(time: nil, kind: kind, bytes: Bytes(bytes)))
                }
                _ = analysis.devices.map { analysis.twin(of: $0.identifier)?.json }
            }
        }
    }
}
