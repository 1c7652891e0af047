// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The backend's events, each applied at once and in order.
extension PeripheralManager {
    func apply(_ event: PeripheralEvent) {
        if isClosed { return }
        switch event {
        case .stateChanged(let state, let failure): radio.changed(to: state, failure, self)
        case .restored(let contents): restore(contents)
        case .servicePlaced(let id, let handle): placed(id, at: handle)
        case .registrationsLost: registrationsLost()
        case .access(let access): server.accessed(access, self)
        case .accessCancelled(let id): server.cancelled(id, self)
        case .subscribed(let attribute, let central): updates.subscribed(attribute, central, self)
        case .subscriberChanged(let attribute, let central): updates.subscriberChanged(attribute, central, self)
        case .unsubscribed(let attribute, let central): updates.unsubscribed(attribute, central, self)
        case .advertisingEnded(let id, let failure): advertisingEnded(id, failure)
        case .pairingRequested(let prompt): pairing.requested(prompt, self)
        case .pairingRequestEnded(let id): pairing.requestEnded(id, self)
        case .pairingUnavailable(let failure):
            logger.warning(
                "the platform does not ask about pairing, which is tried again", ["failure": "\(failure)"])
        case .reply(let id, .success): requests.finish(id, .success(.done), self)
        case .reply(let id, .failure(let failure)): requests.finish(id, .failure(failure), self)
        }
    }

    /// Everything that needs the radio ends with the reason; services and advertisements wait for the radio.
    func radioLost(_ reason: OperationFailure) {
        server.closeAll(self)
        for case .characteristic(let characteristic) in attributes.values {
            updates.endSubscriptions(to: characteristic, self)
        }
        suspendRegistrations(PeripheralManagerError(reason))
        requests.drain(nil, .failed(reason), self)
        pairing.endRequests(self)
    }

    /// Everything that is offered is added and advertised again.
    func radioReturned() {
        publish()
        settleAll()
    }
}

extension PeripheralManager {
    /// Removes all services and advertisements, ends all requests with `.invalidated`, and returns when the platform
    /// has forgotten them; the manager stays usable. Values stay with their characteristics. It waits in a cancelled
    /// task, too.
    ///
    /// - Parameter timeout: How long to wait for the platform; nil for as long as it takes. The removal goes on after
    ///   it.
    /// - Returns: Whether the platform has forgotten all.
    @discardableResult
    public func reset(timeout: Duration? = .seconds(5)) async -> Bool {
        let all = registrations.values.reversed().map(\.id)
        for id in all { withdraw(id, .invalidated) }
        let end = timeout.map { clock.elapsed + $0 }
        var isGone = true
        for id in all where !(await becomesAbsent(id, until: end)) { isGone = false }
        return isGone
    }

    /// Ends the manager for good: services and advertisements are removed, calls that wait end with `.invalidated`, and
    /// every stream quietly, those of the characteristics that were added too. Calls made later throw `.invalidated`.
    ///
    /// It returns when the platform has removed the services and advertisements, in a cancelled task too, as
    /// ``CentralManager/invalidate(timeout:)`` does when it has ended the connections; a second call waits for the end
    /// of the first. While the radio is off there is nothing to wait for.
    ///
    /// A platform that does not answer does not hold the end up: when the timeout has passed, the manager asks for the
    /// removal once more, waits for nothing, and is ended.
    ///
    /// - Parameter timeout: How long to wait for the platform; nil for as long as it takes.
    /// - Returns: The services and advertisements that the platform had not removed in time, in the order in which they
    ///   were offered. Empty when everything is removed.
    @discardableResult
    public func invalidate(timeout: Duration? = .seconds(5)) async -> [RegistrationFailure.Subject] {
        let end = timeout.map { clock.elapsed + $0 }
        if isInvalidated {
            await allAreAbsent(until: end)
            return unremoved
        }
        server.failAll(self)
        isInvalidated = true
        let added = attributes.values.compactMap { attribute in
            if case .characteristic(let characteristic) = attribute { characteristic } else { nil }
        }
        for registration in registrations.values.reversed() { withdraw(registration.id, .invalidated) }
        radio.resolveAll(self)
        pairing.end(self)
        for characteristic in added { characteristic.endStreams() }
        await allAreAbsent(until: end)
        unremovedAtEnd = unremoved
        isClosed = true
        for registration in registrations.values { resolve(registration, .invalidated, .all) }
        registrations = [:]
        publish()
        requests.drain(nil, .invalidated, self)
        finishStreams()
        deadlines.stop()
        journal.write(self)
        journal.close()
        backend.onExecutor { $0.invalidate() }
        return unremovedAtEnd
    }

    /// The services and advertisements that the platform has not removed yet, or had not when the manager was ended.
    /// Without the radio the platform offers nothing.
    private var unremoved: [RegistrationFailure.Subject] {
        if isClosed { return unremovedAtEnd }
        return state == .poweredOn ? registrations.values.map(\.subject) : []
    }

    /// Waits until the platform has removed everything, in a cancelled task too.
    ///
    /// - Parameter end: When to stop waiting, on the manager's clock; nil for never.
    private func allAreAbsent(until end: Duration?) async {
        while state == .poweredOn, let registration = registrations.values.last {
            if let end, clock.elapsed >= end { return }
            _ = await becomesAbsent(registration.id, until: end)
        }
    }

    /// Waits until the platform has removed one, in a cancelled task too. Without the radio there is nothing to wait
    /// for.
    ///
    /// - Parameters:
    ///   - id: Which one.
    ///   - end: When to stop waiting, on the manager's clock; nil for never.
    /// - Returns: Whether it is removed.
    private func becomesAbsent(_ id: Registration.ID, until end: Duration?) async -> Bool {
        guard state == .poweredOn, let registration = registrations[id] else { return true }
        let number = makeNumber()
        return await withCheckedContinuation { continuation in
            let deadline = end.map { end in after(end - clock.elapsed) { $0.resolve(number, of: id, .cancelled) } }
            registration.waiters[number] = .init(goal: .absent, deadline: deadline) {
                continuation.resume(returning: $0 == nil)
            }
            settle(registration)
        }
    }
}
