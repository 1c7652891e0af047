// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
package import BlueCapDBus
package import BlueCapRuntime

// Calls of the daemon's methods, and timers.
extension BlueZSession {
    /// Calls a method of the daemon that lives now; `reply` comes once, on the loop, never before this returns.
    @discardableResult
    package func call(
        _ path: String, _ interface: String, _ member: String, _ body: [DBusValue] = [],
        reply: @escaping (Result<Message, DBusError>) -> Void
    ) -> CallID? {
        loop.checkIsolated()
        do throws(DBusError) {
            return call(try message(path, interface, member, body), reply: reply)
        } catch {
            loop.runLater { reply(.failure(error)) }
            return nil
        }
    }

    /// Calls a method of the daemon that lives now by a message that was made for it, as often as wanted.
    @discardableResult
    func call(_ message: Message, reply: @escaping (Result<Message, DBusError>) -> Void) -> CallID? {
        guard let link else {
            loop.runLater { reply(.failure(.disconnected)) }
            return nil
        }
        defer { daemon.watchForStall(link, self) }
        return link.call(message, reply: reply)
    }

    /// A call of a method of the daemon that lives now; throws `.disconnected` when there is none.
    func message(
        _ path: String, _ interface: String, _ member: String, _ body: [DBusValue] = []
    ) throws(DBusError) -> Message {
        guard let owner else { throw .disconnected }
        return try Message.methodCall(to: owner, path: path, interface: interface, member: member, body: body)
    }

    /// Whether an answer to a call that was made in a life of the daemon says something: not when that is over, and not
    /// when the bus has ended, which is reported next and ends whatever was asked for.
    func isAnswer(_ result: Result<Message, DBusError>, in generation: UInt64) -> Bool {
        if case .failure(.disconnected) = result { return false }
        return generation == self.generation
    }

    /// Calls a method whose answer does not matter.
    package func send(_ path: String, _ interface: String, _ member: String) {
        call(path, interface, member) { _ in }
    }

    /// Calls `body` on the loop when time has passed on the managers' clock.
    @discardableResult
    package func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> ClockTimer? {
        loop.checkIsolated()
        let loop = loop
        return clock?.schedule(after: delay) { loop.submit(body) }
    }
}
#endif
