#if BlueZ && os(Linux)
import CDBus

/// A finished or received message. It never changes; decoding may happen on any thread.
// Right: libdbus counts references atomically, and a message is locked with its lazily filled header cache primed
// before the first `Message` for it exists, so nothing writes to it any more. Sending sends a copy.
@safe
package final class Message: @unchecked Sendable {
    package enum Kind: Sendable {
        case methodCall, methodReturn, error, signal
    }

    let raw: OpaquePointer

    /// Takes over one reference.
    init(adopting raw: OpaquePointer) {
        unsafe self.raw = raw
        unsafe Self.settle(raw)
    }

    /// Adds a reference to a message that libdbus lends for the length of a callback.
    convenience init(borrowing raw: OpaquePointer) {
        unsafe dbus_message_ref(raw)
        unsafe self.init(adopting: raw)
    }

    deinit {
        unsafe dbus_message_unref(raw)
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
        if unsafe dbus_message_contains_unix_fds(raw) != 0 {
            // Brings the body into the host's byte order, in place.
            var iterator = unsafe DBusMessageIter()
            unsafe dbus_message_iter_init(raw, &iterator)
        }
    }

    package var kind: Kind {
        switch unsafe dbus_message_get_type(raw) {
        case DBUS_MESSAGE_TYPE_METHOD_CALL: .methodCall
        case DBUS_MESSAGE_TYPE_METHOD_RETURN: .methodReturn
        case DBUS_MESSAGE_TYPE_ERROR: .error
        default: .signal
        }
    }

    /// 0 until sent.
    package var serial: UInt32 { unsafe dbus_message_get_serial(raw) }
    /// The serial of the call that a reply answers.
    package var replySerial: UInt32 { unsafe dbus_message_get_reply_serial(raw) }
    package var path: String? { unsafe Self.text(dbus_message_get_path(raw)) }
    package var interface: String? { unsafe Self.text(dbus_message_get_interface(raw)) }
    package var member: String? { unsafe Self.text(dbus_message_get_member(raw)) }
    package var errorName: String? { unsafe Self.text(dbus_message_get_error_name(raw)) }
    package var destination: String? { unsafe Self.text(dbus_message_get_destination(raw)) }
    /// The unique name of the sender, set by the bus; nil on messages of our own.
    package var sender: String? { unsafe Self.text(dbus_message_get_sender(raw)) }
    package var signature: String { unsafe Self.text(dbus_message_get_signature(raw)) ?? "" }
    package var expectsReply: Bool { unsafe dbus_message_get_no_reply(raw) == 0 }

    static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }
}
#endif
