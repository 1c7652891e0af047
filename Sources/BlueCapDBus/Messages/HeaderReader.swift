// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Reads the headers of a connection's messages. Parts that equal those of the last header are not read again: the
/// headers of a characteristic's notifications differ in nothing but the serial and the length of the body, those of
/// sightings in the path, too, and those of method returns in the serial that they answer. Errors, which also answer,
/// are among the others.
package struct HeaderReader {
    private var latest = KnownHeader()
    private var latestAnswer = KnownHeader()
    /// The parts that the last header has in common with those before it, without those of method returns.
    private var latestShape = FrameShape()
    private var isAnswer = false

    /// A reader that has read nothing yet.
    package init() {}

    /// The shape of the header that was read last; nil for that of a method return.
    var shape: FrameShape? { isAnswer ? nil : latestShape }

    /// Reads a whole message that came without descriptors, its header alone. Throws `.malformed` for one that breaks
    /// D-Bus's rules.
    package mutating func frame(of bytes: [UInt8]) throws(DBusError) -> Frame {
        let header = try read(bytes.span)
        return Frame(bytes: bytes, place: bytes.indices, header: header, descriptors: .none, shape: shape)
    }

    /// Reads the header of a whole message. Throws `.malformed` for one that breaks D-Bus's rules.
    mutating func read(_ bytes: Span<UInt8>) throws(DBusError) -> FrameHeader {
        isAnswer = bytes.count >= FramePrefix.length && bytes[1] == Message.Kind.methodReturn.code
        if isAnswer {
            if let header = latestAnswer.ofAnotherAnswer(bytes) { return header }
            let header = try FrameHeader(bytes)
            latestAnswer.become(header, bytes)
            return header
        }
        if let header = latest.same(bytes) { return header }
        if let header = latest.ofAnotherPath(bytes) {
            latestShape.header += 1
            return header
        }
        let header = try FrameHeader(bytes)
        latestShape.header += 1
        latestShape.family += 1
        latest.become(header, bytes)
        return header
    }
}

/// A header with its bytes, by which another one is known.
private struct KnownHeader {
    /// A longer header is not kept.
    private static let longest = 512
    /// Where the length of the fields stands, behind the serial.
    private static let restStart = 12

    private var header: FrameHeader?
    /// The first four bytes: byte order, type, flags and version.
    private var start: UInt32 = 0
    /// The bytes behind the serial.
    private var rest: [UInt8] = []

    /// The header of a message in which all is as in this one but the serial and the length of the body; nil for any
    /// other.
    func same(_ bytes: Span<UInt8>) -> FrameHeader? {
        guard let header = beginning(bytes), isEqual(bytes, Self.restStart..<header.bodyStart) else { return nil }
        return FrameHeader(like: header, bytes)
    }

    /// The header of a message in which the letters of the path are others, too; nil for any other, and where they are
    /// no path.
    mutating func ofAnotherPath(_ bytes: Span<UInt8>) -> FrameHeader? {
        guard let known = beginning(bytes), let path = known.place(of: .path), isEqual(bytes, but: path, known),
            FrameHeader.isPath(bytes.extracting(path)), let other = FrameHeader(like: known, bytes)
        else { return nil }
        header = other
        put(bytes.extracting(path), at: path.lowerBound - Self.restStart)
        return other
    }

    /// The header of a method return to another call in which all else is as in this one; nil for any other.
    func ofAnotherAnswer(_ bytes: Span<UInt8>) -> FrameHeader? {
        guard let known = beginning(bytes), let place = known.replySerialPlace, isEqual(bytes, but: place, known) else {
            return nil
        }
        let serial = bytes.number(at: place.lowerBound, isSwapped: known.isSwapped)
        guard serial != 0, var other = FrameHeader(like: known, bytes) else { return nil }
        other.replySerial = serial
        return other
    }

    mutating func become(_ header: FrameHeader, _ bytes: Span<UInt8>) {
        self.header = nil
        guard header.bodyStart <= Self.longest else { return }
        self.header = header
        start = bytes.number(at: 0, isSwapped: false)
        rest.removeAll(keepingCapacity: true)
        unsafe bytes.extracting(Self.restStart..<header.bodyStart).withUnsafeBytes {
            unsafe rest.append(contentsOf: $0)
        }
    }

    /// This one, if a message begins as it does and is long enough.
    private func beginning(_ bytes: Span<UInt8>) -> FrameHeader? {
        guard let header, bytes.count >= header.bodyStart, bytes.number(at: 0, isSwapped: false) == start else {
            return nil
        }
        return header
    }

    /// Whether all bytes behind the serial are as here, up to the body, except those of one field.
    private func isEqual(_ bytes: Span<UInt8>, but field: Range<Int>, _ header: FrameHeader) -> Bool {
        isEqual(bytes, Self.restStart..<field.lowerBound) && isEqual(bytes, field.upperBound..<header.bodyStart)
    }

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
