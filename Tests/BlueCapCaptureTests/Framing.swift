// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Frames packets as the formats' specifications say, apart from the package's own writers.
enum Framing: CaseIterable, CustomStringConvertible {
    case btsnoop1001, btsnoop1002, btsnoop2001
    case pcap187, pcap201BigEndian, pcap201Nanoseconds, pcap254
    case pcapng201, pcapng254BigEndian
    case packetLogger, packetLoggerLittleEndian

    var description: String {
        switch self {
        case .btsnoop1001: "btsnoop 1001"
        case .btsnoop1002: "btsnoop 1002"
        case .btsnoop2001: "btsnoop 2001"
        case .pcap187: "pcap 187"
        case .pcap201BigEndian: "pcap 201, big-endian"
        case .pcap201Nanoseconds: "pcap 201, nanoseconds"
        case .pcap254: "pcap 254"
        case .pcapng201: "pcapng 201"
        case .pcapng254BigEndian: "pcapng 254, big-endian"
        case .packetLogger: "PacketLogger"
        case .packetLoggerLittleEndian: "PacketLogger, little-endian"
        }
    }

    func big(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    func little(_ number: Int, _ size: Int) -> [UInt8] { big(number, size).reversed() }

    func file(_ packets: [LampSession.Packet] = LampSession.packets, start: Int64 = LampSession.start) -> [UInt8] {
        packets.reduce(header) { $0 + record($1, at: Int(start + $1.time)) }
    }

    /// The bytes of the file before its first packet.
    var header: [UInt8] {
        switch self {
        case .btsnoop1001: Array("btsnoop".utf8) + [0] + big(1, 4) + big(1001, 4)
        case .btsnoop1002: Array("btsnoop".utf8) + [0] + big(1, 4) + big(1002, 4)
        case .btsnoop2001: Array("btsnoop".utf8) + [0] + big(1, 4) + big(2001, 4)
        case .pcap187: pcap(187, 0xA1B2_C3D4, little)
        case .pcap201BigEndian: pcap(201, 0xA1B2_C3D4, big)
        case .pcap201Nanoseconds: pcap(201, 0xA1B2_3C4D, little)
        case .pcap254: pcap(254, 0xA1B2_C3D4, little)
        case .pcapng201:
            // Section; an interface with an option of its name; a block of another kind (5, statistics).
            block(0x0A0D_0D0A, little(0x1A2B_3C4D, 4) + little(1, 2) + little(0, 2) + little(-1, 8), little)
                + block(
                    1,
                    little(201, 2) + little(0, 2) + little(65_535, 4) + little(2, 2) + little(3, 2) + Array("bt0".utf8)
                        + [0] + little(0, 4),
                    little)
                + block(5, little(0, 4) + little(0, 8), little)
        case .pcapng254BigEndian:
            // Times in nanoseconds.
            block(0x0A0D_0D0A, big(0x1A2B_3C4D, 4) + big(1, 2) + big(0, 2) + big(-1, 8), big)
                + block(1, big(254, 2) + big(0, 2) + big(0, 4) + big(9, 2) + big(1, 2) + [9, 0, 0, 0] + big(0, 4), big)
        case .packetLogger, .packetLoggerLittleEndian: []
        }
    }

    func record(_ packet: LampSession.Packet, at time: Int) -> [UInt8] {
        let isReceived = packet.kind == .event || packet.kind == .received
        let uart: [UInt8] = [packet.kind == .command ? 1 : packet.kind == .event ? 4 : 2] + packet.bytes
        let monitor = ([.command: 2, .event: 3, .sent: 4, .received: 5] as [LampSession.Kind: Int])[packet.kind] ?? 0
        let direction = big(isReceived ? 1 : 0, 4)
        switch self {
        case .btsnoop1001:
            let isControl = packet.kind == .command || packet.kind == .event
            return btsnoop(packet.bytes, flags: (isReceived ? 1 : 0) | (isControl ? 2 : 0), time)
        case .btsnoop1002:
            let isControl = packet.kind == .command || packet.kind == .event
            return btsnoop(uart, flags: (isReceived ? 1 : 0) | (isControl ? 2 : 0), time)
        case .btsnoop2001: return btsnoop(packet.bytes, flags: monitor | 1 << 16, time)
        case .pcap187: return pcapRecord(uart, time, unit: 1, little)
        case .pcap201BigEndian: return pcapRecord(direction + uart, time, unit: 1, big)
        case .pcap201Nanoseconds: return pcapRecord(direction + uart, time, unit: 1000, little)
        case .pcap254: return pcapRecord(big(1, 2) + big(monitor, 2) + packet.bytes, time, unit: 1, little)
        case .pcapng201: return enhanced(direction + uart, time, little)
        case .pcapng254BigEndian: return enhanced(big(1, 2) + big(monitor, 2) + packet.bytes, time * 1000, big)
        case .packetLogger: return packetLogger(packet, time, big)
        case .packetLoggerLittleEndian: return packetLogger(packet, time, little)
        }
    }

    // MARK: Formats

    typealias Number = (Int, Int) -> [UInt8]

    private func btsnoop(_ packet: [UInt8], flags: Int, _ time: Int) -> [UInt8] {
        big(packet.count, 4) + big(packet.count, 4) + big(flags, 4) + big(0, 4) + big(time + 0x00DC_DDB3_0F2F_8000, 8)
            + packet
    }

    private func pcap(_ linkType: Int, _ magic: Int, _ number: Number) -> [UInt8] {
        number(magic, 4) + number(2, 2) + number(4, 2) + number(0, 4) + number(0, 4) + number(65_535, 4)
            + number(linkType, 4)
    }

    private func pcapRecord(_ packet: [UInt8], _ time: Int, unit: Int, _ number: Number) -> [UInt8] {
        number(time / 1_000_000, 4) + number(time % 1_000_000 * unit, 4) + number(packet.count, 4)
            + number(packet.count, 4) + packet
    }

    private func block(_ type: Int, _ content: [UInt8], _ number: Number) -> [UInt8] {
        number(type, 4) + number(content.count + 12, 4) + content + number(content.count + 12, 4)
    }

    private func enhanced(_ packet: [UInt8], _ ticks: Int, _ number: Number) -> [UInt8] {
        let padding = Array(repeating: UInt8(0), count: (4 - packet.count % 4) % 4)
        return block(
            6,
            number(0, 4) + number(ticks >> 32, 4) + number(ticks & 0xFFFF_FFFF, 4) + number(packet.count, 4)
                + number(packet.count, 4) + packet + padding, number)
    }

    private func packetLogger(_ packet: LampSession.Packet, _ time: Int, _ number: Number) -> [UInt8] {
        let type: UInt8 =
            switch packet.kind {
            case .command: 0
            case .event: 1
            case .sent: 2
            case .received: 3
            }
        return number(packet.bytes.count + 9, 4) + number(time / 1_000_000, 4) + number(time % 1_000_000, 4) + [type]
            + packet.bytes
    }
}
