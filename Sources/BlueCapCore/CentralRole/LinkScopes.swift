// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The scopes that share the link of a peripheral: each connects by itself, and the last one to leave ends the link.
///
/// Touched on the manager only.
final class LinkScopes {
    private unowned let record: PeripheralRecord
    private var users: OrderedTable<UInt64, LinkUser> = [:]

    init(of record: PeripheralRecord) { self.record = record }

    /// The manager was released: nothing comes any more.
    deinit { for user in users.values { user.rest?.resume() } }

    var count: Int { users.count }
    /// Whether there is a scope that goes on.
    var areActive: Bool { users.values.contains(where: \.isActive) }
    /// How many scopes go on.
    var activeCount: Int { users.values.count(where: \.isActive) }
    /// The policy of the last scope that began and goes on.
    var lastPolicy: ReconnectPolicy? { users.values.last(where: \.isActive)?.policy }
    /// Whether any scope has had a connection.
    var haveConnected: Bool { users.values.contains(where: \.hasConnected) }

    /// Whether a scope goes on.
    func isActive(_ number: UInt64) -> Bool { users[number]?.isActive == true }
    /// Whether a scope has had the connection that it waits for.
    func isReturn(_ number: UInt64?) -> Bool { number.flatMap { users[$0]?.hasConnected } ?? false }

    /// A scope begins to use the link.
    ///
    /// - Returns: The number of the scope.
    func join(_ policy: ReconnectPolicy, _ owner: isolated some CentralOwner) -> UInt64 {
        let number = owner.makeNumber()
        users[number] = LinkUser(policy: policy)
        return number
    }

    /// A scope ends. The last one ends the link. A call by hand that waits for a connection keeps the attempt.
    ///
    /// - Parameters:
    ///   - number: The number of the scope.
    ///   - gaveUp: Whether the scope's policy is exhausted.
    ///   - owner: The manager.
    /// - Returns: Whether the link was ended for it.
    func leave(_ number: UInt64, gaveUp: Bool, _ owner: isolated some CentralOwner) -> Bool {
        guard let user = users.removeValue(forKey: number) else { return false }
        if let absence = user.absence { owner.cancelDeadline(absence) }
        owner.restorationChanged()
        record.connection.maximumAbsenceChanged(owner)
        // After a disconnection by the program, the link may be another connection by now.
        if user.isForced || areActive || record.connection.hasCallers { return false }
        if gaveUp {
            owner.connections.send(.gaveUp, of: record, owner)
            record.subscriptions.endAll(.disconnected, owner)
        }
        record.connection.end(owner)
        return true
    }

    /// Returns the next step of a scope after a loss or a failed attempt.
    ///
    /// - Parameters:
    ///   - number: The number of the scope.
    ///   - failure: Why the attempt has failed; nil after a loss.
    ///   - owner: The manager.
    func nextStep(
        of number: UInt64, after failure: PeripheralError?, _ owner: isolated some CentralOwner
    ) -> LinkUser.Step {
        users[number]?.next(after: failure, isRadioOn: owner.state == .poweredOn) ?? .end(.forcedDisconnect)
    }

    /// A scope waits before its next attempt: until its time has come, or the link stands or the radio is back before.
    ///
    /// - Parameters:
    ///   - number: The number of the scope.
    ///   - delay: How long to wait; nil for the radio.
    ///   - owner: The manager.
    ///   - resume: Called once, if the scope has to wait.
    /// - Returns: Whether it has to wait.
    func rest(
        _ number: UInt64, for delay: Duration?, _ owner: isolated some CentralOwner, resume: @escaping () -> Void
    ) -> Bool {
        guard isActive(number), delay != nil || owner.state != .poweredOn,
            record.link != .connected || record.connection.isUnreported
        else { return false }
        let id = record.peripheral.identifier
        let deadline = delay.map { delay in owner.after(delay, with: id) { $1.scopes.wake(number, $0) } }
        users[number]?.rest = .init(deadline: deadline, resume: resume)
        return true
    }

    func wake(_ number: UInt64, _ owner: isolated some CentralOwner) {
        guard let rest = users[number]?.rest else { return }
        users[number]?.rest = nil
        if let deadline = rest.deadline { owner.cancelDeadline(deadline) }
        rest.resume()
    }

    // MARK: Events of the link

    /// A scope has found a connection that stood.
    func connected(_ number: UInt64) { users[number]?.connected() }

    func connected(_ owner: isolated some CentralOwner) {
        for number in users.keys {
            if let absence = users[number]?.absence { owner.cancelDeadline(absence) }
            users[number]?.absence = nil
            users[number]?.connected()
            wake(number, owner)
        }
    }

    /// The connection was lost, or an attempt has failed.
    func disconnected(_ error: PeripheralError, _ owner: isolated some CentralOwner) {
        for number in users.keys {
            users[number]?.disconnected(error)
            if owner.state != .poweredOn { users[number]?.radioLost() }
            if users[number]?.absence == nil { startAbsence(of: number, owner) }
        }
    }

    func radioLost() { for number in users.keys { users[number]?.radioLost() } }

    func radioReturned(_ owner: isolated some CentralOwner) {
        for (number, user) in users where user.rest?.deadline == nil { wake(number, owner) }
    }

    /// The program disconnects: no scope goes on.
    ///
    /// - Returns: Whether a scope had a connection and has none now, so that only an event reports the end.
    func forceEnd(_ owner: isolated some CentralOwner) -> Bool {
        var isMending = false
        for (number, user) in users where user.isActive {
            users[number]?.forceEnd()
            isMending = isMending || user.hasConnected
            wake(number, owner)
        }
        return isMending && record.link != .connected && record.link != .disconnecting
    }

    // MARK: Absence

    /// A scope tries to connect. Its first attempt begins the absence, and not the scope itself: between the two its
    /// task may have to wait for a thread, for any time of the clock.
    func attemptBegins(of number: UInt64, _ owner: isolated some CentralOwner) {
        users[number]?.tried()
        if users[number]?.absence == nil { startAbsence(of: number, owner) }
    }

    private func startAbsence(of number: UInt64, _ owner: isolated some CentralOwner) {
        guard let user = users[number], user.isActive, let maximum = user.policy.maximumAbsence,
            record.link != .connected
        else { return }
        let id = record.peripheral.identifier
        users[number]?.absence = owner.after(min(maximum, .longestWait), with: id) {
            $1.scopes.absenceOver(of: number, $0)
        }
    }

    private func absenceOver(of number: UInt64, _ owner: isolated some CentralOwner) {
        guard let user = users[number], user.isActive else { return }
        users[number]?.absence = nil
        // It has come neither to an attempt yet, nor to the wait before one: the absence begins with the attempt.
        if !user.hasTried, user.rest == nil { return }
        users[number]?.absenceOver()
        wake(number, owner)
        record.connection.leave(user: number, owner)
    }
}
