// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The format of Apple's PacketLogger (`.pklg`).
///
/// There is no header. A record has the length of its rest (32 bits), seconds and microseconds since 1970 (32 bits
/// each), a type byte, and the packet without a UART's type byte. Files in big-endian and in little-endian order are
/// known. Types: 0 command, 1 event, 2 ACL data sent, 3 received; 8 and 9 synchronous data; higher ones are texts
/// (Apple's `IOBluetooth` packet types, as Wireshark's `packetlogger` documentation lists them).
struct PacketLoggerReader: CaptureFormatReader {
    static let headerByteCount = 13
    private static let overhead = 9
    private static let plausible: ClosedRange<UInt32> = 9...65_544

    private let order: ByteOrder

    /// The byte order that a record's length is plausible in; nil for none.
    static func order(of first: [UInt8]) -> ByteOrder? {
        var cursor = ByteCursor(first)
        guard let big = cursor.big(UInt32.self) else { return nil }
        if plausible.contains(big) { return .bigEndian }
        return plausible.contains(big.byteSwapped) ? .littleEndian : nil
    }

    /// - Parameter head: The first 13 bytes of the file; nil where they are no record.
    init?(head: [UInt8]) {
        guard let order = Self.order(of: head) else { return nil }
        var cursor = ByteCursor(head)
        guard cursor.skip(8), let fraction = cursor.number(order, UInt32.self), fraction < 1_000_000,
            let type = cursor.byte(), type <= 0x11 || type >= 0xEF
        else { return nil }
        self.order = order
    }

    var format: CaptureFormat { .packetLogger }

    var isAtBoundary: Bool { true }

    mutating func next(in buffer: inout CaptureBuffer) throws(CaptureError) -> CapturedPacket? {
        guard let head = buffer.peek(4) else { return nil }
        var cursor = ByteCursor(head)
        let length = cursor.count(order) ?? 0
        guard length >= Self.overhead, length - Self.overhead <= CaptureReader.maximumPacketByteCount else {
            throw .invalidLength(length, offset: buffer.offset)
        }
        guard let record = buffer.peek(4 + length) else { return nil }
        cursor = ByteCursor(record.dropFirst(4))
        guard let seconds = cursor.number(order, UInt32.self), let microseconds = cursor.number(order, UInt32.self),
            let type = cursor.byte()
        else { return nil }
        let kind: CapturedPacket.Kind
        switch type {
        case 0: kind = .command
        case 1: kind = .event
        case 2: kind = .data(.sent)
        case 3: kind = .data(.received)
        default: kind = .other
        }
        let time = Timestamp(sinceEpoch: .seconds(seconds) + .microseconds(microseconds))
        let packet = CapturedPacket(time: time, kind: kind, bytes: Bytes(cursor.takeRest()))
        buffer.skip(4 + length)
        return packet
    }
}
