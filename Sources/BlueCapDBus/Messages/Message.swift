// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// A finished or received message. It never changes; decoding may happen on any thread.
package final class Message: Sendable {
    package enum Kind: Sendable {
        case methodCall, methodReturn, error, signal
    }

    /// Where the message is; one of our own has the serial 0, and each copy of it that is sent gets one.
    package let frame: Frame

    init(built frame: Frame) { self.frame = frame }

    /// Keeps a message that came. Throws `.malformed` for a body that breaks D-Bus's rules.
    convenience init(_ frame: Frame) throws(DBusError) {
        try frame.checkBody()
        self.init(checked: frame)
    }

    /// Keeps a message that came and whose body is known to follow D-Bus's rules.
    init(checked frame: Frame) { self.frame = frame.kept() }

    /// A message of these bytes, as if they had come from a bus without descriptors. Throws `.malformed` for bytes that
    /// break D-Bus's rules, and for a message of a type that is not known.
    package convenience init(wireBytes bytes: [UInt8]) throws(DBusError) {
        let header = try FrameHeader(bytes.span)
        guard header.kind != nil else { throw .malformed("a message of a type that is not known") }
        try self.init(Frame(bytes: bytes, place: bytes.indices, header: header, descriptors: .none))
    }

    package var kind: Kind { frame.header.kind ?? .signal }

    /// 0 for a message of our own.
    package var serial: UInt32 { frame.header.serial }

    /// The serial of the call that a reply answers.
    package var replySerial: UInt32 { frame.header.replySerial }

    package var expectsReply: Bool { frame.header.expectsReply }

    package var path: String? { frame.text(.path) }
    package var interface: String? { frame.text(.interface) }
    package var member: String? { frame.text(.member) }
    package var errorName: String? { frame.text(.errorName) }
    package var destination: String? { frame.text(.destination) }
    /// The unique name of the sender, set by the bus; nil on messages of our own.
    package var sender: String? { frame.text(.sender) }
    package var signature: String { frame.text(.signature) ?? "" }
}
#endif
