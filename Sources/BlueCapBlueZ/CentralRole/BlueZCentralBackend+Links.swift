// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
import BlueCapRuntime

// Deferred work for a link: it holds the link's name, and is dropped if that link is gone by then.
extension BlueZCentralBackend {
    func isCurrent(_ link: BlueZLink) -> Bool { links[link.path] === link }

    /// Calls a method; the answer is dropped when the link is gone by then.
    func call(
        _ path: String, _ interface: String, _ member: String, _ body: [DBusValue] = [], on link: BlueZLink,
        reply: @escaping @Sendable (isolated BlueZCentralBackend, BlueZLink, Result<Message, DBusError>) -> Void
    ) {
        let name = link.name
        call(path, interface, member, body) { me, result in me.links[name].map { reply(me, $0, result) } }
    }

    /// Calls a method by a message that was made for it; the answer is dropped when the link is gone by then.
    func call(
        _ message: Message, on link: BlueZLink,
        reply: @escaping @Sendable (isolated BlueZCentralBackend, BlueZLink, Result<Message, DBusError>) -> Void
    ) {
        guard let session else { return }
        let name = link.name
        session.call(message, reply: answer(of: session) { me, result in me.links[name].map { reply(me, $0, result) } })
    }

    /// Runs `body` when time has passed, if the link still is.
    @discardableResult
    func after(
        _ delay: Duration, on link: BlueZLink,
        _ body: @escaping @Sendable (isolated BlueZCentralBackend, BlueZLink) -> Void
    ) -> ClockTimer {
        let name = link.name
        return after(delay) { me in me.links[name].map { body(me, $0) } }
    }

    /// Runs `body` soon, if the link still is.
    func later(on link: BlueZLink, _ body: @escaping @Sendable (isolated BlueZCentralBackend, BlueZLink) -> Void) {
        let name = link.name
        later { me in me.links[name].map { body(me, $0) } }
    }

    /// A callback that does nothing once the link is gone.
    func callback(
        on link: BlueZLink, _ body: @escaping @Sendable (isolated BlueZCentralBackend, BlueZLink) -> Void
    ) -> @Sendable () -> Void {
        let name = link.name
        return callback { me in me.links[name].map { body(me, $0) } }
    }

    /// A callback with an argument that does nothing once the link is gone.
    func callback<Argument: Sendable>(
        on link: BlueZLink, _ body: @escaping @Sendable (isolated BlueZCentralBackend, BlueZLink, Argument) -> Void
    ) -> @Sendable (Argument) -> Void {
        let name = link.name
        return callback { me, argument in me.links[name].map { body(me, $0, argument) } }
    }

    /// Releases a link, which lives until this turn is over.
    func remove(_ link: BlueZLink) {
        channels.linkEnded(link.id)
        link.database.end(self)
        link.requests.check?.timer.cancel()
        links.remove(link)
        later { $0.links.release() }
    }

    // MARK: Notifiers

    /// Counts this manager among those that have a characteristic notify; whether it is the first.
    func holdNotifier(_ path: String) -> Bool { session?.notifying.add(number, on: path) ?? true }

    /// Whether this manager was the last that had a characteristic notify.
    func releaseNotifier(_ path: String) -> Bool { session?.notifying.remove(number, from: path) ?? true }
}
#endif
