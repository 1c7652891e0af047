// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The btsnoop format.
///
/// All numbers are big-endian. The file begins with `btsnoop\0`, the version (1) and the datalink, 32 bits each. A
/// record has the original and the included length, flags, the count of dropped packets (32 bits each) and microseconds
/// since the year 0 (64 bits), which are 0x00DCDDB30F2F8000 more than since 1970. The layout is that of RFC 1761
/// ("snoop"). Flags of 1001 and 1002: bit 0 is set for controller to host, bit 1 for a command or an event. Flags of
/// 2001: the monitor's opcode in the low 16 bits, the controller's index in the high ones (BlueZ, `doc/btsnoop.rst`,
/// `src/shared/btsnoop.h`).
struct BTSnoopReader: CaptureFormatReader {
    static let magic = Array("btsnoop\0".utf8)
    /// Microseconds from the year 0 to 1970.
    static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000
    private static let headerByteCount = 16
    private static let recordByteCount = 24

    private var datalink: BTSnoopDatalink?

    var format: CaptureFormat { .btsnoop }

    var isAtBoundary: Bool { datalink != nil }

    mutating func next(in buffer: inout CaptureBuffer) throws(CaptureError) -> CapturedPacket? {
        if datalink == nil {
            guard let header = buffer.peek(Self.headerByteCount) else { return nil }
            datalink = try Self.datalink(in: header)
            buffer.skip(Self.headerByteCount)
        }
        guard let datalink, let head = buffer.peek(Self.recordByteCount) else { return nil }
        var cursor = ByteCursor(head)
        guard let original = cursor.count(.bigEndian), let count = cursor.count(.bigEndian),
            let flags = cursor.big(UInt32.self), cursor.skip(4), let time = cursor.big(Int64.self)
        else { return nil }
        guard count <= CaptureReader.maximumPacketByteCount else {
            throw .invalidLength(count, offset: buffer.offset)
        }
        guard let record = buffer.peek(Self.recordByteCount + count) else { return nil }
        let (microseconds, overflow) = time.subtractingReportingOverflow(Self.epoch)
        let packet = Self.packet(
            datalink, flags, record.dropFirst(Self.recordByteCount),
            time: overflow ? nil : Timestamp(microseconds: microseconds), isCutOff: count < original)
        buffer.skip(Self.recordByteCount + count)
        return packet
    }

    private static func datalink(in header: ArraySlice<UInt8>) throws(CaptureError) -> BTSnoopDatalink {
        var cursor = ByteCursor(header)
        guard cursor.take(8).map(Array.init) == magic, let version = cursor.big(UInt32.self),
            let number = cursor.big(UInt32.self)
        else { throw .unknownFormat }
        guard version == 1 else { throw .unsupportedVersion(.btsnoop, version: Int(clamping: version)) }
        guard let datalink = BTSnoopDatalink(rawValue: number) else {
            throw .unsupportedLinkType(.btsnoop, number: Int(clamping: number))
        }
        return datalink
    }

    private static func packet(
        _ datalink: BTSnoopDatalink, _ flags: UInt32, _ bytes: ArraySlice<UInt8>, time: Timestamp?, isCutOff: Bool
    ) -> CapturedPacket {
        let direction: CapturedPacket.Direction = flags & 1 == 0 ? .sent : .received
        switch datalink {
        case .hci:
            let kind: CapturedPacket.Kind =
                flags & 2 == 0 ? .data(direction) : direction == .sent ? .command : .event
            return CapturedPacket(time: time, kind: kind, bytes: Bytes(bytes), isCutOff: isCutOff)
        case .uart:
            return HCIFraming.uart(bytes, direction, time: time, isCutOff: isCutOff)
        case .monitor:
            return HCIFraming.monitor(
                UInt16(truncatingIfNeeded: flags), adapter: Int(truncatingIfNeeded: flags >> 16), bytes, time: time,
                isCutOff: isCutOff)
        }
    }
}
