// SPDX-License-Identifier: MIT

/// The scopes that share the link of a peripheral: each connects by itself, and the last one to leave ends the link.
///
/// The scopes stand in the records of the peripherals.
struct LinkScopes: Sendable {
    /// A scope begins to use a peripheral's link.
    ///
    /// - Returns: The number of the scope.
    func join(_ peripheral: Peripheral, _ policy: ReconnectPolicy, _ owner: isolated CentralManager)
        throws(PeripheralError) -> UInt64
    {
        let record = try owner.book.record(of: peripheral, owner)
        let number = owner.makeNumber()
        record.users[number] = LinkUser(policy: policy)
        return number
    }

    /// A scope ends. The last one ends the link, and waits for that for 5 seconds at most. A call by hand that waits
    /// for a connection keeps the attempt.
    ///
    /// - Parameters:
    ///   - number: The number of the scope.
    ///   - peripheral: The peripheral.
    ///   - gaveUp: Whether the scope's policy is exhausted.
    func leave(_ number: UInt64, of peripheral: Peripheral, gaveUp: Bool, _ owner: isolated CentralManager) async {
        guard let record = owner.book.known(peripheral),
            let user = record.users.removeValue(forKey: number)
        else { return }
        if let absence = user.absence { owner.cancelDeadline(absence) }
        owner.wantedChanged()
        owner.connections.maximumAbsenceChanged(of: peripheral.identifier, owner)
        // After a disconnection by the program, the link may be another connection by now.
        if user.isForced || record.hasActiveUsers || !record.waiters.isEmpty { return }
        if gaveUp {
            owner.connections.send(.gaveUp, of: record, owner)
            owner.connections.subscriptions.endSubscriptions(of: record, .disconnected, owner)
        }
        owner.connections.endLink(of: record, owner)
        if record.link != .idle {
            _ = await owner.connections.end(of: record, after: record.connection.endCount, .seconds(5), owner)
        }
    }

    /// Returns the next step of a scope after a loss or a failed attempt.
    ///
    /// - Parameters:
    ///   - number: The number of the scope.
    ///   - peripheral: The peripheral.
    ///   - failure: Why the attempt has failed; nil after a loss.
    func nextStep(
        of number: UInt64, _ peripheral: Peripheral, after failure: PeripheralError?, _ owner: isolated CentralManager
    ) -> LinkUser.Step {
        if owner.isInvalidated { return .end(.invalidated) }
        guard let record = owner.book.known(peripheral),
            let step = record.users[number]?.next(after: failure, isRadioOn: owner.state == .poweredOn)
        else { return .end(.forcedDisconnect) }
        return step
    }

    /// Waits before a scope's next attempt: until its time has come, or the link stands or the radio is back before.
    ///
    /// - Parameters:
    ///   - number: The number of the scope.
    ///   - peripheral: The peripheral.
    ///   - delay: How long to wait; nil for the radio.
    func rest(_ number: UInt64, of peripheral: Peripheral, for delay: Duration?, _ owner: isolated CentralManager) async
    {
        let id = peripheral.identifier
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled, !owner.isClosed, let record = owner.book.known(peripheral),
                    record.users[number]?.isActive == true, delay != nil || owner.state != .poweredOn,
                    record.link != .connected || record.times.report != nil
                else { return continuation.resume() }
                let deadline = delay.map { delay in owner.after(delay) { wake(number, of: id, $0) } }
                record.users[number]?.rest = .init(deadline: deadline) { continuation.resume() }
            }
        } onCancel: {
            owner.later { wake(number, of: id, $0) }
        }
    }

    private func wake(_ number: UInt64, of id: PeerIdentifier, _ owner: isolated CentralManager) {
        guard let record = owner.book.known(id), let rest = record.users[number]?.rest else { return }
        record.users[number]?.rest = nil
        if let deadline = rest.deadline { owner.cancelDeadline(deadline) }
        rest.resume()
    }

    // MARK: Events of the link

    func usersConnected(_ record: PeripheralRecord, _ owner: isolated CentralManager) {
        for number in record.users.keys {
            if let absence = record.users[number]?.absence { owner.cancelDeadline(absence) }
            record.users[number]?.absence = nil
            record.users[number]?.connected()
            wake(number, of: record.peripheral.identifier, owner)
        }
    }

    /// The connection was lost, or an attempt has failed.
    func usersDisconnected(_ record: PeripheralRecord, _ error: PeripheralError, _ owner: isolated CentralManager) {
        for number in record.users.keys {
            record.users[number]?.disconnected(error)
            if owner.state != .poweredOn { record.users[number]?.radioLost() }
            if record.users[number]?.absence == nil { startAbsence(of: number, record, owner) }
        }
    }

    func usersLostRadio(_ record: PeripheralRecord) {
        for number in record.users.keys { record.users[number]?.radioLost() }
    }

    func usersFoundRadio(_ record: PeripheralRecord, _ owner: isolated CentralManager) {
        for (number, user) in record.users where user.rest?.deadline == nil {
            wake(number, of: record.peripheral.identifier, owner)
        }
    }

    /// The program disconnects: no scope goes on.
    ///
    /// - Returns: Whether a scope had a connection and has none now, so that only an event reports the end.
    func endUsers(of record: PeripheralRecord, _ owner: isolated CentralManager) -> Bool {
        var isMending = false
        for (number, user) in record.users where user.isActive {
            record.users[number]?.forceEnd()
            isMending = isMending || user.hasConnected
            wake(number, of: record.peripheral.identifier, owner)
        }
        return isMending && record.link != .connected && record.link != .disconnecting
    }

    // MARK: Absence

    /// A scope tries to connect. Its first attempt begins the absence, and not the scope itself: between the two its
    /// task may have to wait for a thread, for any time of the clock.
    func attemptBegins(of number: UInt64, _ record: PeripheralRecord, _ owner: isolated CentralManager) {
        record.users[number]?.tried()
        if record.users[number]?.absence == nil { startAbsence(of: number, record, owner) }
    }

    private func startAbsence(of number: UInt64, _ record: PeripheralRecord, _ owner: isolated CentralManager) {
        guard let user = record.users[number], user.isActive, let maximum = user.policy.maximumAbsence,
            record.link != .connected
        else { return }
        let id = record.peripheral.identifier
        record.users[number]?.absence = owner.after(min(maximum, .longestWait)) { absenceOver(of: number, id, $0) }
    }

    private func absenceOver(of number: UInt64, _ id: PeerIdentifier, _ owner: isolated CentralManager) {
        guard let record = owner.book.known(id), let user = record.users[number], user.isActive else { return }
        record.users[number]?.absence = nil
        // It has come neither to an attempt yet, nor to the wait before one: the absence begins with the attempt.
        if !user.hasTried, user.rest == nil { return }
        record.users[number]?.absenceOver()
        wake(number, of: id, owner)
        let waiting = record.waiters.filter { $0.value.user == number }
        for waiter in waiting.keys { owner.connections.leave(id, waiter, .cancelled, owner) }
    }
}
