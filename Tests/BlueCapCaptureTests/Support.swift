// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

@testable import BlueCapCapture

/// Bytes from hexadecimal digits over several lines; the rest of a line after `#` is a remark.
func bytes(_ text: String) -> [UInt8] {
    let digits = text.split(separator: "\n").map { $0.split(separator: "#", omittingEmptySubsequences: false)[0] }
    return Array((try? Bytes(hex: digits.joined(separator: " "))) ?? [])
}

/// All packets of a file that is fed in pieces.
func read(_ file: [UInt8], piece: Int = 4096) throws(CaptureError) -> [CapturedPacket] {
    var reader = CaptureReader()
    var packets: [CapturedPacket] = []
    for start in stride(from: 0, to: file.count, by: piece) {
        reader.append(file[start..<min(start + piece, file.count)])
        while let packet = try reader.next() { packets.append(packet) }
    }
    try reader.finish()
    return packets
}

extension CapturedPacket {
    /// The time of a packet, in microseconds since 1970.
    var micros: Int64? { time?.microseconds }
}

/// A whole session of a central with a lamp, packet by packet as the specification has it, at a controller's HCI.
enum LampSession {
    static let device = PeerIdentifier("C0:DE:00:00:00:01")
    static let service: BluetoothUUID = "F000AA10-0451-4000-B000-000000000000"
    static let control: BluetoothUUID = "F000AA11-0451-4000-B000-000000000000"

    enum Kind { case command, event, sent, received }

    struct Packet {
        var kind: Kind
        var bytes: [UInt8]
        /// Microseconds since the beginning.
        var time: Int64
    }

    /// 2026-01-01 00:00:00 UTC in microseconds since 1970.
    static let start: Int64 = 1_767_225_600_000_000

    static let packets: [Packet] = {
        var packets: [Packet] = []
        var time: Int64 = 0
        func put(_ kind: Kind, _ text: String, after: Int64 = 1000) {
            time += after
            packets.append(Packet(kind: kind, bytes: bytes(text), time: time))
        }
        // LE Advertising Report: ADV_IND, random address, flags and 180F, -60 dBm; then SCAN_RSP with a name, -61 dBm.
        put(.event, "3E 13 02 01 00 01 01000000DEC0 07 020106 03030F18 C4")
        put(.event, "3E 12 02 01 04 01 01000000DEC0 06 05094C616D70 C3")
        put(.event, "3E 13 02 01 00 01 01000000DEC0 07 020106 03030F18 C2", after: 100_000)
        // LE Create Connection (only its beginning; the rest is never read), then LE Connection Complete: handle
        // 0x0040, central.
        put(.command, "0D 20 19 6000 6000 00 01 01000000DEC0 00 2400 2400 0000 F401 0000 0000")
        put(.event, "3E 13 01 00 4000 00 01 01000000DEC0 2400 0000 F401 00")
        // Exchange MTU: 517, 247.
        put(.sent, "4000 0700 0300 0400 02 0502")
        put(.received, "4020 0700 0300 0400 03 F700")
        // Read By Group Type: 1800 at 1 to 3 and 180F at 4 to 9; a UUID of 128 bits at 10 to 12; no further services.
        put(.sent, "4000 0B00 0700 0400 10 0100 FFFF 0028")
        put(.received, "4020 1200 0E00 0400 11 06 0100 0300 0018 0400 0900 0F18")
        put(.sent, "4000 0B00 0700 0400 10 0A00 FFFF 0028")
        put(.received, "4020 1A00 1600 0400 11 14 0A00 0C00 00000000000000B00040510410AA00F0")
        put(.sent, "4000 0B00 0700 0400 10 0D00 FFFF 0028")
        put(.received, "4020 0900 0500 0400 01 10 0D00 0A")
        // Read By Type for characteristics: Device Name; Battery Level, read and notify; a control, write.
        put(.sent, "4000 0B00 0700 0400 08 0100 0300 0328")
        put(.received, "4020 0D00 0900 0400 09 07 0200 02 0300 002A")
        put(.sent, "4000 0B00 0700 0400 08 0400 0900 0328")
        put(.received, "4020 0D00 0900 0400 09 07 0500 12 0600 192A")
        put(.sent, "4000 0B00 0700 0400 08 0600 0900 0328")
        put(.received, "4020 0900 0500 0400 01 08 0600 0A")
        put(.sent, "4000 0B00 0700 0400 08 0A00 0C00 0328")
        put(.received, "4020 1B00 1700 0400 09 15 0B00 08 0C00 00000000000000B00040510411AA00F0")
        // Find Information: 2902 at 7, 2901 at 8, 2904 at 9.
        put(.sent, "4000 0900 0500 0400 04 0700 0900")
        put(.received, "4020 1200 0E00 0400 05 01 0700 0229 0800 0129 0900 0429")
        // Reads: "Lamp", 100 %, "A".
        put(.sent, "4000 0700 0300 0400 0A 0300")
        put(.received, "4020 0900 0500 0400 0B 4C616D70")
        put(.sent, "4000 0700 0300 0400 0A 0600")
        put(.received, "4020 0600 0200 0400 0B 64")
        put(.sent, "4000 0700 0300 0400 0A 0800")
        put(.received, "4020 0600 0200 0400 0B 41")
        // Notifications on; 99 %, 98 % after half a second each.
        put(.sent, "4000 0900 0500 0400 12 0700 0100")
        put(.received, "4020 0500 0100 0400 13", after: 10_000)
        put(.received, "4020 0800 0400 0400 1B 0600 63", after: 490_000)
        put(.received, "4020 0800 0400 0400 1B 0600 62", after: 500_000)
        // A notification of 30 bytes in two fragments, and a request of the central between them.
        put(.received, "4020 0F00 2100 0400 1B 0600 0001020304050607", after: 500_000)
        put(.sent, "4000 0800 0400 0400 12 0C00 01")
        put(.received, "4010 1600 08090A0B0C0D0E0F 1011121314151617 18191A1B1C1D")
        // The write is refused, the link encrypted, the write accepted.
        put(.received, "4020 0900 0500 0400 01 12 0C00 05")
        put(.event, "08 04 00 4000 01")
        put(.sent, "4000 0800 0400 0400 12 0C00 01")
        put(.received, "4020 0500 0100 0400 13")
        put(.event, "05 04 00 4000 13")
        return packets
    }()

    /// The twin that the analysis should find.
    static let twin = Twin(
        address: device, isAddressRandom: true, name: "Lamp",
        recorded: Timestamp(microseconds: start + 1000),
        advertisement: TwinAdvertisement(
            data: PeripheralAdvertisements(serviceUUIDs: ["180F"], flags: [.generalDiscoverable, .noBREDR]),
            scanResponse: PeripheralAdvertisements(localName: "Lamp"), isConnectable: true,
            interval: .milliseconds(101), rssi: -62),
        mtu: 247, services: services)

    static let services = [
        TwinService(
            "1800", handle: 1,
            characteristics: [TwinCharacteristic("2A00", handle: 3, properties: .read, value: Bytes("Lamp".utf8))]),
        TwinService(
            "180F", handle: 4,
            characteristics: [
                TwinCharacteristic(
                    "2A19", handle: 6, properties: [.read, .notify], value: [100],
                    descriptors: [TwinDescriptor("2901", handle: 8, value: [0x41]), TwinDescriptor("2904", handle: 9)],
                    notifications: [
                        TwinNotification(after: .milliseconds(500), value: [99]),
                        TwinNotification(after: .milliseconds(1000), value: [98]),
                        TwinNotification(after: .milliseconds(1502), value: Bytes(Array(0...29))),
                    ])
            ]),
        TwinService(
            service, handle: 10,
            characteristics: [
                TwinCharacteristic(control, handle: 12, properties: .write, value: [1], writeSecurity: .encrypted)
            ]),
    ]

    /// The session as a device looks to a sniffer, or at a host: without the time that only some formats have.
    static func analyze(_ file: [UInt8], piece: Int = 4096) throws -> CaptureAnalysis {
        var analysis = CaptureAnalysis()
        for packet in try read(file, piece: piece) { analysis.add(packet) }
        return analysis
    }
}
