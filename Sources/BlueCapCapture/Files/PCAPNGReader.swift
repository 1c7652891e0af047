// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The pcapng format (IETF draft-ietf-opsawg-pcapng, "PCAP Now Generic").
///
/// A file is a row of blocks: type, total length, content, the total length again, padded to 32 bits. A section header
/// shows the byte order of the blocks after it; an interface description has the link type and the unit of times;
/// enhanced and simple packet blocks hold packets. Other blocks are passed over. An interface of an unknown link type
/// is an error only in a file that has no other.
struct PCAPNGReader: CaptureFormatReader {
    /// Other blocks need no memory; these are read whole.
    private static let maximumBlockByteCount = CaptureReader.maximumPacketByteCount + 65_536
    /// As many interfaces as a hostile file can have remembered.
    private static let maximumInterfaceCount = 1024

    private enum BlockType {
        static let section: UInt32 = 0x0A0D_0D0A
        static let interface: UInt32 = 1
        static let packet: UInt32 = 2
        static let simplePacket: UInt32 = 3
        static let enhancedPacket: UInt32 = 6
    }

    private struct Interface {
        var linkType: LinkType?
        var number: Int
        var unit = TimeUnit()
    }

    private var order: ByteOrder?
    private var interfaces: [Interface] = []

    var format: CaptureFormat { .pcapng }

    var isAtBoundary: Bool { order != nil }

    mutating func next(in buffer: inout CaptureBuffer) throws(CaptureError) -> CapturedPacket? {
        while let head = buffer.peek(12) {
            let start = buffer.offset
            if Array(head.prefix(4)) == [0x0A, 0x0D, 0x0D, 0x0A] { order = try Self.order(head, offset: start) }
            guard let order else { throw .invalidBlock("no section header stands before it", offset: start) }
            var cursor = ByteCursor(head)
            guard let type = cursor.number(order, UInt32.self), let count = cursor.count(order) else { return nil }
            guard count >= 12, count.isMultiple(of: 4) else { throw .invalidLength(count, offset: start) }
            guard Self.isRead(type) else {
                buffer.skip(count)
                continue
            }
            guard count <= Self.maximumBlockByteCount else { throw .invalidLength(count, offset: start) }
            guard let block = buffer.peek(count) else { return nil }
            var tail = ByteCursor(block.suffix(4))
            guard tail.count(order) == count else {
                throw .invalidBlock("its two lengths differ", offset: start)
            }
            let content = block.dropFirst(8).dropLast(4)
            buffer.skip(count)
            if let packet = try read(type, content, order, offset: start) { return packet }
        }
        return nil
    }

    private static func isRead(_ type: UInt32) -> Bool {
        [
            BlockType.section, BlockType.interface, BlockType.packet, BlockType.simplePacket, BlockType.enhancedPacket,
        ].contains(type)
    }

    private static func order(_ head: ArraySlice<UInt8>, offset: Int) throws(CaptureError) -> ByteOrder {
        switch Array(head.suffix(4)) {
        case [0x1A, 0x2B, 0x3C, 0x4D]: return .bigEndian
        case [0x4D, 0x3C, 0x2B, 0x1A]: return .littleEndian
        default: throw .invalidBlock("its byte-order magic is neither 1A2B3C4D nor 4D3C2B1A", offset: offset)
        }
    }

    private mutating func read(
        _ type: UInt32, _ content: ArraySlice<UInt8>, _ order: ByteOrder, offset: Int
    ) throws(CaptureError) -> CapturedPacket? {
        var cursor = ByteCursor(content)
        switch type {
        case BlockType.section:
            guard cursor.skip(4), let major = cursor.number(order, UInt16.self) else {
                throw .invalidBlock("a section header is at least 28 bytes long", offset: offset)
            }
            guard major == 1 else { throw .unsupportedVersion(.pcapng, version: Int(major)) }
            interfaces = []
        case BlockType.interface:
            guard let number = cursor.number(order, UInt16.self), cursor.skip(6) else {
                throw .invalidBlock("an interface description is at least 20 bytes long", offset: offset)
            }
            guard interfaces.count < Self.maximumInterfaceCount else {
                throw .invalidBlock("it is the \(interfaces.count + 1)th interface", offset: offset)
            }
            interfaces.append(
                Interface(
                    linkType: LinkType(rawValue: Int(number)), number: Int(number),
                    unit: TimeUnit(&cursor, order)))
        case BlockType.simplePacket:
            guard let original = cursor.count(order) else {
                throw .invalidBlock("a simple packet is at least 16 bytes long", offset: offset)
            }
            let bytes = cursor.takeRest()
            return try packet(0, bytes.prefix(original), nil, bytes.count < original, offset: offset)
        default:
            let interface: Int?
            if type == BlockType.packet {
                interface = cursor.number(order, UInt16.self).map(Int.init)
                guard cursor.skip(2) else { throw .invalidBlock("it is too short", offset: offset) }
            } else {
                interface = cursor.count(order)
            }
            guard let interface, let high = cursor.number(order, UInt32.self),
                let low = cursor.number(order, UInt32.self), let included = cursor.count(order),
                let original = cursor.count(order), let bytes = cursor.take(included)
            else { throw .invalidBlock("its packet is longer than the block", offset: offset) }
            let ticks = UInt64(high) << 32 | UInt64(low)
            return try packet(interface, bytes, ticks, included < original, offset: offset)
        }
        return nil
    }

    private func packet(
        _ interface: Int, _ bytes: ArraySlice<UInt8>, _ ticks: UInt64?, _ isCutOff: Bool, offset: Int
    ) throws(CaptureError) -> CapturedPacket? {
        guard interface < interfaces.count else {
            throw .invalidBlock("there is no interface \(interface)", offset: offset)
        }
        let described = interfaces[interface]
        guard let linkType = described.linkType else {
            guard interfaces.contains(where: { $0.linkType != nil }) else {
                throw .unsupportedLinkType(.pcapng, number: described.number)
            }
            return nil
        }
        return linkType.packet(bytes, time: ticks.flatMap(described.unit.time), isCutOff: isCutOff)
    }
}

/// The unit and the beginning of an interface's times: the options `if_tsresol` (9) and `if_tsoffset` (14).
struct TimeUnit: Sendable, Hashable {
    /// 10 or 2.
    private var base: UInt64 = 10
    private var exponent = 6
    private var offset: Int64 = 0

    init() {}

    /// Reads the options of an interface description; those that make no sense count as absent.
    init(_ cursor: inout ByteCursor, _ order: ByteOrder) {
        while let code = cursor.number(order, UInt16.self), code != 0, let length = cursor.number(order, UInt16.self),
            let value = cursor.take(Int(length))
        {
            _ = cursor.skip((4 - Int(length) % 4) % 4)
            var field = ByteCursor(value)
            switch (code, length) {
            case (9, 1):
                let resolution = field.byte() ?? 6
                let isBinary = resolution & 0x80 != 0
                let exponent = Int(resolution & 0x7F)
                // Beyond this a second has more ticks than fit the number.
                guard exponent <= (isBinary ? 63 : 19) else { break }
                (base, self.exponent) = (isBinary ? 2 : 10, exponent)
            case (14, 8): offset = field.number(order) ?? 0
            default: break
            }
        }
    }

    /// The moment, as far as it is within 35,000 years of 1970.
    func time(_ ticks: UInt64) -> Timestamp? {
        let perSecond = (0..<exponent).reduce(UInt64(1)) { product, _ in product * base }
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: perSecond)
        // The rest is less than a second, and so the quotient less than 1e18.
        let attoseconds = rest.multipliedFullWidth(by: 1_000_000_000_000_000_000)
        let fraction = Int64(perSecond.dividingFullWidth(attoseconds).quotient)
        let (sum, overflow) = Int64(clamping: seconds).addingReportingOverflow(offset)
        guard !overflow, sum.magnitude < 1 << 40 else { return nil }
        return Timestamp(sinceEpoch: Duration(secondsComponent: sum, attosecondsComponent: fraction))
    }
}
