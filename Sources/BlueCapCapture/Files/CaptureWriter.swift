// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// Writes packets of HCI as a file that Wireshark, tshark and btmon read.
///
/// Write ``header`` first, then the result of ``record(_:)`` for each packet:
///
/// ```swift
/// let writer = CaptureWriter(.btsnoop(.uart))
/// var file = writer.header
/// for packet in packets { file += writer.record(packet) ?? [] }
/// ```
public struct CaptureWriter: Sendable, Hashable {
    /// The form of a file.
    public enum Form: Sendable, Hashable {
        /// btsnoop. Only `.monitor` keeps several controllers apart.
        case btsnoop(BTSnoopDatalink)
        /// pcapng with one interface of link type 254, which keeps several controllers apart.
        case pcapng
    }

    /// The form of the file.
    public let form: Form

    /// Creates a writer of files in the given form.
    public init(_ form: Form) { self.form = form }

    /// The bytes with which the file begins.
    public var header: [UInt8] {
        var file: [UInt8] = []
        switch form {
        case .btsnoop(let datalink):
            file += BTSnoopReader.magic
            file.append(UInt32(1), .bigEndian)
            file.append(datalink.rawValue, .bigEndian)
        case .pcapng:
            // Section header: magic, version 1.0, a length that is not known.
            var section: [UInt8] = []
            section.append(UInt32(0x1A2B_3C4D), .littleEndian)
            section.append(UInt16(1), .littleEndian)
            section.append(UInt16(0), .littleEndian)
            section.append(Int64(-1), .littleEndian)
            file += Self.block(0x0A0D_0D0A, section)
            // Interface description: link type, nothing, no limit of the length.
            var interface: [UInt8] = []
            interface.append(UInt16(LinkType.monitor.rawValue), .littleEndian)
            interface.append(UInt16(0), .littleEndian)
            interface.append(UInt32(0), .littleEndian)
            file += Self.block(1, interface)
        }
        return file
    }

    /// Returns a packet in the form of the file.
    ///
    /// - Returns: The bytes of the record; nil for a packet that the form has no room for: one of the link layer, of
    ///   another kind, of a direction that is not known, or longer than ``CaptureReader/maximumPacketByteCount``.
    public func record(_ packet: CapturedPacket) -> [UInt8]? {
        guard packet.bytes.count <= CaptureReader.maximumPacketByteCount - 64 else { return nil }
        let microseconds = packet.time?.microseconds ?? 0
        switch form {
        case .btsnoop(let datalink):
            guard let (flags, bytes) = Self.btsnoop(datalink, packet) else { return nil }
            var record: [UInt8] = []
            record.append(UInt32(bytes.count), .bigEndian)
            record.append(UInt32(bytes.count), .bigEndian)
            record.append(flags, .bigEndian)
            record.append(UInt32(0), .bigEndian)
            record.append(microseconds.addingReportingOverflow(BTSnoopReader.epoch).partialValue, .bigEndian)
            record += bytes
            return record
        case .pcapng:
            guard let (opcode, bytes) = Self.monitor(packet) else { return nil }
            let ticks = UInt64(clamping: microseconds)
            var block: [UInt8] = []
            block.append(UInt32(0), .littleEndian)
            block.append(UInt32(ticks >> 32), .littleEndian)
            block.append(UInt32(truncatingIfNeeded: ticks), .littleEndian)
            block.append(UInt32(bytes.count + 4), .littleEndian)
            block.append(UInt32(bytes.count + 4), .littleEndian)
            block.append(UInt16(truncatingIfNeeded: packet.adapter), .bigEndian)
            block.append(opcode, .bigEndian)
            block += bytes
            block += repeatElement(0, count: (4 - block.count % 4) % 4)
            return Self.block(6, block)
        }
    }

    private static func block(_ type: UInt32, _ content: [UInt8]) -> [UInt8] {
        var block: [UInt8] = []
        block.append(type, .littleEndian)
        block.append(UInt32(content.count + 12), .littleEndian)
        block += content
        block.append(UInt32(content.count + 12), .littleEndian)
        return block
    }

    private static func btsnoop(_ datalink: BTSnoopDatalink, _ packet: CapturedPacket) -> (UInt32, [UInt8])? {
        let bytes = packet.bytes.array
        if datalink == .monitor {
            return monitor(packet).map { opcode, content in
                (UInt32(truncatingIfNeeded: packet.adapter) << 16 | UInt32(opcode), content)
            }
        }
        let flags: UInt32
        let type: HCIFraming.UARTType
        switch packet.kind {
        case .command: (flags, type) = (2, .command)
        case .event: (flags, type) = (3, .event)
        case .data(.sent): (flags, type) = (0, .data)
        case .data(.received): (flags, type) = (1, .data)
        case .data(nil), .linkLayer, .controllerAdded, .other: return nil
        }
        return (flags, datalink == .uart ? [type.rawValue] + bytes : bytes)
    }

    private static func monitor(_ packet: CapturedPacket) -> (UInt16, [UInt8])? {
        let bytes = packet.bytes.array
        let opcode: HCIFraming.MonitorOpcode
        switch packet.kind {
        case .command: opcode = .command
        case .event: opcode = .event
        case .data(.sent): opcode = .dataSent
        case .data(.received): opcode = .dataReceived
        case .controllerAdded:
            guard bytes.count == 6 else { return nil }
            // A primary controller on a virtual bus; the name fills eight bytes.
            let name = Array("hci\(packet.adapter)".utf8.prefix(8))
            return (
                HCIFraming.MonitorOpcode.newIndex.rawValue,
                [0, 0] + bytes + name + Array(repeating: 0, count: 8 - name.count)
            )
        case .data(nil), .linkLayer, .other: return nil
        }
        return (opcode.rawValue, bytes)
    }
}

/// The kind of packets in a btsnoop file, by the number in its header.
public enum BTSnoopDatalink: UInt32, Sendable, Hashable, CaseIterable {
    /// HCI packets without framing; the record's flags say which kind (H1).
    case hci = 1001
    /// HCI packets behind the packet-type byte of the UART transport (H4), as Android writes them.
    case uart = 1002
    /// The Linux kernel's monitor: several controllers in one file, as btmon writes them.
    case monitor = 2001
}
