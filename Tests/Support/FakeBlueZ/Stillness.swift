// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus

/// Finds out when no message is under way between a program, the fake, and the bus between them.
///
/// It repeats rounds. A round sends a ping over the bus to both sides. Each side receives the ping after all messages
/// that were already on their way to it, and answers it after all messages that it has already sent. Then the round
/// counts the work of both event loops. A round is quiet if the ping and the counting are the only work: no job, no
/// message, no timer and no descriptor besides. After two quiet rounds no message is under way: a message that the bus
/// had for a side arrived before the end of the first round, and a message that a side had sent was passed on by then
/// and arrived before the end of the second. Either would have been counted.
///
/// This covers only work on the two event loops: a program's tasks have to prefer the executor of its backends. Only
/// one user at a time may wait, because the rounds of two would count each other.
final class Stillness: Sendable {
    /// The work that one side has done so far.
    private struct Count: Equatable {
        var work = 0
        var handled = 0
        var received = 0
        /// The name of its connection, if it has one.
        var name: String?
        /// Whether it comes onto the bus, or leaves it.
        var isMoving = false

        /// Counts on the loop.
        init(_ loop: EventLoop, _ link: BusLink?, isMoving: Bool) {
            (work, handled, self.isMoving) = (loop.workCount, loop.handlerCount, isMoving)
            guard let link, link.isOpen else { return }
            (received, name) = (link.metrics.received, link.uniqueName)
        }

        /// The next count if only a round takes place.
        var afterQuietRound: Count {
            var next = self
            next.work += 1
            if name != nil {
                next.handled += 1
                next.received += 1
            }
            return next
        }
    }

    /// The thread on which the rounds are made, and the clock is moved.
    let loop: EventLoop
    private let connection: BusConnection
    private let fake: FakeBlueZ

    init(of fake: FakeBlueZ, on address: BusAddress) async throws {
        loop = try EventLoop()
        connection = try await BusConnection.open(address, on: loop)
        self.fake = fake
    }

    /// Returns when nothing is under way.
    ///
    /// - Parameter session: Gives the program's session, once it has one.
    func wait(for session: () -> BlueZSession?) async {
        var counts: [Count] = []
        var quietRounds = 0
        while quietRounds < 2 {
            for count in counts { if let name = count.name { await call(name, "Ping", of: ".Peer") } }
            let expected = counts.map(\.afterQuietRound)
            counts = []
            if let session = session() { counts.append(await count(session)) }
            let (count, departures) = await fake.loop.run { [fake] in fake.assumeIsolated(Self.count) }
            counts.append(count)
            let isQuiet = counts == expected && departures.isEmpty && !counts.contains(where: \.isMoving)
            quietRounds = isQuiet ? quietRounds + 1 : 0
            for name in departures { await noticeDeparture(of: name) }
        }
    }

    /// Ends the connection and the thread.
    func end() async {
        await connection.close()
        await loop.stop()
    }

    private func count(_ session: BlueZSession) async -> Count {
        await session.loop.run {
            let isOpening = session.openingLink != nil || session.link == nil && session.status == .opening
            return Count(session.loop, session.link, isMoving: isOpening)
        }
    }

    private static func count(_ fake: isolated FakeBlueZ) -> (Count, departures: [String]) {
        (Count(fake.loop, fake.link, isMoving: fake.isMoving), fake.departures)
    }

    /// Returns when the bus has noticed the end of a daemon.
    private func noticeDeparture(of name: String) async {
        while let answer = await call(BusDaemon.name, "NameHasOwner", [.string(name)]),
            (try? answer.body())?.first?.boolValue == true
        {}
        await fake.forgetDeparture(of: name)
    }

    /// Calls a method of the bus, or a method that every connection answers; nil if there is no answer.
    @discardableResult
    private func call(
        _ destination: String, _ member: String, of interface: String = "", _ body: [DBusValue] = []
    ) async -> Message? {
        let message = try? Message.methodCall(
            to: destination, path: BusDaemon.path, interface: BusDaemon.interface + interface, member: member,
            body: body)
        guard let message else { return nil }
        return try? await connection.call(message)
    }
}
#endif
