// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapLoop

extension BusLink {
    /// Calls a method; `reply` is called exactly once, on the loop, in bus order, and never before this returns.
    ///
    /// An error reply comes as `.remote`. Calls beyond 96 in flight wait their turn in order; the deadline counts from
    /// now. Loop only.
    @discardableResult
    package func call(_ message: Message, deadline: Duration? = nil, reply: @escaping ReplyHandler) -> CallID {
        loop.preconditionOnLoop()
        let id = calls.newID()
        guard phase != .closed else {
            loop.runLater { reply(.failure(.disconnected)) }
            return id
        }
        guard message.kind == .methodCall, message.expectsReply else {
            loop.runLater { reply(.failure(.invalidArgument("a message that gets no reply"))) }
            return id
        }
        calls.insert(CallTable.Pending(message: message, reply: reply), as: id)
        loop.awaitedCount += 1
        if let deadline {
            let timer = loop.after(deadline) { [weak self] in self?.giveUp(id, .timedOut) }
            calls.setTimer(timer, for: id)
        }
        if calls.hasSlot, !calls.hasWaiters {
            sendCall(id, message)
        } else {
            calls.wait(id)
        }
        return id
    }

    /// Gives a call up: its reply handler gets `.cancelled` soon after, unless it was called already.
    ///
    /// The call itself is not undone, and keeps its place among those in flight until it is answered. Loop only.
    package func cancel(_ id: CallID) {
        loop.preconditionOnLoop()
        guard let call = remove(id) else { return }
        if let timer = call.timer { loop.cancel(timer) }
        loop.runLater { call.reply(.failure(.cancelled)) }
    }

    private func remove(_ id: CallID) -> CallTable.Pending? {
        let call = calls.remove(id)
        if call != nil { loop.awaitedCount -= 1 }
        return call
    }

    private func giveUp(_ id: CallID, _ error: DBusError) { remove(id)?.reply(.failure(error)) }

    private func sendCall(_ id: CallID, _ message: Message) {
        do throws(DBusError) {
            calls.markSent(id, serial: try transmit(message))
        } catch {
            guard let call = remove(id) else { return }
            if let timer = call.timer { loop.cancel(timer) }
            loop.runLater { call.reply(.failure(error)) }
        }
    }

    func receiveReply(_ frame: Frame) throws(DBusError) {
        let message = try Message(frame)
        let call = calls.answer(frame.header.replySerial)
        while calls.hasSlot, let (id, next) = calls.nextWaiter() { sendCall(id, next) }
        guard let call else { return }
        loop.awaitedCount -= 1
        if let timer = call.timer { loop.cancel(timer) }
        if message.kind == .error {
            call.reply(
                .failure(.remote(name: message.errorName ?? ErrorName.failed, message: message.errorMessage)))
        } else {
            call.reply(.success(message))
        }
    }

    /// Calls a method of the bus itself. Loop only.
    func callDaemon(_ member: String, _ body: [DBusValue], reply: @escaping ReplyHandler) {
        do throws(DBusError) {
            let message = try Message.methodCall(
                to: BusDaemon.name, path: BusDaemon.path, interface: BusDaemon.interface, member: member, body: body
            )
            call(message, reply: reply)
        } catch {
            loop.runLater { reply(.failure(error)) }
        }
    }
}
#endif
