// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The callers that wait for one connection, or for its end, each with its own time.
///
/// Touched on the manager only.
final class ConnectionCallers {
    struct Waiter {
        let timeout: Duration?
        /// The number of the scope that calls; nil for a call by hand.
        let user: UInt64?
        fileprivate var deadline: DeadlineToken?
        let resume: (Result<Void, PeripheralError>) -> Void

        init(timeout: Duration?, user: UInt64?, resume: @escaping (Result<Void, PeripheralError>) -> Void) {
            (self.timeout, self.user, self.resume) = (timeout, user, resume)
        }
    }

    /// A caller that waits for the end of a connection.
    private struct EndWaiter {
        let deadline: DeadlineToken?
        /// Takes whether the connection is down.
        let resume: (Bool) -> Void
    }

    private var waiters: OrderedTable<UInt64, Waiter> = [:]
    private var endWaiters: OrderedTable<UInt64, EndWaiter> = [:]

    /// The manager was released: nothing comes any more.
    deinit {
        for waiter in waiters.values { waiter.resume(.failure(.invalidated)) }
        for waiter in endWaiters.values { waiter.resume(false) }
    }

    // MARK: Of the connection

    var count: Int { waiters.count }

    subscript(number: UInt64) -> Waiter? { waiters[number] }

    /// The numbers of all callers, or of those of one scope.
    func numbers(of user: UInt64? = nil) -> [UInt64] {
        user == nil ? waiters.keys : waiters.filter { $0.value.user == user }.keys
    }

    func add(_ waiter: Waiter, _ number: UInt64) { waiters[number] = waiter }

    /// Begins the time of a caller; does nothing if it runs.
    func startTime(of number: UInt64, with id: PeerIdentifier, _ owner: isolated some CentralOwner) {
        guard let waiter = waiters[number], waiter.deadline == nil, let timeout = waiter.timeout else { return }
        waiters[number]?.deadline = owner.after(timeout, with: id) { $1.connection.timeout(of: number, $0) }
    }

    /// The time of a caller is over.
    func timePassed(_ number: UInt64) { waiters[number]?.deadline = nil }

    func stopTimes(_ owner: isolated some CentralOwner) {
        for number in waiters.keys {
            if let deadline = waiters[number]?.deadline { owner.cancelDeadline(deadline) }
            waiters[number]?.deadline = nil
        }
    }

    func answer(_ number: UInt64, _ result: Result<Void, PeripheralError>, _ owner: isolated some CentralOwner) {
        guard let waiter = waiters.removeValue(forKey: number) else { return }
        if let deadline = waiter.deadline { owner.cancelDeadline(deadline) }
        waiter.resume(result)
    }

    func answerAll(_ result: Result<Void, PeripheralError>, _ owner: isolated some CentralOwner) {
        for number in waiters.keys.sorted() { answer(number, result, owner) }
    }

    // MARK: Of its end

    var endCount: Int { endWaiters.count }

    func add(
        _ number: UInt64, with id: PeerIdentifier, timeout: Duration?, _ owner: isolated some CentralOwner,
        resume: @escaping (Bool) -> Void
    ) {
        let deadline = timeout.map { timeout in
            owner.after(timeout, with: id) { $1.connection.stopWaitingForEnd(number, $0) }
        }
        endWaiters[number] = EndWaiter(deadline: deadline, resume: resume)
    }

    /// Answers a caller that the connection is not down; does nothing if it was answered.
    func giveUpEnd(_ number: UInt64, _ owner: isolated some CentralOwner) {
        guard let waiter = endWaiters.removeValue(forKey: number) else { return }
        if let deadline = waiter.deadline { owner.cancelDeadline(deadline) }
        waiter.resume(false)
    }

    /// Answers all callers that the connection was not down in time.
    func giveUpEnds(_ owner: isolated some CentralOwner) {
        for number in endWaiters.keys.sorted() { giveUpEnd(number, owner) }
    }

    /// Answers all callers that the connection is down.
    func answerEnds(_ owner: isolated some CentralOwner) {
        let waiters = endWaiters
        endWaiters = [:]
        for number in waiters.keys.sorted() {
            guard let waiter = waiters[number] else { continue }
            if let deadline = waiter.deadline { owner.cancelDeadline(deadline) }
            waiter.resume(true)
        }
    }
}
