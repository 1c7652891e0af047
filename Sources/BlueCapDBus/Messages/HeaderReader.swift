// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Reads the headers of a connection's messages. One that differs from the last in nothing but its serial and the length of its
/// body, as those of a characteristic's notifications do, is known already.
struct HeaderReader {
    /// A longer header is not kept.
    private static let longest = 512
    /// Where the length of the fields stands, behind the serial.
    private static let restStart = 12

    /// A number that the headers have which are alike, one behind another.
    private(set) var shape: UInt64 = 0
    private var last: FrameHeader?
    /// The first four bytes of the last header: byte order, type, flags and version.
    private var start: UInt32 = 0
    /// The bytes of the last header behind its serial.
    private var rest: [UInt8] = []

    /// Reads the header of a whole message. Throws `.malformed` for one that breaks D-Bus's rules.
    mutating func read(_ bytes: Span<UInt8>) throws(DBusError) -> FrameHeader {
        if let last, bytes.count >= last.bodyStart, bytes.number(at: 0, isSwapped: false) == start,
            bytes.extracting(Self.restStart..<last.bodyStart).isEqual(to: rest.span),
            let header = FrameHeader(like: last, bytes)
        {
            return header
        }
        let header = try FrameHeader(bytes)
        shape += 1
        last = nil
        guard header.bodyStart <= Self.longest else { return header }
        last = header
        start = bytes.number(at: 0, isSwapped: false)
        rest.removeAll(keepingCapacity: true)
        unsafe bytes.extracting(Self.restStart..<header.bodyStart).withUnsafeBytes {
            unsafe rest.append(contentsOf: $0)
        }
        return header
    }
}
#endif
