// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Reads a capture of any known format, piece by piece.
///
/// Feed bytes as they come and take packets out until there is none; at the end of the file, ask whether it ended where
/// a record ends:
///
/// ```swift
/// var reader = CaptureReader()
/// reader.append(bytes)
/// while let packet = try reader.next() { print(packet.kind, packet.bytes) }
/// try reader.finish()
/// ```
///
/// The reader keeps the bytes that it was fed and has not parsed, which is less than one record and one piece. Nothing
/// in a file makes it trap: each length is checked before it is used. After it has thrown it gives no more packets.
///
/// The format follows from the first bytes: `btsnoop` and a zero; one of the magic numbers of pcap, in either byte
/// order, with microseconds or nanoseconds; the section header of pcapng. Apple PacketLogger has no magic number, so a
/// file that begins with a plausible record of it is taken for one.
public struct CaptureReader: Sendable {
    /// The greatest size of a packet in bytes. The reader refuses a record that claims a longer one. Wireshark has the
    /// same limit.
    public static let maximumPacketByteCount = 262_144

    private enum State {
        case start
        case reading(any CaptureFormatReader)
        case failed(CaptureError)
    }

    private var state = State.start
    private var buffer = CaptureBuffer()

    /// Creates a reader at the beginning of a file.
    public init() {}

    /// The format of the file, as soon as enough of it was read.
    public var format: CaptureFormat? {
        if case .reading(let reader) = state { return reader.format }
        return nil
    }

    /// How much memory the bytes take that are held.
    var heldByteCount: Int { buffer.capacity }

    /// Appends the next bytes of the file.
    public mutating func append(_ bytes: some Sequence<UInt8>) { buffer.append(bytes) }

    /// Returns the next packet, or nil where more bytes are needed first.
    ///
    /// - Throws: ``CaptureError``. Each later call throws the error again.
    public mutating func next() throws(CaptureError) -> CapturedPacket? {
        do throws(CaptureError) {
            return try parse()
        } catch {
            state = .failed(error)
            throw error
        }
    }

    private mutating func parse() throws(CaptureError) -> CapturedPacket? {
        switch state {
        case .failed(let error): throw error
        case .start:
            guard let reader = try Self.recognize(buffer) else { return nil }
            state = .reading(reader)
            return try parse()
        case .reading(var reader):
            let packet = try reader.next(in: &buffer)
            state = .reading(reader)
            return packet
        }
    }

    /// Marks the end of the file.
    ///
    /// - Throws: ``CaptureError/truncated(offset:)`` where a header or a record is not complete, or
    ///   ``CaptureError/unknownFormat`` for a file that is too short to be any.
    public mutating func finish() throws(CaptureError) {
        switch state {
        case .failed(let error): throw error
        case .start: throw buffer.isEmpty || buffer.count < 4 ? .unknownFormat : .truncated(offset: 0)
        case .reading(let reader):
            if !buffer.isEmpty || buffer.isSkipping || !reader.isAtBoundary { throw .truncated(offset: buffer.offset) }
        }
    }

    /// The reader of the format that the first bytes show; nil where more are needed.
    private static func recognize(_ buffer: CaptureBuffer) throws(CaptureError) -> (any CaptureFormatReader)? {
        guard let first = buffer.peek(4) else { return nil }
        if let compression = CaptureCompression(first: first) { throw .compressed(compression) }
        switch Array(first) {
        case Array("btsn".utf8): return BTSnoopReader()
        case [0x0A, 0x0D, 0x0D, 0x0A]: return PCAPNGReader()
        case [0xA1, 0xB2, 0xC3, 0xD4]: return PCAPReader(order: .bigEndian, isNanoseconds: false)
        case [0xD4, 0xC3, 0xB2, 0xA1]: return PCAPReader(order: .littleEndian, isNanoseconds: false)
        case [0xA1, 0xB2, 0x3C, 0x4D]: return PCAPReader(order: .bigEndian, isNanoseconds: true)
        case [0x4D, 0x3C, 0xB2, 0xA1]: return PCAPReader(order: .littleEndian, isNanoseconds: true)
        default:
            // If the bytes cannot be the length of a record, the reader need not wait for more.
            guard PacketLoggerReader.order(of: Array(first)) != nil else { throw .unknownFormat }
            guard let head = buffer.peek(PacketLoggerReader.headerByteCount) else { return nil }
            guard let reader = PacketLoggerReader(head: Array(head)) else { throw .unknownFormat }
            return reader
        }
    }
}

/// Reads the records of one format.
protocol CaptureFormatReader: Sendable {
    var format: CaptureFormat { get }

    /// Whether a file may end here.
    var isAtBoundary: Bool { get }

    /// The next packet; nil where more bytes are needed. Records that hold no packet are passed over.
    mutating func next(in buffer: inout CaptureBuffer) throws(CaptureError) -> CapturedPacket?
}

/// The bytes of a file that were read and not parsed yet.
struct CaptureBuffer: Sendable {
    private var bytes: [UInt8] = []
    private var head = 0
    /// How many bytes that have not come yet are to be passed over.
    private var skipped = 0
    /// Where in the file the next byte stands.
    private(set) var offset = 0

    var capacity: Int { bytes.capacity }
    var count: Int { bytes.count - head }
    var isEmpty: Bool { count == 0 }
    var isSkipping: Bool { skipped > 0 }

    mutating func append(_ new: some Sequence<UInt8>) {
        // Parsed bytes are removed before the memory grows.
        if head > 0, head >= bytes.count / 2 {
            bytes.removeFirst(head)
            head = 0
        }
        bytes.append(contentsOf: new)
        if skipped > 0 { skip(0) }
    }

    /// The next bytes, which stay; nil where there are fewer.
    func peek(_ count: Int) -> ArraySlice<UInt8>? {
        guard skipped == 0, count >= 0, count <= self.count else { return nil }
        return bytes[head..<head + count]
    }

    /// Passes over bytes, be they here already or not.
    mutating func skip(_ count: Int) {
        let (sum, overflow) = skipped.addingReportingOverflow(count)
        let wanted = overflow ? .max : sum
        let now = min(wanted, self.count)
        head += now
        offset += now
        skipped = wanted - now
    }
}

/// A format of capture files.
public enum CaptureFormat: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The format of Symbian, Android's "HCI snoop log" and BlueZ's btmon.
    case btsnoop
    /// The format of libpcap.
    case pcap
    /// The format that Wireshark writes (PCAP Next Generation).
    case pcapng
    /// The format of Apple's PacketLogger.
    case packetLogger

    /// The name of the format.
    public var description: String { self == .packetLogger ? "Apple PacketLogger" : rawValue }
}
