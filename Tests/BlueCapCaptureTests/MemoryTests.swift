// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

/// Gives the bytes of a long capture as they are asked for: a session, then data without end, and counts them.
struct EndlessCapture {
    private(set) var count = 0
    private var beginning: [UInt8]
    private let rest: [UInt8]

    init(_ framing: Framing) {
        // All but the disconnection, so that the link stays.
        beginning = framing.file(Array(LampSession.packets.dropLast()))
        func record(_ text: String, _ size: Int) -> [UInt8] {
            let packet = LampSession.Packet(
                kind: .received, bytes: bytes(text) + Array(repeating: 0x42, count: size), time: 3_000_000)
            return framing.record(packet, at: Int(LampSession.start + packet.time))
        }
        // A notification of 500 bytes, and 4000 bytes on a channel that is not the Attribute Protocol's.
        let both = record("4020 FB01 F701 0400 1B 0600", 500) + record("4020 A40F A00F 4000", 4000)
        rest = Array(repeatElement(both, count: 14).joined())
    }

    /// The next bytes, about 64 KiB.
    mutating func next() -> [UInt8] {
        let piece = beginning.isEmpty ? rest : beginning
        beginning = []
        count += piece.count
        return piece
    }
}

@Suite(.timeLimit(.minutes(60)))
struct MemoryTests {
    @Test(arguments: [Framing.btsnoop1002, .pcapng201])
    func `a capture of 100 MB is read and analyzed in flat memory`(_ framing: Framing) throws {
        var capture = EndlessCapture(framing)
        var reader = CaptureReader()
        var analysis = CaptureAnalysis(limits: .init(bytes: 1 << 20))
        var most = 0
        while capture.count < 100_000_000 {
            reader.append(capture.next())
            while let packet = try reader.next() { analysis.add(packet) }
            most = max(most, reader.heldByteCount)
        }
        #expect(most < 1 << 18, "the reader held \(most) bytes")
        #expect(analysis.storedByteCount < 1 << 20 + 1024, "the analysis held \(analysis.storedByteCount) bytes")
        #expect(analysis.packetCount > 40_000)
        #expect(analysis.droppedCount > 15_000)
        #expect(analysis.twin(of: LampSession.device)?.services.count == 3)
    }

    @Test(arguments: [(494, [512]), (495, [])] as [(UInt16, [Int])])
    func `a part of a write that no attribute can hold is not kept`(offset: UInt16, written: [Int]) {
        var (conversation, database) = (ATTConversation(), ObservedDatabase())
        func pass(_ request: ATTPDU, _ response: ATTPDU) -> [ATTConversation.Access] {
            conversation.fromServer(response, answering: request, &database, time: nil, isEncrypted: false)
        }
        _ = pass(.readRequest(3), .readResponse(Bytes(repeating: 0, count: 500)))
        let part = Bytes(repeating: 1, count: 18)
        _ = pass(.prepareWriteRequest(3, offset: offset, part), .prepareWriteResponse(3, offset: offset, part))
        #expect(pass(.executeWriteRequest(commits: true), .executeWriteResponse).map(\.value.count) == written)
    }

    @Test
    func `beyond the limit of devices, others are counted and forgotten`() {
        var analysis = CaptureAnalysis(limits: .init(devices: 100))
        for number in 0..<1000 {
            let address = Framing.btsnoop1001.big(0xC000_0000_0000 + number, 6).reversed()
            let report = bytes("3E 0C 02 01 00 01") + address + [0, 0xC4]
            analysis.add(CapturedPacket(time: nil, kind: .event, bytes: Bytes(report)))
        }
        #expect(analysis.devices.count == 100)
        #expect(analysis.droppedCount == 900)
    }

    @Test
    func `links that never end are forgotten, the longest unused first`() {
        var analysis = CaptureAnalysis()
        for handle in 0..<1000 {
            let fragment = Framing.btsnoop1001.little(0x2000 | handle, 2) + bytes("0800 0400 0400 1B 0600 63")
            analysis.add(CapturedPacket(time: nil, kind: .data(.received), bytes: Bytes(fragment)))
        }
        #expect(analysis.links.count == CaptureAnalysis.maximumLinkCount)
    }

    @Test
    func `a hostile database does not grow without end`() {
        var database = ObservedDatabase()
        for number in 1...65_000 {
            let handle = UInt16(number)
            database.add(.init(range: HandleRange(first: handle, last: handle), uuid: "180F", isPrimary: true))
            database.add(.init(range: HandleRange(first: handle, last: handle), uuid: nil), at: handle)
        }
        #expect(database.services.count == 1024)
        #expect(database.includes.count == 1024)
    }
}
