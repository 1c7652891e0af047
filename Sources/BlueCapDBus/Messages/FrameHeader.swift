// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// The header of a message: where its fields stand in the message's bytes, all of them checked.
package struct FrameHeader: Sendable, Equatable {
    /// The names that a header has room for.
    enum Field: UInt8 {
        case path = 1, interface, member, errorName
        case destination = 6, sender, signature
    }

    /// Where a text stands, or nothing: no text stands at the very beginning.
    private struct Place: Equatable {
        var start: UInt32 = 0
        var count: UInt32 = 0
    }

    /// Nil for a type that D-Bus does not know yet; such a message means nothing.
    let kind: Message.Kind?
    let expectsReply: Bool
    /// 0 for a message of our own.
    private(set) var serial: UInt32
    /// 0 when the message answers nothing.
    var replySerial: UInt32 = 0
    /// Where that stands in a message that came.
    private var replySerialStart: UInt32 = 0
    var descriptorCount = 0
    let isSwapped: Bool
    var bodyStart: Int
    private var path = Place()
    private var interface = Place()
    private var member = Place()
    private var errorName = Place()
    private var destination = Place()
    private var sender = Place()
    private var signature = Place()

    /// The header of a message of our own, to which its fields are still to be added.
    init(_ kind: Message.Kind, expectsReply: Bool) {
        self.kind = kind
        self.expectsReply = expectsReply
        serial = 0
        isSwapped = false
        bodyStart = FramePrefix.length
    }

    /// Reads the header of a whole message. Throws `.malformed` for one that breaks D-Bus's rules.
    init(_ bytes: Span<UInt8>) throws(DBusError) {
        let prefix = try FramePrefix(bytes)
        guard prefix.messageLength == bytes.count else { throw .malformed("length of a message") }
        guard bytes[3] == 1 else { throw .malformed("version \(bytes[3]) of the protocol") }
        switch bytes[1] {
        case 0: throw .malformed("a message without a type")
        case 1: kind = .methodCall
        case 2: kind = .methodReturn
        case 3: kind = .error
        case 4: kind = .signal
        default: kind = nil
        }
        expectsReply = bytes[2] & 1 == 0
        serial = bytes.number(at: 8, isSwapped: prefix.isSwapped)
        guard serial != 0 else { throw .malformed("a serial of 0") }
        isSwapped = prefix.isSwapped
        bodyStart = prefix.bodyStart
        var fields = WireChecker(isSwapped: isSwapped, position: FramePrefix.length, end: prefix.fieldsEnd)
        var seen: UInt16 = 0
        while fields.position < fields.end { try readField(&fields, &seen, in: bytes) }
        var padding = WireChecker(isSwapped: isSwapped, position: prefix.fieldsEnd, end: bodyStart)
        try padding.align(8, in: bytes)
        guard hasWhatItNeeds else { throw .malformed("a header without what its type needs") }
        guard signature.count > 0 || bodyStart == bytes.count else { throw .malformed("a body without a signature") }
    }

    /// The header of a whole message that is like another from its first field to its body; nil when the bytes before
    /// its first field make it malformed.
    init?(like other: FrameHeader, _ bytes: Span<UInt8>) {
        self = other
        serial = bytes.number(at: 8, isSwapped: isSwapped)
        let bodyLength = bytes.length(at: 4, isSwapped: isSwapped)
        guard serial != 0, bodyLength == bytes.count - bodyStart, signature.count > 0 || bodyLength == 0 else {
            return nil
        }
    }

    /// Notes the place of a text that is known to be valid for its field.
    mutating func record(_ field: Field, _ text: Range<Int>) {
        let place = Place(start: UInt32(text.lowerBound), count: UInt32(text.count))
        switch field {
        case .path: path = place
        case .interface: interface = place
        case .member: member = place
        case .errorName: errorName = place
        case .destination: destination = place
        case .sender: sender = place
        case .signature: signature = place
        }
    }

    /// Where a field's text stands; nil when the header does not have it.
    func place(of field: Field) -> Range<Int>? {
        let place =
            switch field {
            case .path: path
            case .interface: interface
            case .member: member
            case .errorName: errorName
            case .destination: destination
            case .sender: sender
            case .signature: signature
            }
        // WIDTH: both are places in a message, which has 32 MiB at most.
        return place.start == 0 ? nil : Int(place.start)..<Int(place.start) + Int(place.count)
    }

    /// Where the serial of the call stands that the message answers; nil when it answers none.
    var replySerialPlace: Range<Int>? {
        // WIDTH: a place in a message, which has 32 MiB at most.
        let start = Int(replySerialStart)
        return start == 0 ? nil : start..<start + MemoryLayout<UInt32>.size
    }

    /// Throws `.malformed` unless the message's body matches its signature, by D-Bus's rules.
    func checkBody(of bytes: Span<UInt8>) throws(DBusError) {
        guard let signature = place(of: .signature) else { return }
        var body = WireChecker(isSwapped: isSwapped, position: bodyStart, end: bytes.count)
        try body.check(bytes.extracting(signature), in: bytes)
    }

    private var hasWhatItNeeds: Bool {
        switch kind {
        case .methodCall: path.start > 0 && member.start > 0
        case .methodReturn: replySerial > 0
        case .error: replySerial > 0 && errorName.start > 0
        case .signal: path.start > 0 && interface.start > 0 && member.start > 0
        case nil: true
        }
    }

    private mutating func readField(
        _ fields: inout WireChecker, _ seen: inout UInt16, in bytes: Span<UInt8>
    ) throws(DBusError) {
        try fields.align(8, in: bytes)
        let code = try fields.byte(in: bytes)
        guard code != 0 else { throw .malformed("a field of no kind") }
        guard let type = Self.type(of: code) else { return try fields.variant(in: bytes, depth: 1) }
        guard seen & 1 << code == 0 else { throw .malformed("a field that comes twice") }
        seen |= 1 << code
        // The signature of a variant that holds the field's type and nothing else.
        let signature = try fields.take(3).lowerBound
        guard bytes[signature] == 1, bytes[signature + 1] == type, bytes[signature + 2] == 0 else {
            throw .malformed("type of a field")
        }
        switch type {
        case UInt8(ascii: "u"):
            let number = try fields.number(in: bytes)
            try take(number, endingAt: fields.position, as: code)
        case UInt8(ascii: "g"):
            try take(fields.signature(in: bytes), as: code, in: bytes)
        default:
            try take(fields.text(in: bytes), as: code, in: bytes)
        }
    }

    /// The type of a known field's value.
    private static func type(of code: UInt8) -> UInt8? {
        switch code {
        case 1: UInt8(ascii: "o")
        case 2, 3, 4, 6, 7: UInt8(ascii: "s")
        case 5, 9: UInt8(ascii: "u")
        case 8: UInt8(ascii: "g")
        default: nil
        }
    }

    private mutating func take(_ number: UInt32, endingAt end: Int, as code: UInt8) throws(DBusError) {
        if code == 9 {
            descriptorCount = Int(clamping: number)
        } else {
            guard number != 0 else { throw .malformed("an answer to no call") }
            replySerial = number
            replySerialStart = UInt32(end - MemoryLayout<UInt32>.size)
        }
    }

    private mutating func take(_ text: Range<Int>, as code: UInt8, in bytes: Span<UInt8>) throws(DBusError) {
        guard let field = Field(rawValue: code) else { throw .malformed("field \(code) of a header") }
        let span = bytes.extracting(text)
        let isValid =
            switch field {
            case .path: Self.isPath(span)
            case .interface: Names.isInterface(span) && !span.isEqual(to: Self.localInterface)
            case .member: Names.isMember(span)
            case .errorName: Names.isInterface(span)
            case .destination, .sender: Names.isBusName(span)
            case .signature: true
            }
        guard isValid else { throw .malformed("field \(code) of a header") }
        record(field, text)
    }

    /// Whether bytes are a path that a message may have.
    static func isPath(_ bytes: Span<UInt8>) -> Bool { Names.isObjectPath(bytes) && !bytes.isEqual(to: localPath) }

    // No message over a bus may have these.
    private static let localPath: StaticString = "/org/freedesktop/DBus/Local"
    private static let localInterface: StaticString = "org.freedesktop.DBus.Local"
}
#endif
