// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapLoop

/// Makes a message: a header by one of the static functions, then values in order, then `finish()`.
///
/// Everything is checked against the D-Bus rules first, and throws `.invalidArgument` otherwise.
package struct MessageBuilder: ~Copyable {
    private var header: HeaderWriter
    private var body = WireWriter()
    private var signature = ""
    /// About the length of the body, for values that are not written yet.
    private var length = 0
    private var descriptors = DescriptorQueue()

    private init(_ header: HeaderWriter) { self.header = header }

    /// A method call. `autoStart` lets the bus start a service that is not running in order to deliver it.
    package static func methodCall(
        to destination: String?, path: String, interface: String?, member: String,
        autoStart: Bool = false, expectsReply: Bool = true
    ) throws(DBusError) -> MessageBuilder {
        if let destination { try check(Names.isBusName(destination), "bus name", destination) }
        try check(Names.isObjectPath(path), "object path", path)
        if let interface { try check(Names.isInterface(interface), "interface", interface) }
        try check(Names.isMember(member), "member", member)
        var header = HeaderWriter(.methodCall, expectsReply: expectsReply, autoStart: autoStart)
        header.append(.path, path)
        if let destination { header.append(.destination, destination) }
        if let interface { header.append(.interface, interface) }
        header.append(.member, member)
        return MessageBuilder(header)
    }

    /// A signal; without a destination it is broadcast.
    package static func signal(
        path: String, interface: String, member: String, to destination: String? = nil
    ) throws(DBusError) -> MessageBuilder {
        try check(Names.isObjectPath(path), "object path", path)
        try check(Names.isInterface(interface), "interface", interface)
        try check(Names.isMember(member), "member", member)
        if let destination { try check(Names.isBusName(destination), "bus name", destination) }
        var header = HeaderWriter(.signal)
        header.append(.path, path)
        header.append(.interface, interface)
        header.append(.member, member)
        if let destination { header.append(.destination, destination) }
        return MessageBuilder(header)
    }

    /// The answer to a received method call.
    package static func reply(to call: Message) throws(DBusError) -> MessageBuilder {
        MessageBuilder(try answer(call, .methodReturn))
    }

    /// An error answer to a received method call.
    package static func error(to call: Message, name: String, message: String) throws(DBusError) -> MessageBuilder {
        try check(Names.isInterface(name), "error name", name)
        var header = try answer(call, .error)
        header.append(.errorName, name)
        var builder = MessageBuilder(header)
        try builder.append(.string(message))
        return builder
    }

    private static func answer(_ call: Message, _ kind: Message.Kind) throws(DBusError) -> HeaderWriter {
        try check(call.kind == .methodCall && call.serial != 0, "reply to", "a message that is not a received call")
        var header = HeaderWriter(kind)
        header.appendReplySerial(call.serial)
        if let sender = call.sender { header.append(.destination, sender) }
        return header
    }

    /// Appends a value. A `.descriptor` cannot be appended this way.
    package mutating func append(_ value: DBusValue) throws(DBusError) {
        try value.validate(length: &length)
        let type = value.signature
        guard Signature.isSingle(type) else { throw .invalidArgument("signature \(type)") }
        try extendSignature(type)
        try body.append(value)
        guard body.count <= DBusValue.maximumBodyLength else { throw .invalidArgument("longer than the bus allows") }
    }

    /// Appends a duplicate of the descriptor; the caller keeps its own.
    package mutating func append(_ descriptor: borrowing FileDescriptor) throws(DBusError) {
        guard descriptors.count < DescriptorQueue.limit else {
            throw .invalidArgument("more than \(DescriptorQueue.limit) descriptors")
        }
        try extendSignature("h")
        body.append(UInt32(descriptors.count))
        let copy = try DBusError.translating { () throws(LoopError) in try descriptor.duplicate().release() }
        try descriptors.add([copy])
    }

    /// The finished message; it can be sent any number of times, each time as a copy.
    package consuming func finish() -> Message { Message(built: header.finish(body, signature, descriptors.takeAll())) }

    private mutating func extendSignature(_ type: String) throws(DBusError) {
        signature += type
        guard signature.utf8.count <= 255 else { throw .invalidArgument("a body signature beyond 255 bytes") }
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
