// SPDX-License-Identifier: MIT

import BlueCapCapture
import BlueCapCore
import BlueCapSerDe

/// Captures: whole files in pieces of any size, records behind a true header, packets of HCI and of the link layer, and
/// conversations of the Attribute Protocol. A twin made from them has to survive its own JSON.
struct CaptureFuzzer {
    private static let device: PeerIdentifier = "C0:DE:00:00:00:01"

    func run(_ input: inout FuzzInput) {
        let choice = input.byte()
        // JSON takes most of the time, so only one input in sixteen is written as JSON.
        let writes = choice >= 0xF0
        switch choice % 6 {
        case 0: Self.file([], &input, writes)
        case 1: Self.file(input.pick(Self.headers), &input, writes)
        case 2: Self.packets(&input, writes)
        case 3: Self.conversation(&input, writes)
        case 4: Self.written(&input)
        default:
            switch choice {
            case ..<0x40: Self.json(&input)
            case ..<0x80: Self.channels(&input)
            default: Self.conversation(&input, writes)
            }
        }
    }

    /// The beginning of files of each format, up to the first packet.
    private static let headers: [[UInt8]] = {
        let btsnoop: [[UInt8]] = BTSnoopDatalink.allCases.map { CaptureWriter(.btsnoop($0)).header }
        let pcap = [187, 201, 251, 254, 256, 272].map { type -> [UInt8] in
            [
                0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, UInt8(type & 0xFF),
                UInt8(type >> 8), 0, 0,
            ]
        }
        return btsnoop + pcap + [CaptureWriter(.pcapng).header]
    }()

    // MARK: Files

    private static func file(_ header: [UInt8], _ input: inout FuzzInput, _ writes: Bool) {
        let piece = Int(input.byte()) + 1
        let file = header + input.rest()
        let whole = read(file, piece: file.count + 1)
        let pieces = read(file, piece: piece)
        expect(whole.packets == pieces.packets, "pieces of \(piece) give other packets")
        expect(whole.error == pieces.error, "pieces of \(piece) give another error")
        analyze(whole.packets, writes)
    }

    private static func read(_ file: [UInt8], piece: Int) -> (packets: [CapturedPacket], error: CaptureError?) {
        var reader = CaptureReader()
        var packets: [CapturedPacket] = []
        do throws(CaptureError) {
            var start = 0
            while start < file.count {
                let end = min(start + piece, file.count)
                reader.append(file[start..<end])
                start = end
                while let packet = try reader.next() { packets.append(packet) }
            }
            try reader.finish()
        } catch {
            _ = error.description
            return (packets, error)
        }
        return (packets, nil)
    }

    // MARK: Packets

    private static func packets(_ input: inout FuzzInput, _ writes: Bool) {
        var packets: [CapturedPacket] = []
        while !input.isAtEnd {
            let kind: CapturedPacket.Kind =
                switch input.byte() % 8 {
                case 0: .event
                case 1: .data(.sent)
                case 2: .data(.received)
                case 3: .data(nil)
                case 4: .linkLayer(.init(direction: .sent))
                case 5: .linkLayer(.init(isCoded: true))
                case 6: .command
                default: .linkLayer(.init())
                }
            packets.append(CapturedPacket(time: nil, kind: kind, bytes: Bytes(input.counted())))
        }
        analyze(packets, writes)
    }

    /// A link to the device, and then packets of the Attribute Protocol from both sides.
    private static func conversation(_ input: inout FuzzInput, _ writes: Bool) {
        var packets = [connection]
        var time = Int64(0)
        while !input.isAtEnd {
            let isSent = input.byte() % 2 == 0
            let pdu = input.counted()
            let (count, frame) = (UInt8(truncatingIfNeeded: pdu.count), UInt8(truncatingIfNeeded: pdu.count + 4))
            time += Int64(input.byte()) * 1000
            packets.append(
                CapturedPacket(
                    time: Timestamp(sinceEpoch: .microseconds(time)), kind: .data(isSent ? .sent : .received),
                    bytes: Bytes([0x40, isSent ? 0x00 : 0x20, frame, 0, count, 0, 4, 0] + pdu)))
        }
        analyze(packets, writes)
    }

    private static let connection = CapturedPacket(
        time: nil, kind: .event,
        bytes: [
            0x3E, 0x13, 0x01, 0x00, 0x40, 0x00, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00, 0xDE, 0xC0, 0x24, 0, 0, 0, 0xF4,
            0x01, 0x00,
        ])

    /// A link to the device, packets of signalling from both sides, and frames to ends of channels.
    private static func channels(_ input: inout FuzzInput) {
        var packets = [connection]
        let writes = input.byte() % 16 == 0
        while !input.isAtEnd {
            let choice = input.byte()
            // Directions are recorded, but for one in four.
            let direction: CapturedPacket.Direction? = choice & 6 == 6 ? nil : choice & 1 == 0 ? .sent : .received
            // Signalling, or one of the first ends.
            let channel: UInt8 = choice & 8 == 0 ? 5 : 0x40 + choice >> 4
            let payload = input.counted()
            let (count, frame) = (
                UInt8(truncatingIfNeeded: payload.count), UInt8(truncatingIfNeeded: payload.count + 4)
            )
            packets.append(
                CapturedPacket(
                    time: nil, kind: .data(direction),
                    bytes: Bytes([0x40, choice & 1 == 0 ? 0x00 : 0x20, frame, 0, count, 0, channel, 0] + payload)))
        }
        analyze(packets, writes)
    }

    private static func analyze(_ packets: [CapturedPacket], _ writes: Bool) {
        var analysis = CaptureAnalysis(limits: .init(devices: 64, bytes: 1 << 16))
        for packet in packets { analysis.add(packet) }
        expect(analysis.packetCount == packets.count, "\(analysis.packetCount) of \(packets.count) packets")
        for device in analysis.devices {
            for channel in analysis.channels(of: device.identifier) {
                let sent = channel.units.reduce(0) { $0 + $1.value.count }
                expect(sent == channel.device.byteCount + channel.peer.byteCount, "\(channel) counts other bytes")
            }
            guard let twin = analysis.twin(of: device.identifier) else { fail("no twin of \(device.identifier)") }
            if writes { expect((try? Twin(json: twin.json.utf8)) == twin, "\(twin) is lost in its JSON") }
        }
    }

    // MARK: Writing

    /// A capture that was written is read again.
    private static func written(_ input: inout FuzzInput) {
        let form = input.pick([
            CaptureWriter.Form.btsnoop(.hci), .btsnoop(.uart), .btsnoop(.monitor), .pcapng,
        ])
        let writer = CaptureWriter(form)
        var (file, packets) = (writer.header, [CapturedPacket]())
        while !input.isAtEnd {
            let kind = input.pick([
                CapturedPacket.Kind.command, .event, .data(.sent), .data(.received), .other, .data(nil),
            ])
            let time = Timestamp(sinceEpoch: .microseconds(Int64(input.word()) << 32 | Int64(input.word())))
            let packet = CapturedPacket(time: time, kind: kind, bytes: Bytes(input.counted()))
            guard let record = writer.record(packet) else { continue }
            file += record
            packets.append(packet)
        }
        let again = read(file, piece: 64)
        expect(again.error == nil, "\(String(describing: again.error))")
        expect(again.packets == packets, "\(packets) became \(again.packets)")
    }

    // MARK: Twins

    private static func json(_ input: inout FuzzInput) {
        do throws(TwinError) {
            let twin = try Twin(json: input.rest())
            expect((try? Twin(json: twin.json.utf8)) == twin, "\(twin) is lost in its JSON")
        } catch {
            _ = error.description
        }
    }
}
