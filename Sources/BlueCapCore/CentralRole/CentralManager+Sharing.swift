// SPDX-License-Identifier: MIT

/// The scopes that share the link of a peripheral: each connects by itself, and the last one to leave ends the link.
extension CentralManager {
    /// A scope begins to use a peripheral's link.
    ///
    /// - Returns: The number of the scope.
    func join(_ peripheral: Peripheral, _ policy: ReconnectPolicy) throws(PeripheralError) -> UInt64 {
        let record = try book.record(of: peripheral, self)
        let number = makeNumber()
        record.users[number] = LinkUser(policy: policy)
        startAbsence(of: number, record)
        return number
    }

    /// A scope ends. The last one ends the link, and waits for that for 5 seconds at most. A call by hand that waits
    /// for a connection keeps the attempt.
    ///
    /// - Parameters:
    ///   - number: The number of the scope.
    ///   - peripheral: The peripheral.
    ///   - gaveUp: Whether the scope's policy is exhausted.
    func leave(_ number: UInt64, of peripheral: Peripheral, gaveUp: Bool) async {
        guard let record = book.known(peripheral),
            let user = record.users.removeValue(forKey: number)
        else { return }
        if let absence = user.absence { cancelDeadline(absence) }
        wantedChanged()
        // After a disconnection by the program, the link may be another connection by now.
        if user.isForced || record.hasActiveUsers || !record.waiters.isEmpty { return }
        if gaveUp {
            send(.gaveUp, of: record)
            endSubscriptions(of: record, .disconnected)
        }
        endLink(of: record)
        if record.link != .idle { _ = await end(of: record, after: record.connection.endCount, .seconds(5)) }
    }

    /// Returns the next step of a scope after a loss or a failed attempt.
    ///
    /// - Parameters:
    ///   - number: The number of the scope.
    ///   - peripheral: The peripheral.
    ///   - failure: Why the attempt has failed; nil after a loss.
    func nextStep(of number: UInt64, _ peripheral: Peripheral, after failure: PeripheralError?) -> LinkUser.Step {
        if isInvalidated { return .end(.invalidated) }
        guard let record = book.known(peripheral),
            let step = record.users[number]?.next(after: failure, isRadioOn: state == .poweredOn)
        else { return .end(.forcedDisconnect) }
        return step
    }

    /// Waits before a scope's next attempt: until its time has come, or the link stands or the radio is back before.
    ///
    /// - Parameters:
    ///   - number: The number of the scope.
    ///   - peripheral: The peripheral.
    ///   - delay: How long to wait; nil for the radio.
    func rest(_ number: UInt64, of peripheral: Peripheral, for delay: Duration?) async {
        let id = peripheral.identifier
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled, !isClosed, let record = book.known(peripheral),
                    record.users[number]?.isActive == true, delay != nil || state != .poweredOn,
                    record.link != .connected || record.report != nil
                else { return continuation.resume() }
                let deadline = delay.map { delay in after(delay) { $0.wake(number, of: id) } }
                record.users[number]?.rest = .init(deadline: deadline) { continuation.resume() }
            }
        } onCancel: {
            later { $0.wake(number, of: id) }
        }
    }

    private func wake(_ number: UInt64, of id: PeerIdentifier) {
        guard let record = book.known(id), let rest = record.users[number]?.rest else { return }
        record.users[number]?.rest = nil
        if let deadline = rest.deadline { cancelDeadline(deadline) }
        rest.resume()
    }

    // MARK: Events of the link

    /// The connection stands.
    func usersConnected(_ record: PeripheralRecord) {
        for number in record.users.keys {
            if let absence = record.users[number]?.absence { cancelDeadline(absence) }
            record.users[number]?.absence = nil
            record.users[number]?.connected()
            wake(number, of: record.peripheral.identifier)
        }
    }

    /// The connection was lost, or an attempt has failed.
    func usersDisconnected(_ record: PeripheralRecord, _ error: PeripheralError) {
        for number in record.users.keys {
            record.users[number]?.disconnected(error)
            if state != .poweredOn { record.users[number]?.radioLost() }
            if record.users[number]?.absence == nil { startAbsence(of: number, record) }
        }
    }

    /// The radio went off.
    func usersLostRadio(_ record: PeripheralRecord) {
        for number in record.users.keys { record.users[number]?.radioLost() }
    }

    /// The radio is back.
    func usersFoundRadio(_ record: PeripheralRecord) {
        for (number, user) in record.users where user.rest?.deadline == nil {
            wake(number, of: record.peripheral.identifier)
        }
    }

    /// The program disconnects: no scope goes on.
    ///
    /// - Returns: Whether a scope had a connection and has none now, so that only an event reports the end.
    func endUsers(of record: PeripheralRecord) -> Bool {
        var isMending = false
        for (number, user) in record.users where user.isActive {
            record.users[number]?.forceEnd()
            isMending = isMending || user.hasConnected
            wake(number, of: record.peripheral.identifier)
        }
        return isMending && record.link != .connected && record.link != .disconnecting
    }

    // MARK: Absence

    private func startAbsence(of number: UInt64, _ record: PeripheralRecord) {
        guard let user = record.users[number], user.isActive, let maximum = user.policy.maximumAbsence,
            record.link != .connected
        else { return }
        let id = record.peripheral.identifier
        record.users[number]?.absence = after(min(maximum, .longestWait)) { $0.absenceOver(of: number, id) }
    }

    private func absenceOver(of number: UInt64, _ id: PeerIdentifier) {
        guard let record = book.known(id), record.users[number]?.isActive == true else { return }
        record.users[number]?.absence = nil
        record.users[number]?.absenceOver()
        wake(number, of: id)
        let waiting = record.waiters.filter { $0.value.user == number }
        for waiter in waiting.keys { leave(id, waiter, .cancelled) }
    }
}
