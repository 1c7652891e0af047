// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

/// The reading of a link after the start of its encryption.
@Suite(.timeLimit(.minutes(60)))
struct EncryptionTests {
    /// The lamp's session as a program wrote it that had decrypted it: no packet says so.
    private static let unmarked: [SnifferFraming.PDU] = SnifferFraming.pdus(repeating: false).map { pdu in
        var pdu = pdu
        pdu.isDecrypted = false
        return pdu
    }

    /// The same session as ciphertext: from LL_START_ENC_RSP on, each packet that is not empty is unreadable, and has
    /// four bytes more.
    static let ciphertext: [SnifferFraming.PDU] = {
        var isEncrypted = false
        return unmarked.flatMap { pdu -> [SnifferFraming.PDU] in
            var pdus = [pdu]
            if pdu.bytes.suffix(1) == [6], pdu.bytes[0] & 3 == 3 {
                // LL_START_ENC_REQ, which is the last that is plain.
                pdus[0].bytes = [3, 1, 5]
                pdus[0].isFromCentral = false
                pdus.append(pdu)
                isEncrypted = true
            }
            guard isEncrypted else { return pdus }
            let plain = Array(pdu.bytes.dropFirst(2))
            let unreadable = (plain + [0, 0, 0, 0]).enumerated().map { $1 ^ UInt8(truncatingIfNeeded: 0x9B &+ 37 * $0) }
            pdus[pdus.count - 1].bytes = [pdu.bytes[0], UInt8(unreadable.count)] + unreadable
            return pdus
        }
    }()

    @Test(arguments: [SnifferFraming.plain, .withHeader])
    func `what another program has decrypted is read, though no packet says that it is`(
        _ framing: SnifferFraming
    ) throws {
        let twin = try LampSession.analyze(framing.file(Self.unmarked)).twin(of: LampSession.device)
        #expect(twin?.services.last == LampSession.services.last)
    }

    @Test(arguments: [SnifferFraming.plain, .withHeader])
    func `what is decrypted is read where the packets that start the encryption were not all heard`(
        _ framing: SnifferFraming
    ) throws {
        // LL_START_ENC_REQ in the place of LL_START_ENC_RSP.
        let pdus = Self.unmarked.map { pdu in
            var pdu = pdu
            if pdu.bytes == [pdu.bytes[0], 1, 6] { pdu.bytes[2] = 5 }
            return pdu
        }
        let twin = try LampSession.analyze(framing.file(pdus)).twin(of: LampSession.device)
        #expect(twin?.services.last == LampSession.services.last)
    }

    @Test(arguments: [SnifferFraming.plain, .withHeader])
    func `of ciphertext nothing is read, and what was heard before it stays`(_ framing: SnifferFraming) throws {
        let twin = try LampSession.analyze(framing.file(Self.ciphertext)).twin(of: LampSession.device)
        var services = LampSession.services
        services[2].characteristics[0].value = nil
        if framing == .plain { services[1].characteristics[0].notifications.removeLast() }
        #expect(twin?.services == services)
    }

    @Test func `a repeated LL_START_ENC_REQ is no proof that the rest is plain`() {
        var link = AirLink()
        for _ in 0..<2 { link.data(3, [5], fromCentral: false, direction: .received) }
        // Ciphertext may have any content, also that of a packet that would end the link.
        link.data(3, [2, 0x13, 1, 2, 3, 4], fromCentral: true, direction: .sent)
        #expect(link.analysis.links.count == 1)
    }

    @Test(arguments: [[6], [7, 0x0F], [0x16, 1, 1]] as [[UInt8]])
    func `a packet that is too short for a check value shows that the link was decrypted`(payload: [UInt8]) {
        var link = AirLink()
        link.data(3, [5], fromCentral: false, direction: .received)
        link.data(3, payload, fromCentral: true, direction: .sent)
        // The length of the frame needs several packets, so this packet alone proves nothing.
        link.data(2, bytes("0700 0400 1B 03"), fromCentral: false, direction: .received)
        link.data(1, bytes("00 01020304"), fromCentral: false, direction: .received)
        #expect(link.accesses.map(\.value) == [[1, 2, 3, 4]])
    }
}
