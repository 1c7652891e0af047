// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Reads the headers of a connection's messages. What does not differ from the last header is known already: those of a
/// characteristic's notifications differ in nothing but the serial and the length of the body, and those of sightings
/// in the path, too.
package struct HeaderReader {
    /// A longer header is not kept.
    private static let longest = 512
    /// Where the length of the fields stands, behind the serial.
    private static let restStart = 12

    /// A reader that has read nothing yet.
    package init() {}

    /// What the last header has in common with those before it.
    private(set) var shape = FrameShape()
    private var last: FrameHeader?
    /// The first four bytes of the last header: byte order, type, flags and version.
    private var start: UInt32 = 0
    /// The bytes of the last header behind its serial.
    private var rest: [UInt8] = []

    /// Reads a whole message that came without descriptors, its header alone. Throws `.malformed` for one that breaks
    /// D-Bus's rules.
    package mutating func frame(of bytes: [UInt8]) throws(DBusError) -> Frame {
        let header = try read(bytes.span)
        return Frame(bytes: bytes, place: bytes.indices, header: header, descriptors: .none, shape: shape)
    }

    /// Reads the header of a whole message. Throws `.malformed` for one that breaks D-Bus's rules.
    mutating func read(_ bytes: Span<UInt8>) throws(DBusError) -> FrameHeader {
        if let last, bytes.count >= last.bodyStart, bytes.number(at: 0, isSwapped: false) == start {
            if isEqual(bytes, Self.restStart..<last.bodyStart), let header = FrameHeader(like: last, bytes) {
                return header
            }
            if let path = takePath(bytes, last), let header = FrameHeader(like: last, bytes) {
                shape.header += 1
                self.last = header
                put(bytes.extracting(path), at: path.lowerBound - Self.restStart)
                return header
            }
        }
        let header = try FrameHeader(bytes)
        shape.header += 1
        shape.family += 1
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

    /// Where the path stands in a header that differs from the last one in nothing but the letters of that; nil for any
    /// other, and where they are no path.
    private func takePath(_ bytes: Span<UInt8>, _ last: FrameHeader) -> Range<Int>? {
        guard let path = last.place(of: .path), isEqual(bytes, Self.restStart..<path.lowerBound),
            isEqual(bytes, path.upperBound..<last.bodyStart), FrameHeader.isPath(bytes.extracting(path))
        else { return nil }
        return path
    }

    /// Whether some bytes of a header are those of the last one.
    private func isEqual(_ bytes: Span<UInt8>, _ place: Range<Int>) -> Bool {
        let own = place.lowerBound - Self.restStart..<place.upperBound - Self.restStart
        return bytes.extracting(place).isEqual(to: rest.span.extracting(own))
    }

    private mutating func put(_ bytes: Span<UInt8>, at place: Int) {
        unsafe rest.withUnsafeMutableBytes { rest in
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: rest[place..<place + bytes.count])
            unsafe bytes.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
        }
    }
}
#endif
