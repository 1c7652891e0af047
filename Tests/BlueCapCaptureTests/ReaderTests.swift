// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

@Suite(.timeLimit(.minutes(60)))
struct ReaderTests {
    /// Small files, byte by byte as the formats' specifications have them: each holds a Reset command (0C03) and the
    /// event that completes it, at 2026-01-01 00:00:01 and half a second later.
    static let files: [LiteralFile] = [
        LiteralFile(
            name: "btsnoop 1001", format: .btsnoop,
            bytes: bytes(
                """
                62 74 73 6E 6F 6F 70 00   00 00 00 01   00 00 03 E9
                00 00 00 03   00 00 00 03   00 00 00 02   00 00 00 00   00 E3 24 FB 55 5F 02 40   03 0C 00
                00 00 00 06   00 00 00 06   00 00 00 03   00 00 00 00   00 E3 24 FB 55 66 A3 60   0E 04 01 03 0C 00
                """)
        ),
        LiteralFile(
            name: "btsnoop 1002", format: .btsnoop,
            bytes: bytes(
                """
                62 74 73 6E 6F 6F 70 00   00 00 00 01   00 00 03 EA
                00 00 00 04   00 00 00 04   00 00 00 02   00 00 00 00   00 E3 24 FB 55 5F 02 40   01 03 0C 00
                00 00 00 07   00 00 00 07   00 00 00 03   00 00 00 00   00 E3 24 FB 55 66 A3 60   04 0E 04 01 03 0C 00
                """)
        ),
        LiteralFile(
            name: "btsnoop 2001", format: .btsnoop,
            bytes: bytes(
                """
                62 74 73 6E 6F 6F 70 00   00 00 00 01   00 00 07 D1
                00 00 00 03   00 00 00 03   00 00 00 02   00 00 00 00   00 E3 24 FB 55 5F 02 40   03 0C 00
                00 00 00 06   00 00 00 06   00 00 00 03   00 00 00 00   00 E3 24 FB 55 66 A3 60   0E 04 01 03 0C 00
                """)
        ),
        LiteralFile(
            name: "pcap 201", format: .pcap,
            bytes: bytes(
                """
                D4 C3 B2 A1   02 00 04 00   00 00 00 00   00 00 00 00   00 00 04 00   C9 00 00 00
                01 B9 55 69   00 00 00 00   08 00 00 00   08 00 00 00   00 00 00 00 01 03 0C 00
                01 B9 55 69   20 A1 07 00   0B 00 00 00   0B 00 00 00   00 00 00 01 04 0E 04 01 03 0C 00
                """)
        ),
        LiteralFile(
            name: "pcapng 254", format: .pcapng,
            bytes: bytes(
                """
                0A 0D 0D 0A   1C 00 00 00   4D 3C 2B 1A   01 00 00 00   FF FF FF FF FF FF FF FF   1C 00 00 00
                01 00 00 00   14 00 00 00   FE 00 00 00   00 00 00 00   14 00 00 00
                06 00 00 00   28 00 00 00   00 00 00 00   48 47 06 00   40 82 2F 46   07 00 00 00   07 00 00 00
                   00 00 00 02 03 0C 00 00   28 00 00 00
                06 00 00 00   2C 00 00 00   00 00 00 00   48 47 06 00   60 23 37 46   0A 00 00 00   0A 00 00 00
                   00 00 00 03 0E 04 01 03 0C 00 00 00   2C 00 00 00
                """)
        ),
        LiteralFile(
            name: "PacketLogger", format: .packetLogger,
            bytes: bytes(
                """
                00 00 00 0C   69 55 B9 01   00 00 00 00   00   03 0C 00
                00 00 00 0F   69 55 B9 01   00 07 A1 20   01   0E 04 01 03 0C 00
                """)
        ),
    ]

    @Test(arguments: files)
    func `a file written out from its specification gives its packets`(_ literal: LiteralFile) throws {
        let packets = try read(literal.bytes)
        #expect(packets.map(\.kind) == [.command, .event])
        #expect(packets.map(\.bytes) == [[0x03, 0x0C, 0x00], [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]])
        #expect(packets.map(\.isCutOff) == [false, false])
        let start = LampSession.start + 1_000_000
        #expect(packets.map(\.micros) == [start, start + 500_000])
        var reader = CaptureReader()
        reader.append(literal.bytes)
        _ = try reader.next()
        #expect(reader.format == literal.format)
    }

    @Test(arguments: files)
    func `a file is read alike in pieces of any length`(_ literal: LiteralFile) throws {
        let whole = try read(literal.bytes)
        for piece in 1...40 { #expect(try read(literal.bytes, piece: piece) == whole) }
    }

    @Test(arguments: files)
    func `a file that ends anywhere but between records is truncated`(_ literal: LiteralFile) throws {
        let (name, file) = (literal.name, literal.bytes)
        let ends = Set(Self.recordEnds(name))
        for length in 0..<file.count {
            var packets = 0
            var reader = CaptureReader()
            reader.append(file.prefix(length))
            let error = #expect(throws: CaptureError.self, "\(length) bytes of \(name)") {
                while try reader.next() != nil { packets += 1 }
                try reader.finish()
                // A whole number of records is a whole file.
                if ends.contains(length) { throw CaptureError.truncated(offset: -1) }
            }
            switch error {
            case .truncated(let offset): #expect(offset <= length)
            case .unknownFormat: #expect(length < 16)
            default: Issue.record("\(length) bytes of \(name): \(String(describing: error))")
            }
            #expect(packets < 2)
        }
    }

    /// The places where a file may end: after its header and after the first packet, and for pcapng after each block.
    private static func recordEnds(_ name: String) -> [Int] {
        switch name {
        case "btsnoop 1001", "btsnoop 2001": [16, 43]
        case "btsnoop 1002": [16, 44]
        case "pcap 201": [24, 48]
        case "pcapng 254": [28, 48, 88]
        default: [16]
        }
    }

    @Test(arguments: Framing.allCases)
    func `a session is found out from each framing`(_ framing: Framing) throws {
        let analysis = try LampSession.analyze(framing.file())
        let twin = try #require(analysis.twin(of: LampSession.device))
        #expect(twin == LampSession.twin)
    }

    @Test(arguments: ["", "00", "{\"schema\": 1}", "btsnooze", "\u{7F}ELF00000000000"])
    func `what is no capture is refused`(_ text: String) {
        #expect(throws: CaptureError.unknownFormat) {
            try read(Array(text.utf8) + (text.utf8.count > 7 ? Array(repeating: 0, count: 16) : []))
        }
    }

    @Test
    func `datalinks and link types without Bluetooth LE are refused by their number`() {
        let btsnoop = bytes("62 74 73 6E 6F 6F 70 00 00 00 00 01 00 00 03 EB")
        #expect(throws: CaptureError.unsupportedLinkType(.btsnoop, number: 1003)) { try read(btsnoop) }
        let ethernet = bytes("D4 C3 B2 A1 02 00 04 00 00000000 00000000 00000400 01000000")
        #expect(throws: CaptureError.unsupportedLinkType(.pcap, number: 1)) { try read(ethernet) }
    }

    @Test(arguments: [
        ("1F8B0800 00000000", CaptureCompression.gzip, "gunzip"), ("1F8B0808 5D5E5F60", .gzip, "gunzip"),
        ("425A6839 31415926", .bzip2, "bunzip2"), ("FD377A58 5A000004", .xz, "unxz"),
        ("28B52FFD 04000000", .zstd, "unzstd"), ("04224D18 64400000", .lz4, "unlz4"),
        ("504B0304 14000000", .zip, "unzip"),
    ])
    func `a compressed file is named, with the command that unpacks it`(
        start: String, compression: CaptureCompression, command: String
    ) {
        let error = #expect(throws: CaptureError.self) { try read(bytes(start) + Array(repeating: 0, count: 32)) }
        #expect(error == .compressed(compression))
        #expect(error?.description.contains("'\(command) ") == true)
    }

    @Test func `PPI is named, in pcap and in pcapng, with the command that converts it`() {
        let pcap = bytes("D4 C3 B2 A1 02 00 04 00 00000000 00000000 00000400 C0000000")
        let section = bytes("0A0D0D0A 1C000000 4D3C2B1A 01000000 FFFFFFFFFFFFFFFF 1C000000")
        let interface = bytes("01000000 14000000 C0000000 00000000 14000000")
        let packet = bytes("06000000 24000000 00000000 00000000 00000000 04000000 04000000 AABBCCDD 24000000")
        for file in [pcap, section + interface + packet] {
            let error = #expect(throws: CaptureError.self) { try read(file) }
            #expect(error?.description.contains("PPI") == true)
            #expect(error?.description.contains("editcap -C 24 -T bluetooth-le-ll") == true)
        }
    }

    @Test
    func `a later version is refused`() {
        let btsnoop = bytes("62 74 73 6E 6F 6F 70 00 00 00 00 02 00 00 03 EA")
        #expect(throws: CaptureError.unsupportedVersion(.btsnoop, version: 2)) { try read(btsnoop) }
    }

    @Test
    func `a record that promises four gigabytes is refused at once`() {
        let head = bytes("62 74 73 6E 6F 6F 70 00 00 00 00 01 00 00 03 EA")
        let record = bytes("FFFFFFFF FFFFFFFF 00000000 00000000 0000000000000000")
        #expect(throws: CaptureError.invalidLength(0xFFFF_FFFF, offset: 16)) { try read(head + record) }
    }

    @Test
    func `an error is thrown again by each later call`() {
        var reader = CaptureReader()
        reader.append(Array(repeating: 0xEE, count: 64))
        for _ in 0..<3 { #expect(throws: CaptureError.unknownFormat) { try reader.next() } }
        #expect(throws: CaptureError.unknownFormat) { try reader.finish() }
    }

    @Test
    func `a pcapng interface of another link type is passed over where there is one of Bluetooth`() throws {
        let framing = Framing.pcapng201
        let ethernet = bytes("01000000 14000000 01000000 00000000 14000000")
        let frame = bytes("06000000 24000000 01000000 00000000 00000000 04000000 04000000 AABBCCDD 24000000")
        let packet = framing.record(LampSession.packets[0], at: Int(LampSession.start))
        #expect(try read(framing.header + ethernet + frame + packet).count == 1)
    }

    @Test
    func `a pcapng packet of an interface that was not described is refused`() {
        let section = bytes("0A0D0D0A 1C000000 4D3C2B1A 01000000 FFFFFFFFFFFFFFFF 1C000000")
        let packet = bytes("06000000 24000000 01000000 00000000 00000000 04000000 04000000 AABBCCDD 24000000")
        #expect(throws: CaptureError.invalidBlock("there is no interface 1", offset: 28)) { try read(section + packet) }
    }

    @Test
    func `a pcapng block whose two lengths differ, or whose length is no multiple of four, is refused`() {
        let section = bytes("0A0D0D0A 1C000000 4D3C2B1A 01000000 FFFFFFFFFFFFFFFF 1C000000")
        let interface = bytes("01000000 14000000 FE000000 00000000 18000000")
        #expect(throws: CaptureError.invalidBlock("its two lengths differ", offset: 28)) {
            try read(section + interface)
        }
        let odd = bytes("01000000 15000000 FE000000 00000000 15000000")
        #expect(throws: CaptureError.invalidLength(0x15, offset: 28)) { try read(section + odd) }
        let short = bytes("01000000 08000000 08000000")
        #expect(throws: CaptureError.invalidLength(8, offset: 28)) { try read(section + short) }
    }

    @Test
    func `a packet of which the file holds only the beginning is marked`() throws {
        let file = bytes(
            """
            62 74 73 6E 6F 6F 70 00   00 00 00 01   00 00 03 EA
            00 00 00 20   00 00 00 03   00 00 00 02   00 00 00 00   00 E3 24 FB 55 5F 02 40   01 03 0C
            """)
        #expect(try read(file).map(\.isCutOff) == [true])
    }

    @Test(arguments: [(9, 1_500_000_000), (6, 1_500_000), (3, 1500), (0x81, 3)])
    func `pcapng times count in the interface's own unit`(resolution: Int, ticks: Int) throws {
        var header = Framing.pcapng254BigEndian.header
        // The value of the option if_tsresol; with the high bit set, a power of 2.
        header[header.count - 12] = UInt8(resolution)
        var block = Framing.pcapng254BigEndian.record(LampSession.packets[0], at: 0)
        block.replaceSubrange(12..<16, with: Framing.pcapng254BigEndian.big(ticks >> 32, 4))
        block.replaceSubrange(16..<20, with: Framing.pcapng254BigEndian.big(ticks & 0xFFFF_FFFF, 4))
        #expect(try read(header + block).map(\.micros) == [1_500_000])
    }
}

/// A file written out in a test.
struct LiteralFile: Sendable, CustomTestStringConvertible {
    var name: String
    var format: CaptureFormat
    var bytes: [UInt8]

    var testDescription: String { name }
}
