#if BlueZ && os(Linux)
import CDBus

/// A finished or received message. It never changes; decoding may happen on any thread.
// Right: what was received is a value. What libdbus built, whose references it counts atomically, is locked, with its lazily
// filled header cache primed, before the first `Message` for it exists; nothing writes to it any more, and sending sends a copy.
@safe
package final class Message: @unchecked Sendable {
    package enum Kind: Sendable {
        case methodCall, methodReturn, error, signal
    }

    /// Where the message is: with libdbus, which builds and sends, or in the bytes that came from the bus.
    @safe
    enum Content {
        case built(OpaquePointer)
        case received(Frame)
    }

    let content: Content

    /// Adds a reference to a message that is finished.
    init(built raw: OpaquePointer) {
        unsafe dbus_message_ref(raw)
        unsafe Self.settle(raw)
        content = unsafe .built(raw)
    }

    /// Keeps a message that came. Throws `.malformed` for a body that breaks D-Bus's rules.
    convenience init(_ frame: Frame) throws(DBusError) {
        try frame.checkBody()
        self.init(checked: frame)
    }

    /// Keeps a message that came and whose body is known to follow D-Bus's rules.
    init(checked frame: Frame) {
        content = .received(frame.kept())
    }

    /// A message of these bytes, as if they had come from a bus without descriptors. Throws `.malformed` for bytes that break
    /// D-Bus's rules, and for a message of a type that is not known.
    package convenience init(wireBytes bytes: [UInt8]) throws(DBusError) {
        let header = try FrameHeader(bytes.span)
        guard header.kind != nil else { throw .malformed("a message of a type that is not known") }
        try self.init(Frame(bytes: bytes, place: bytes.indices, header: header, descriptors: .none))
    }

    deinit {
        if case .built(let raw) = content { unsafe dbus_message_unref(raw) }
    }

    /// Makes libdbus do now what it would otherwise do at the first read.
    private static func settle(_ raw: OpaquePointer) {
        unsafe dbus_message_lock(raw)
        _ = unsafe dbus_message_get_path(raw)
        _ = unsafe dbus_message_get_interface(raw)
        _ = unsafe dbus_message_get_member(raw)
        _ = unsafe dbus_message_get_error_name(raw)
        _ = unsafe dbus_message_get_reply_serial(raw)
        _ = unsafe dbus_message_get_destination(raw)
        _ = unsafe dbus_message_get_sender(raw)
        _ = unsafe dbus_message_get_signature(raw)
    }

    package var kind: Kind {
        switch content {
        case .received(let frame): return frame.header.kind ?? .signal
        case .built(let raw):
            switch unsafe dbus_message_get_type(raw) {
            case DBUS_MESSAGE_TYPE_METHOD_CALL: return .methodCall
            case DBUS_MESSAGE_TYPE_METHOD_RETURN: return .methodReturn
            case DBUS_MESSAGE_TYPE_ERROR: return .error
            default: return .signal
            }
        }
    }

    /// 0 until sent.
    package var serial: UInt32 {
        switch content {
        case .built(let raw): unsafe dbus_message_get_serial(raw)
        case .received(let frame): frame.header.serial
        }
    }

    /// The serial of the call that a reply answers.
    package var replySerial: UInt32 {
        switch content {
        case .built(let raw): unsafe dbus_message_get_reply_serial(raw)
        case .received(let frame): frame.header.replySerial
        }
    }

    package var expectsReply: Bool {
        switch content {
        case .built(let raw): unsafe dbus_message_get_no_reply(raw) == 0
        case .received(let frame): frame.header.expectsReply
        }
    }

    package var path: String? { text(.path) }
    package var interface: String? { text(.interface) }
    package var member: String? { text(.member) }
    package var errorName: String? { text(.errorName) }
    package var destination: String? { text(.destination) }
    /// The unique name of the sender, set by the bus; nil on messages of our own.
    package var sender: String? { text(.sender) }
    package var signature: String { text(.signature) ?? "" }

    private func text(_ field: FrameHeader.Field) -> String? {
        switch content {
        case .received(let frame): return frame.text(field)
        case .built(let raw):
            switch field {
            case .path: return unsafe Self.text(dbus_message_get_path(raw))
            case .interface: return unsafe Self.text(dbus_message_get_interface(raw))
            case .member: return unsafe Self.text(dbus_message_get_member(raw))
            case .errorName: return unsafe Self.text(dbus_message_get_error_name(raw))
            case .destination: return unsafe Self.text(dbus_message_get_destination(raw))
            case .sender: return unsafe Self.text(dbus_message_get_sender(raw))
            case .signature: return unsafe Self.text(dbus_message_get_signature(raw))
            }
        }
    }

    static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }
}
#endif
