// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapRuntime

// Requests that bluetoothd never answers, although their link stands.
extension BlueZCentralBackend {
    /// How long a peer may take for one transaction (Core Specification, Vol 3, Part F, 3.3.3). bluetoothd sees to that
    /// itself, and then ends the link.
    private static let transactionLimit = Duration.seconds(30)
    /// How much longer bluetoothd may take to report the time-out, and to end the link.
    private static let graceOfDaemon = Duration.seconds(10)

    private static let unanswered = BackendFailure(
        name: "BlueCap.Unanswered", message: "bluetoothd does not answer the request",
        advice: "connect again; a peripheral that refuses even after pairing may want a passkey for it")

    /// A request to an attribute is on its way: it is overdue when nothing is answered over the link for as long as all
    /// its transactions may take.
    func begin(_ request: CentralRequest, on link: BlueZLink) {
        let count = link.database.transactionCount(of: request.operation)
        let limit = Self.transactionLimit * count + Self.graceOfDaemon
        let now = clock.elapsed
        link.requests.begin(request.id, at: now, limit: limit)
        check(link, at: now + limit, now: now)
    }

    /// Sets one timer for all requests of a link. It is left running when they are answered, so a request that is
    /// answered in time needs no timer of its own.
    private func check(_ link: BlueZLink, at deadline: Duration, now: Duration) {
        if let check = link.requests.check {
            if check.deadline <= deadline { return }
            check.timer.cancel()
        }
        link.requests.check = (deadline, after(deadline - now, on: link) { $0.giveUpOverdue(on: $1) })
    }

    /// A bearer with an overdue transaction must not be used any more. Only its end also ends the requests that wait in
    /// bluetoothd: later reads of the characteristic would wait with them.
    private func giveUpOverdue(on link: BlueZLink) {
        link.requests.check = nil
        guard link.isConnected else { return }
        let now = clock.elapsed
        // The request waits for the app then.
        if session?.pairing.isAsking(about: link.path) == true { link.requests.progressed(at: now) }
        let overdue = link.requests.abandonOverdue(at: now) { link.values.isAcquiring(for: $0) }
        if overdue.isEmpty {
            if let deadline = link.requests.nextDeadline { check(link, at: deadline, now: now) }
            return
        }
        link.connection.reason = Self.unanswered
        link.connection.takeDown(self)
        for id in overdue { emit(.reply(id, .failure(.backend(Self.unanswered)))) }
    }
}
#endif
