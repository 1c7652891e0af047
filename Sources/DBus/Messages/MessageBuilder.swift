#if BlueZ && os(Linux)
import CDBus

/// Makes a message: a header by one of the static functions, then values in order, then `finish()`.
///
/// Everything is checked against the D-Bus rules before libdbus sees it and throws `.invalidArgument` otherwise.
@safe
package struct MessageBuilder: ~Copyable {
    private let raw: OpaquePointer
    private var length = 0
    private var signatureLength = 0

    private init(_ raw: OpaquePointer?) throws(DBusError) {
        guard let raw = unsafe raw else { throw .outOfMemory }
        unsafe self.raw = unsafe raw
    }

    deinit {
        unsafe dbus_message_unref(raw)
    }

    /// A method call. `autoStart` lets the bus start a service that is not running in order to deliver it.
    package static func methodCall(
        to destination: String?, path: String, interface: String?, member: String,
        autoStart: Bool = false, expectsReply: Bool = true
    ) throws(DBusError) -> MessageBuilder {
        if let destination { try check(Names.isBusName(destination), "bus name", destination) }
        try check(Names.isObjectPath(path), "object path", path)
        if let interface { try check(Names.isInterface(interface), "interface", interface) }
        try check(Names.isMember(member), "member", member)
        let raw = unsafe dbus_message_new_method_call(destination, path, interface, member)
        let builder = try unsafe MessageBuilder(raw)
        unsafe dbus_message_set_auto_start(builder.raw, autoStart ? 1 : 0)
        unsafe dbus_message_set_no_reply(builder.raw, expectsReply ? 0 : 1)
        return builder
    }

    /// A signal; without a destination it is broadcast.
    package static func signal(
        path: String, interface: String, member: String, to destination: String? = nil
    ) throws(DBusError) -> MessageBuilder {
        try check(Names.isObjectPath(path), "object path", path)
        try check(Names.isInterface(interface), "interface", interface)
        try check(Names.isMember(member), "member", member)
        if let destination { try check(Names.isBusName(destination), "bus name", destination) }
        let builder = try unsafe MessageBuilder(dbus_message_new_signal(path, interface, member))
        if let destination {
            guard unsafe dbus_message_set_destination(builder.raw, destination) != 0 else { throw .outOfMemory }
        }
        return builder
    }

    /// The answer to a received method call.
    package static func reply(to call: Message) throws(DBusError) -> MessageBuilder {
        try answer(call, type: DBUS_MESSAGE_TYPE_METHOD_RETURN)
    }

    /// An error answer to a received method call.
    package static func error(
        to call: Message, name: String, message: String
    ) throws(DBusError) -> MessageBuilder {
        try check(Names.isInterface(name), "error name", name)
        var builder = try answer(call, type: DBUS_MESSAGE_TYPE_ERROR)
        guard unsafe dbus_message_set_error_name(builder.raw, name) != 0 else { throw .outOfMemory }
        try builder.append(.string(message))
        return builder
    }

    private static func answer(_ call: Message, type: Int32) throws(DBusError) -> MessageBuilder {
        try check(call.kind == .methodCall && call.serial != 0, "reply to", "a message that is not a received call")
        let builder = try unsafe MessageBuilder(dbus_message_new(type))
        unsafe dbus_message_set_no_reply(builder.raw, 1)
        guard unsafe dbus_message_set_reply_serial(builder.raw, call.serial) != 0 else { throw .outOfMemory }
        if let sender = call.sender {
            guard unsafe dbus_message_set_destination(builder.raw, sender) != 0 else { throw .outOfMemory }
        }
        return builder
    }

    /// Appends a value. A `.descriptor` cannot be appended this way.
    package mutating func append(_ value: DBusValue) throws(DBusError) {
        try value.validate(length: &length)
        let signature = value.signature
        guard Signature.isSingle(signature) else { throw .invalidArgument("signature \(signature)") }
        try extendSignature(signature.utf8.count)
        var iterator = unsafe DBusMessageIter()
        unsafe dbus_message_iter_init_append(raw, &iterator)
        try unsafe MessageEncoder.append(value, to: &iterator)
    }

    /// Appends a duplicate of the descriptor; the caller keeps its own.
    package mutating func append(_ descriptor: borrowing FileDescriptor) throws(DBusError) {
        try extendSignature(1)
        var iterator = unsafe DBusMessageIter()
        unsafe dbus_message_iter_init_append(raw, &iterator)
        var value = descriptor.rawValue
        guard unsafe dbus_message_iter_append_basic(&iterator, TypeCode.descriptor, &value) != 0 else {
            throw .invalidArgument("descriptor \(value)")
        }
    }

    /// The finished message; it can be sent any number of times, each time as a copy.
    package consuming func finish() -> Message {
        unsafe Message(built: raw)
    }

    private mutating func extendSignature(_ count: Int) throws(DBusError) {
        signatureLength += count
        guard signatureLength <= 255 else { throw .invalidArgument("a body signature beyond 255 bytes") }
    }

    private static func check(_ holds: Bool, _ what: String, _ text: String) throws(DBusError) {
        guard holds else { throw .invalidArgument("\(what) \(text)") }
    }
}

extension Message {
    /// A method call with a body of plain values.
    package static func methodCall(
        to destination: String?, path: String, interface: String?, member: String, body: [DBusValue] = [],
        autoStart: Bool = false, expectsReply: Bool = true
    ) throws(DBusError) -> Message {
        var builder = try MessageBuilder.methodCall(
            to: destination, path: path, interface: interface, member: member, autoStart: autoStart,
            expectsReply: expectsReply)
        for value in body { try builder.append(value) }
        return builder.finish()
    }

    /// A signal with a body of plain values.
    package static func signal(
        path: String, interface: String, member: String, body: [DBusValue] = [], to destination: String? = nil
    ) throws(DBusError) -> Message {
        var builder = try MessageBuilder.signal(path: path, interface: interface, member: member, to: destination)
        for value in body { try builder.append(value) }
        return builder.finish()
    }
}
#endif
