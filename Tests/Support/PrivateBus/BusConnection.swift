// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapDBus
package import BlueCapLoop
import BlueCapRuntime

/// A connection to a message bus for callers anywhere: a thin asynchronous layer over `BusLink`.
///
/// Its executor is the event loop, so work isolated to it may use `link` synchronously.
package actor BusConnection {
    /// The same connection as seen from the loop.
    package nonisolated let link: BusLink

    package nonisolated var loop: EventLoop { link.loop }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        // SAFETY: `link` keeps the loop alive as long as this actor lives.
        unsafe link.loop.asUnownedSerialExecutor()
    }

    package init(_ link: BusLink) {
        self.link = link
    }

    deinit {
        // A closed one leaves the loop alone, which may have been stopped since.
        if link.hasShutDown { return }
        let link = self.link
        link.loop.submit { link.close() }
    }

    /// Connects, authenticates and says Hello.
    package static func open(
        _ address: BusAddress, on loop: EventLoop, deadline: Duration = .seconds(25)
    ) async throws(DBusError) -> BusConnection {
        // Handed over under a lock: a continuation that is resumed before its task has suspended orders the two threads
        // in a way that the thread sanitizer does not see.
        let opened = Locked<Result<BusLink, DBusError>>(.failure(.disconnected))
        await withCheckedContinuation { continuation in
            loop.submit {
                BusLink.open(address, on: loop, deadline: deadline) { result in
                    opened.withLock { $0 = result }
                    continuation.resume()
                }
            }
        }
        return BusConnection(try opened.withLock { $0 }.get())
    }

    /// Calls a method and waits for its reply. Throws `.remote` for an error reply, `.cancelled` when the task is
    /// cancelled, `.timedOut` past the deadline; in the latter two the call may still take effect.
    package func call(_ message: Message, deadline: Duration? = nil) async throws(DBusError) -> Message {
        if Task.isCancelled { throw .cancelled }
        let slot = CallSlot()
        let link = self.link
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(message, deadline: deadline, slot: slot) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            // Runs after the job that makes the call, even when the task was cancelled before it.
            link.loop.submit { if let id = slot.id { link.cancel(id) } }
        }
        return try result.get()
    }

    /// Isolated to this actor, so that the compiler proves that calls are made on the loop.
    private func start(_ message: Message, deadline: Duration?, slot: CallSlot, reply: @escaping ReplyHandler) {
        slot.id = link.call(message, deadline: deadline, reply: reply)
    }

    /// Sends a message that wants no reply.
    package func send(_ message: Message) throws(DBusError) {
        try link.send(message)
    }

    /// Asks the bus for the signals of a rule and waits until it is in force.
    @discardableResult
    package func addMatch(_ rule: MatchRule) async throws(DBusError) -> MatchID {
        var id: MatchID?
        let result: Result<Void, DBusError> = await withCheckedContinuation { continuation in
            id = link.addMatch(rule) { continuation.resume(returning: $0) }
        }
        try result.get()
        return id ?? MatchID(rule: rule)
    }

    /// Asks for a well-known name; false when another connection owns it.
    package func requestName(_ name: String) async throws(DBusError) -> Bool {
        let result: Result<Bool, DBusError> = await withCheckedContinuation { continuation in
            link.requestName(name) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Gives a name back.
    package func releaseName(_ name: String) async throws(DBusError) {
        let result: Result<Void, DBusError> = await withCheckedContinuation { continuation in
            link.releaseName(name) { continuation.resume(returning: $0) }
        }
        try result.get()
    }

    package var uniqueName: String { link.uniqueName }

    package var metrics: BusMetrics { link.metrics }

    /// Ends the connection; pending calls throw `.disconnected`.
    package func close() {
        link.close()
    }
}

/// Carries a call's name from the job that makes it to its cancellation.
private final class CallSlot: Sendable {
    private let call = Locked<CallID?>(nil)

    /// Nil before the call was made.
    var id: CallID? {
        get { call.withLock { $0 } }
        set { call.withLock { $0 = newValue } }
    }
}
#endif
