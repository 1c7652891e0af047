// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import CBlueCapDBus
import BlueCapLoop

// SAFETY: `raw` is nil as soon as the connection is released, and `watches` has a watch only while libdbus has it. Both
// are touched on the loop's thread alone.
/// Messages over a socket: libdbus connects and authenticates; from then on a `FrameReceiver` reads messages, and a
/// `FrameSender` writes them.
///
/// No message ever goes through libdbus, which releases its socket once it has authenticated. It does not read on in
/// the step that ends authentication, in which all its own output has gone out, and a bus sends nothing before Hello:
/// so no byte of a message is lost to it, and none of its own stands between those of messages.
@safe
final class SocketTransport: MessageTransport {
    // SAFETY: the pointer is compared and handed to libdbus, and never read here.
    /// One of libdbus's watches; it is valid until libdbus takes it away.
    @safe
    private struct Watch: Equatable {
        let raw: OpaquePointer

        static func == (left: Watch, right: Watch) -> Bool { unsafe left.raw == right.raw }
    }

    private let address: BusAddress
    private let loop: EventLoop
    private var raw: OpaquePointer?
    private var watches: [Watch] = []
    private var socket: (descriptor: Int32, watch: WatchID, interest: Interest)?
    /// Both from the end of authentication on.
    private var frames: FrameReceiver?
    private var sender: FrameSender?
    /// The messages that are sent before that.
    private var early: [Frame] = []
    private var lastSerial: UInt32 = 0
    private var passesDescriptors = true
    private var isOpen = false
    private var receiver: (any MessageReceiver)?

    init(_ address: BusAddress, on loop: EventLoop) {
        self.address = address
        self.loop = loop
    }

    private static let threadsReady: Bool = {
        // Must come before the first connection: by default libdbus sets SIGPIPE to ignored for the whole process.
        dbus_connection_set_change_sigpipe(0)
        return dbus_threads_init_default() != 0
    }()

    func open(for receiver: any MessageReceiver) throws(DBusError) {
        guard Self.threadsReady else { throw .outOfMemory }
        var failure = unsafe CBlueCapDBus.DBusError()
        unsafe dbus_error_init(&failure)
        guard let connection = unsafe dbus_connection_open_private(address.text, &failure) else {
            defer { unsafe dbus_error_free(&failure) }
            throw .openFailed(
                name: unsafe Self.text(failure.name) ?? ErrorName.failed,
                message: unsafe Self.text(failure.message) ?? "")
        }
        self.receiver = receiver
        unsafe raw = unsafe connection
        isOpen = true
        // Otherwise libdbus ends the process when the bus goes away.
        unsafe dbus_connection_set_exit_on_disconnect(connection, 0)
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        let watching = unsafe dbus_connection_set_watch_functions(
            connection,
            { watch, transport in
                guard let watch = unsafe watch, let transport = unsafe SocketTransport.from(transport) else { return 0 }
                return unsafe transport.add(watch) ? 1 : 0
            },
            { watch, transport in
                guard let watch = unsafe watch, let transport = unsafe SocketTransport.from(transport) else { return }
                unsafe transport.remove(watch)
            },
            { _, transport in _ = unsafe SocketTransport.from(transport)?.refreshInterest() },
            me, nil)
        guard watching != 0 else { throw .outOfMemory }
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> SocketTransport? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<SocketTransport>.fromOpaque(context).takeUnretainedValue()
    }

    func send(_ message: Message) throws(DBusError) -> UInt32 {
        guard isOpen else { throw .disconnected }
        var frame = message.frame
        // A received message is not sent on.
        guard frame.header.serial == 0 else { throw .invalidArgument("a received message") }
        guard frame.descriptors.count == 0 || passesDescriptors else {
            throw .invalidArgument("this bus passes no descriptors")
        }
        lastSerial = lastSerial == .max ? 1 : lastSerial + 1
        frame.bytes.put(lastSerial, at: FramePrefix.serial)
        if let sender { sender.send(frame) } else { early.append(frame) }
        return lastSerial
    }

    func close() {
        isOpen = false
        early = []
        frames?.close()
        frames = nil
        sender?.close()
        sender = nil
        receiver = nil
        releaseLibrary()
    }

    /// libdbus releases its socket.
    private func releaseLibrary() {
        guard let connection = unsafe raw else { return }
        unsafe raw = nil
        // Takes all watches away through `remove`.
        _ = unsafe dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
        unsafe dbus_connection_close(connection)
        unsafe dbus_connection_unref(connection)
    }

    private func end(_ error: DBusError) {
        let receiver = self.receiver
        close()
        receiver?.ended(error)
    }

    // MARK: Watches

    private func add(_ watch: OpaquePointer) -> Bool {
        watches.append(unsafe Watch(raw: watch))
        if refreshInterest() { return true }
        _ = watches.popLast()
        return false
    }

    private func remove(_ watch: OpaquePointer) {
        watches.removeAll { unsafe $0.raw == watch }
        refreshInterest()
        guard unsafe raw != nil, watches.isEmpty else { return }
        // libdbus has given the connection up. It may report that from inside `send`.
        loop.runLater { [self] in end(.disconnected) }
    }

    /// libdbus has a reading and a writing watch for its one socket; the loop gets one watch for the interests of both.
    @discardableResult
    private func refreshInterest() -> Bool {
        var interest: Interest = []
        var descriptor: Int32?
        for watch in watches where unsafe dbus_watch_get_enabled(watch.raw) != 0 {
            let flags = unsafe dbus_watch_get_flags(watch.raw)
            if flags & DBUS_WATCH_READABLE.rawValue != 0 { interest.insert(.read) }
            if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.write) }
            descriptor = unsafe dbus_watch_get_unix_fd(watch.raw)
        }
        if let socket, socket.descriptor == descriptor, !interest.isEmpty {
            if socket.interest != interest {
                loop.change(socket.watch, to: interest)
                self.socket?.interest = interest
            }
            return true
        }
        if let socket {
            loop.unwatch(socket.watch)
            self.socket = nil
        }
        guard let descriptor, !interest.isEmpty else { return true }
        do throws(LoopError) {
            let watch = try loop.watch(descriptor, interest) { [self] ready in handle(ready) }
            socket = (descriptor, watch, interest)
            return true
        } catch {
            return false
        }
    }

    private func handle(_ ready: Readiness) {
        // Handling a watch may free others.
        guard let connection = unsafe raw else { return }
        unsafe dbus_connection_ref(connection)
        defer { unsafe dbus_connection_unref(connection) }
        do throws(LoopError) {
            for watch in watches {
                try unsafe takeOver(connection)
                pass(ready, to: watch)
            }
            try unsafe takeOver(connection)
        } catch {
            end(DBusError(error))
        }
    }

    private func pass(_ ready: Readiness, to watch: Watch) {
        guard watches.contains(watch), unsafe dbus_watch_get_enabled(watch.raw) != 0 else { return }
        let flags = unsafe dbus_watch_get_flags(watch.raw)
        var events: UInt32 = 0
        if flags & DBUS_WATCH_READABLE.rawValue != 0, ready.contains(.read) {
            events |= DBUS_WATCH_READABLE.rawValue
        }
        if flags & DBUS_WATCH_WRITABLE.rawValue != 0, ready.contains(.write) {
            events |= DBUS_WATCH_WRITABLE.rawValue
        }
        if ready.contains(.hangup) { events |= DBUS_WATCH_HANGUP.rawValue }
        if events != 0 { unsafe dbus_watch_handle(watch.raw, events) }
    }

    /// Reads and writes on in libdbus's place once it has authenticated.
    private func takeOver(_ connection: OpaquePointer) throws(LoopError) {
        guard frames == nil, let receiver, let watch = watches.first,
            unsafe dbus_connection_get_is_authenticated(connection) != 0
        else { return }
        let descriptor = unsafe dbus_watch_get_unix_fd(watch.raw)
        passesDescriptors = unsafe dbus_connection_can_send_type(connection, Int32(UInt8(ascii: "h"))) != 0
        let sender = FrameSender(try FileDescriptor.duplicate(of: descriptor), on: loop)
        frames = try FrameReceiver(
            FileDescriptor.duplicate(of: descriptor), on: loop, for: receiver, onEnd: { [self] in end($0) })
        self.sender = sender
        releaseLibrary()
        for frame in early { sender.send(frame) }
        early = []
    }
}
#endif
