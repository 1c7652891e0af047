// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

/// The formats in which a sniffer writes the lamp's session, from the formats' specifications.
enum SnifferFraming: CaseIterable, CustomTestStringConvertible {
    /// Link type 251, without directions.
    case plain
    /// Link type 256.
    case withHeader
    /// Link type 272, versions 1 and 3 of Nordic's protocol.
    case nordic1, nordic3

    var testDescription: String {
        switch self {
        case .plain: "251"
        case .withHeader: "256"
        case .nordic1: "272, version 1"
        case .nordic3: "272, version 3"
        }
    }

    private var linkType: Int {
        switch self {
        case .plain: 251
        case .withHeader: 256
        case .nordic1, .nordic3: 272
        }
    }

    /// A PDU, from the central (true), from the peripheral (false), or of advertising (nil).
    struct PDU {
        var accessAddress: [UInt8]
        var bytes: [UInt8]
        var isFromCentral: Bool?
        var isDecrypted = false
        var time: Int64
    }

    private static let advertising = bytes("D6BE898E")
    private static let link = bytes("11223344")

    /// The session on the air. Each packet of the link is repeated once, as after a lost acknowledgement.
    static func pdus(repeating isRepeating: Bool = true) -> [PDU] {
        var pdus: [PDU] = []
        var sequences = [true: UInt8(0), false: UInt8(0)]
        var isEncrypted = false
        func put(_ address: [UInt8], _ header: UInt8, _ payload: [UInt8], _ isFromCentral: Bool?, _ time: Int64) {
            pdus.append(
                PDU(
                    accessAddress: address, bytes: [header, UInt8(payload.count)] + payload,
                    isFromCentral: isFromCentral, isDecrypted: isEncrypted, time: time))
        }
        func data(_ kind: UInt8, _ payload: [UInt8], isFromCentral: Bool, _ time: Int64) {
            let sequence = sequences[isFromCentral, default: 0]
            sequences[isFromCentral] = 1 - sequence
            for _ in 0..<(isRepeating ? 2 : 1) { put(link, kind | sequence << 3, payload, isFromCentral, time) }
        }
        let address = bytes("01000000DEC0")
        // ADV_IND, SCAN_RSP, ADV_IND of a random address.
        put(advertising, 0x40, address + bytes("020106 03030F18"), nil, 1000)
        put(advertising, 0x44, address + bytes("05094C616D70"), nil, 2000)
        put(advertising, 0x40, address + bytes("020106 03030F18"), nil, 102_000)
        // CONNECT_IND from a public address to a random one: access address, CRC, window, interval, latency, timeout,
        // map, hop.
        put(
            advertising, 0x85,
            bytes("665544332211") + address + link + bytes("ABCDEF 02 0000 2400 0000 F401 FFFFFFFF1F 05"), nil, 103_000)
        for packet in LampSession.packets.dropFirst(5) {
            switch packet.kind {
            case .sent, .received:
                let isContinuation = packet.bytes[1] & 0x30 == 0x10
                data(
                    isContinuation ? 1 : 2, Array(packet.bytes.dropFirst(4)), isFromCentral: packet.kind == .sent,
                    packet.time)
            case .event where packet.bytes.first == 0x08:
                // LL_START_ENC_RSP.
                data(3, [0x06], isFromCentral: true, packet.time)
                isEncrypted = true
            case .event where packet.bytes.first == 0x05:
                // LL_TERMINATE_IND.
                data(3, [0x02, 0x13], isFromCentral: true, packet.time)
            default: break
            }
        }
        return pdus
    }

    func file(_ pdus: [PDU] = pdus()) -> [UInt8] {
        let little = Framing.btsnoop1001.little
        let header =
            little(0xA1B2_C3D4, 4) + little(2, 2) + little(4, 2) + little(0, 8) + little(65_535, 4)
            + little(linkType, 4)
        return pdus.reduce(header) { file, pdu in
            let packet = packet(pdu)
            let time = Int(LampSession.start + pdu.time)
            return file + little(time / 1_000_000, 4) + little(time % 1_000_000, 4) + little(packet.count, 4)
                + little(packet.count, 4) + packet
        }
    }

    private func packet(_ pdu: PDU) -> [UInt8] {
        let little = Framing.btsnoop1001.little
        let packet = pdu.accessAddress + pdu.bytes + [0, 0, 0]
        switch self {
        case .plain: return packet
        case .withHeader:
            // De-whitened, with a signal strength, the CRC checked and right, the direction in bits 7 to 9.
            let direction = pdu.isFromCentral.map { $0 ? 2 : 3 } ?? 0
            let flags = 0x0C03 | direction << 7 | (pdu.isDecrypted ? 8 : 0)
            return [0, 0xC4, 0, 0] + pdu.accessAddress + little(flags, 2) + packet
        case .nordic1, .nordic3:
            // Flags: CRC right, from the central, encrypted and with a right MIC.
            let flags = UInt8(1 | (pdu.isFromCentral == true ? 2 : 0) | (pdu.isDecrypted ? 12 : 0))
            let payload = [10, flags, 37, 60, 0, 0, 0, 0, 0, 0] + packet
            let type: UInt8 = self == .nordic3 && pdu.isFromCentral == nil ? 2 : 6
            let lengths = self == .nordic1 ? [6, UInt8(payload.count)] : little(payload.count, 2)
            return [1] + lengths + [self == .nordic1 ? 1 : 3, 0, 0, type] + payload
        }
    }
}

@Suite(.timeLimit(.minutes(60)))
struct LinkLayerTests {
    @Test func `without directions an equal value is a repetition only if it follows within two packets`() {
        var link = LinkTrace(central: "C0:DE:00:00:00:01", peripheral: "C0:DE:00:00:00:02")
        func isRepetition(_ payload: [UInt8], _ sequence: UInt8) -> Bool {
            link.isRepetition(
                LinkLayerData(accessAddress: 1, kind: payload.isEmpty ? 1 : 2, sequence: sequence, payload: payload),
                direction: nil)
        }
        let value = bytes("0400 0400 1B 0300 01")
        #expect(!isRepetition(value, 0))
        #expect(!isRepetition([], 1))
        #expect(isRepetition(value, 0))
        #expect(!isRepetition([], 0))
        #expect(!isRepetition(value, 1))
        for sequence in [1, 0, 0, 1] as [UInt8] { #expect(!isRepetition([], sequence)) }
        #expect(!isRepetition(value, 0))
        #expect(!isRepetition([], 1))
        #expect(!isRepetition(value, 1))
    }

    @Test(arguments: SnifferFraming.allCases)
    func `a session is found out from what a sniffer heard`(_ framing: SnifferFraming) throws {
        let twin = try #require(try LampSession.analyze(framing.file()).twin(of: LampSession.device))
        var expected = LampSession.twin
        expected.advertisement?.interval = .milliseconds(101)
        expected.advertisement?.rssi = framing == .plain ? nil : -60
        if framing == .plain {
            // The fragments of the two directions cannot be distinguished.
            expected.services[1].characteristics[0].notifications.removeLast()
        }
        #expect(twin == expected)
    }

    @Test func `the flags of an advertising packet say neither a direction nor an encryption`() throws {
        var reader = CaptureReader()
        reader.append(
            bytes(
                """
                D4C3B2A1 0200 0400 00000000 00000000 FFFF0000 10010000   # pcap, link type 272
                01B95569 00000000 20000000 20000000
                  01 1900 03 0000 02                                    # version 3, an advertising packet
                  0A 07 25 3C 0000 00000000                             # CRC right; bits 1 and 2 are not of data
                  D6BE898E 40 06 01000000DEC0 AABBCC
                """))
        guard case .linkLayer(let reception) = try reader.next()?.kind else { throw CancellationError() }
        #expect(reception == CapturedPacket.Reception(rssi: -60, isValid: true))
    }

    @Test
    func `a file that is written out byte by byte gives its advertisement and its link`() throws {
        let file = bytes(
            """
            D4C3B2A1 0200 0400 00000000 00000000 FFFF0000 00010000   # pcap, link type 256
            01B95569 00000000 20000000 20000000
              00 C4 00 00 D6BE898E 030C                             # RF channel 0, -60 dBm, CRC right
              D6BE898E 40 0D 01000000DEC0 020106 03030F18 AABBCC     # ADV_IND, random; the CRC is not looked at
            01B95569 01000000 1E000000 1E000000
              00 C4 00 00 D6BE898E 030C
              D6BE898E 46 0B 02000000DEC0 0409414243 AABBCC          # ADV_SCAN_IND
            """)
        let analysis = try LampSession.analyze(file)
        #expect(analysis.devices.map(\.identifier) == ["C0:DE:00:00:00:01", "C0:DE:00:00:00:02"])
        #expect(analysis.devices.map(\.name) == [nil, "ABC"])
        #expect(analysis.devices.map(\.rssi) == [-60, -60])
        #expect(analysis.twin(of: "C0:DE:00:00:00:02")?.advertisement?.isConnectable == false)
    }

    @Test(arguments: [0x0403, 0x0C02])
    func `what was received with a wrong CRC, or is still whitened, is passed over`(flags: Int) {
        let packet = SnifferFraming.pdus()[0]
        var bytes = [0, 0xC4, 0, 0] + packet.accessAddress + Framing.btsnoop1001.little(flags, 2)
        bytes += packet.accessAddress + packet.bytes + [0, 0, 0]
        var analysis = CaptureAnalysis()
        analysis.add(LinkType.linkLayerWithHeader.packet(bytes[...], time: nil, isCutOff: false))
        #expect(analysis.packetCount == 1)
        #expect(analysis.devices.isEmpty)
    }

    @Test
    func `two notifications with one value are two, and a repeated packet is one`() throws {
        let value = bytes("0400 0400 1B 0600 63")
        let headers: [UInt8] = [0x02, 0x02, 0x0A, 0x02]
        var analysis = CaptureAnalysis()
        var count = 0
        for header in headers {
            let packet = bytes("11223344") + [header, UInt8(value.count)] + value + [0, 0, 0]
            count +=
                analysis.add(
                    CapturedPacket(
                        time: nil, kind: .linkLayer(.init(direction: .received)), bytes: Bytes(packet))
                ).count
        }
        #expect(count == 3)
    }

    @Test
    func `extended advertising is put together from its chain, by the number of its data`() {
        // AUX_ADV_IND: header of 12 bytes (address, data number, pointer), connectable; then AUX_CHAIN_IND.
        let first = bytes("D6BE898E 47 12 4C 19 01000000DEC0 3412 000000 020106 0509 AABBCC")
        let second = bytes("D6BE898E 07 08 03 08 3412 4C616D70 AABBCC")
        var analysis = CaptureAnalysis()
        for packet in [first, second] {
            analysis.add(CapturedPacket(time: nil, kind: .linkLayer(.init()), bytes: Bytes(packet)))
        }
        #expect(analysis.devices.map(\.identifier) == [LampSession.device])
        #expect(analysis.devices.map(\.name) == ["Lamp"])
    }

    @Test
    func `link-layer packets that are cut off anywhere, or damaged in any byte, are borne`() {
        for pdu in SnifferFraming.pdus(repeating: false) {
            let packet = pdu.accessAddress + pdu.bytes + [0, 0, 0]
            var analysis = CaptureAnalysis()
            for length in 0..<packet.count {
                analysis.add(
                    CapturedPacket(time: nil, kind: .linkLayer(.init()), bytes: Bytes(packet.prefix(length))))
            }
            for index in packet.indices {
                for value: UInt8 in [0, 0x3F, 0x7F, 0xFF] {
                    var changed = packet
                    changed[index] = value
                    analysis.add(
                        CapturedPacket(
                            time: nil, kind: .linkLayer(.init(isCoded: index.isMultiple(of: 2))), bytes: Bytes(changed))
                    )
                }
            }
            #expect(analysis.packetCount == packet.count * 5)
        }
    }
}
