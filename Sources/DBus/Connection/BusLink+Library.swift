#if BlueZ && os(Linux)
import CDBus

/// One of libdbus's watches; it is valid until libdbus takes it away.
@safe
struct LibraryWatch: Equatable {
    let raw: OpaquePointer

    static func == (left: LibraryWatch, right: LibraryWatch) -> Bool {
        unsafe left.raw == right.raw
    }
}

// The side that faces libdbus: its socket watches, its dispatch queue and its callbacks.
extension BusLink {
    private static let threadsReady: Bool = {
        // Must come before the first connection: by default libdbus sets SIGPIPE to ignored for the whole process.
        dbus_connection_set_change_sigpipe(0)
        return dbus_threads_init_default() != 0
    }()

    func connect(to address: BusAddress) throws(DBusError) {
        guard Self.threadsReady else { throw .outOfMemory }
        var failure = unsafe CDBus.DBusError()
        unsafe dbus_error_init(&failure)
        guard let connection = unsafe dbus_connection_open_private(address.text, &failure) else {
            defer { unsafe dbus_error_free(&failure) }
            throw .openFailed(
                name: unsafe Message.text(failure.name) ?? ErrorName.failed,
                message: unsafe Message.text(failure.message) ?? "")
        }
        unsafe raw = unsafe connection
        // Otherwise libdbus ends the process when the bus goes away.
        unsafe dbus_connection_set_exit_on_disconnect(connection, 0)
        // The bus's own limit. A longer message ends the connection before it is taken in; libdbus would take 128 MiB.
        unsafe dbus_connection_set_max_message_size(connection, DBusValue.maximumMessageLength)
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        let watching = unsafe dbus_connection_set_watch_functions(
            connection,
            { watch, link in
                guard let watch = unsafe watch, let link = unsafe BusLink.from(link) else { return 0 }
                return unsafe link.addWatch(watch) ? 1 : 0
            },
            { watch, link in
                guard let watch = unsafe watch, let link = unsafe BusLink.from(link) else { return }
                unsafe link.removeWatch(watch)
            },
            { _, link in _ = unsafe BusLink.from(link)?.refreshInterest() },
            me, nil)
        unsafe dbus_connection_set_dispatch_status_function(
            connection,
            { _, status, link in
                guard status == DBUS_DISPATCH_DATA_REMAINS else { return }
                unsafe BusLink.from(link)?.queueDispatch()
            },
            me, nil)
        let filtering = unsafe dbus_connection_add_filter(connection, Self.filter, me, nil)
        guard watching != 0, filtering != 0 else { throw .outOfMemory }
    }

    private static let filter: DBusHandleMessageFunction = { _, message, link in
        guard let message = unsafe message, let link = unsafe BusLink.from(link) else {
            return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
        }
        return unsafe link.receive(message)
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> BusLink? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<BusLink>.fromOpaque(context).takeUnretainedValue()
    }

    func disconnectLibrary() {
        guard let connection = unsafe raw else { return }
        unsafe raw = nil
        // Takes all watches away through `removeWatch`.
        _ = unsafe dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
        unsafe dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe dbus_connection_remove_filter(connection, Self.filter, me)
        unsafe dbus_connection_close(connection)
        unsafe dbus_connection_unref(connection)
    }

    // MARK: Watches

    private func addWatch(_ watch: OpaquePointer) -> Bool {
        libraryWatches.append(unsafe LibraryWatch(raw: watch))
        if refreshInterest() { return true }
        _ = libraryWatches.popLast()
        return false
    }

    private func removeWatch(_ watch: OpaquePointer) {
        libraryWatches.removeAll { unsafe $0.raw == watch }
        refreshInterest()
    }

    /// libdbus has a reading and a writing watch for its one socket; the loop gets one watch for both.
    @discardableResult
    private func refreshInterest() -> Bool {
        var interest: Interest = []
        var descriptor: Int32?
        for watch in libraryWatches {
            descriptor = unsafe dbus_watch_get_unix_fd(watch.raw)
            guard unsafe dbus_watch_get_enabled(watch.raw) != 0 else { continue }
            let flags = unsafe dbus_watch_get_flags(watch.raw)
            if flags & DBUS_WATCH_READABLE.rawValue != 0 { interest.insert(.read) }
            if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.write) }
        }
        if let socket, socket.descriptor == descriptor {
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
        guard let descriptor else { return true }
        do throws(DBusError) {
            // Holds this object for as long as the connection is open.
            let watch = try loop.watch(descriptor, interest) { [self] ready in handle(ready) }
            socket = (descriptor, watch, interest)
            return true
        } catch {
            return false
        }
    }

    private func handle(_ ready: Readiness) {
        // Handling a watch may free others, and handlers may close the connection.
        guard let connection = unsafe raw else { return }
        unsafe dbus_connection_ref(connection)
        defer { unsafe dbus_connection_unref(connection) }
        isHandling = true
        for watch in libraryWatches {
            guard libraryWatches.contains(watch), unsafe dbus_watch_get_enabled(watch.raw) != 0 else { continue }
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
        isHandling = false
        dispatch()
    }

    // MARK: Dispatch

    /// libdbus forbids dispatching from its status callback, so that only asks for it; what handles the socket's watches
    /// dispatches by itself afterwards.
    private func queueDispatch() {
        guard !isDispatching, !isHandling, !isDispatchQueued else { return }
        isDispatchQueued = true
        loop.runLater { [self] in
            isDispatchQueued = false
            dispatch()
        }
    }

    /// Hands out at most 256 messages before other work of the loop gets its turn.
    private func dispatch() {
        guard let connection = unsafe raw, !isDispatching else { return }
        unsafe dbus_connection_ref(connection)
        isDispatching = true
        var remaining = true
        for _ in 0..<256 where remaining {
            remaining = unsafe raw != nil && dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS
        }
        isDispatching = false
        unsafe dbus_connection_unref(connection)
        if remaining { queueDispatch() }
    }

    private func receive(_ message: OpaquePointer) -> DBusHandlerResult {
        guard phase != .closed else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
        switch unsafe dbus_message_get_type(message) {
        case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR:
            receiveReply(unsafe Message(borrowing: message))
        case DBUS_MESSAGE_TYPE_SIGNAL:
            if unsafe dbus_message_is_signal(message, "org.freedesktop.DBus.Local", "Disconnected") != 0 {
                disconnected()
            } else {
                receiveSignal(unsafe Message(borrowing: message))
            }
        case DBUS_MESSAGE_TYPE_METHOD_CALL:
            receiveCall(unsafe Message(borrowing: message))
        default:
            break
        }
        return DBUS_HANDLER_RESULT_HANDLED
    }

    // MARK: Sending

    /// Queues a copy of the message for the bus and returns its serial.
    func transmit(_ message: Message) throws(DBusError) -> UInt32 {
        guard phase != .closed, let connection = unsafe raw else { throw .disconnected }
        if unsafe dbus_message_contains_unix_fds(message.raw) != 0,
            unsafe dbus_connection_can_send_type(connection, TypeCode.descriptor) == 0
        {
            throw .invalidArgument("this bus passes no descriptors")
        }
        guard let copy = unsafe dbus_message_copy(message.raw) else { throw .outOfMemory }
        defer { unsafe dbus_message_unref(copy) }
        var serial: UInt32 = 0
        guard unsafe dbus_connection_send(connection, copy, &serial) != 0 else { throw .outOfMemory }
        return serial
    }

    /// Sends a message that wants no reply: a signal, a reply, or a call with `expectsReply: false`.
    package func send(_ message: Message) throws(DBusError) {
        loop.preconditionOnLoop()
        _ = try transmit(message)
    }
}
#endif
