// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapDBus
import BlueCapLoop
package import BlueCapRuntime

/// The signals of one match rule as a sequence for one consumer.
///
/// It throws `.disconnected` when the connection ends. Releasing it takes its match rule off the bus.
package final class SignalStream: AsyncSequence, Sendable {
    package enum Element: Sendable {
        case signal(Message)
        /// The sender's name has a new owner, or none.
        case ownerChanged(String?)
    }

    private let box: Mailbox<Element, DBusError>
    private let release: @Sendable () -> Void

    fileprivate init(box: Mailbox<Element, DBusError>, release: @escaping @Sendable () -> Void) {
        self.box = box
        self.release = release
    }

    deinit { release() }

    /// The number of elements that were dropped because the buffer was full.
    package var droppedCount: Int { box.droppedCount }

    package func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let stream: SignalStream

        package mutating func next() async throws(DBusError) -> Element? { try await stream.box.next() }

        package mutating func next(isolation: isolated (any Actor)?) async throws(DBusError) -> Element? {
            try await stream.box.next()
        }
    }
}

extension BusConnection {
    /// Subscribes to signals: puts the rule on the bus, waits until it is in force, and buffers the signals that match
    /// the scope and the names. A `sender` that is a well-known name is watched as well.
    package func signals(
        _ rule: MatchRule, in scope: PathScope, sender: String? = nil, capacity: StreamCapacity = .newest(1024)
    ) async throws(DBusError) -> SignalStream {
        let link = self.link
        let box = Mailbox<SignalStream.Element, DBusError>(capacity: capacity)
        var nameWatch: NameWatchID?
        if let sender, !sender.hasPrefix(":"), sender != BusDaemon.name {
            nameWatch = try link.watchName(sender, handler: { box.push(.ownerChanged($0.owner)) })
        }
        let handler = link.onSignal(scope, sender: sender) { box.push(.signal($0)) }
        let ending = link.addEndHandler { box.finish(.disconnected) }
        let (match, outcome) = await withCheckedContinuation { continuation in
            start(rule) { continuation.resume(returning: ($0, $1)) }
        }
        let watch = nameWatch
        let release: @Sendable () -> Void = {
            link.loop.submit {
                link.removeEndHandler(ending)
                link.removeHandler(handler)
                link.removeMatch(match)
                if let watch { link.unwatchName(watch) }
            }
        }
        do throws(DBusError) {
            try outcome.get()
        } catch {
            release()
            throw error
        }
        return SignalStream(box: box, release: release)
    }

    private func start(_ rule: MatchRule, done: @escaping (MatchID, Result<Void, DBusError>) -> Void) {
        link.addMatch(rule) { done(MatchID(rule: rule), $0) }
    }
}
#endif
