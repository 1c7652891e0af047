// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The pcap format (pcap-savefile(5)).
///
/// The file begins with a magic number, which shows the byte order and the unit of times, the version (2.4), two unused
/// numbers, the longest length of a packet, and the link type in the low 28 bits of a number. A record has seconds,
/// micro- or nanoseconds, the included and the original length.
struct PCAPReader: CaptureFormatReader {
    private static let headerByteCount = 24
    private static let recordByteCount = 16

    private let order: ByteOrder
    private let isNanoseconds: Bool
    private var linkType: LinkType?

    init(order: ByteOrder, isNanoseconds: Bool) {
        self.order = order
        self.isNanoseconds = isNanoseconds
    }

    var format: CaptureFormat { .pcap }

    var isAtBoundary: Bool { linkType != nil }

    mutating func next(in buffer: inout CaptureBuffer) throws(CaptureError) -> CapturedPacket? {
        if linkType == nil {
            guard let header = buffer.peek(Self.headerByteCount) else { return nil }
            var cursor = ByteCursor(header.suffix(4))
            let number = Int(truncatingIfNeeded: (cursor.number(order, UInt32.self) ?? 0) & 0x0FFF_FFFF)
            guard let type = LinkType(rawValue: number) else { throw .unsupportedLinkType(.pcap, number: number) }
            linkType = type
            buffer.skip(Self.headerByteCount)
        }
        guard let linkType, let head = buffer.peek(Self.recordByteCount) else { return nil }
        var cursor = ByteCursor(head)
        guard let seconds = cursor.number(order, UInt32.self), let fraction = cursor.number(order, UInt32.self),
            let count = cursor.count(order), let original = cursor.count(order)
        else { return nil }
        guard count <= CaptureReader.maximumPacketByteCount else { throw .invalidLength(count, offset: buffer.offset) }
        guard let record = buffer.peek(Self.recordByteCount + count) else { return nil }
        let time = Duration.seconds(seconds) + (isNanoseconds ? .nanoseconds(fraction) : .microseconds(fraction))
        let packet = linkType.packet(
            record.dropFirst(Self.recordByteCount), time: Timestamp(sinceEpoch: time), isCutOff: count < original)
        buffer.skip(Self.recordByteCount + count)
        return packet
    }
}
