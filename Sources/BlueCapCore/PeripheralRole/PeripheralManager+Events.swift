// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The backend's events, each applied at once and in order.
extension PeripheralManager {
    func apply(_ event: PeripheralEvent) {
        if isClosed { return }
        switch event {
        case .stateChanged(let state, let failure): stateChanged(state, failure)
        case .restored(let contents): restore(contents)
        case .servicePlaced(let id, let handle): placed(id, at: handle)
        case .registrationsLost: registrationsLost()
        case .access(let access): accessed(access)
        case .accessCancelled(let id): accessCancelled(id)
        case .subscribed(let attribute, let central): subscribed(attribute, central)
        case .subscriberChanged(let attribute, let central): subscriberChanged(attribute, central)
        case .unsubscribed(let attribute, let central): unsubscribed(attribute, central)
        case .advertisingEnded(let id, let failure): advertisingEnded(id, failure)
        case .pairingRequested(let prompt): pairingRequested(prompt)
        case .pairingRequestEnded(let id): pairingRequestEnded(id)
        case .pairingUnavailable(let failure):
            logger.warning("the platform does not ask about pairing, which is tried again: \(failure)")
        case .reply(let id, .success): finish(id, .success(.done))
        case .reply(let id, .failure(let failure)): finish(id, .failure(failure))
        }
    }

    private func stateChanged(_ state: ManagerState, _ failure: BackendFailure?) {
        stateFailure = failure
        let previous = facts.withLock { facts in
            defer { facts.state = state }
            return facts.state
        }
        if previous == state { return }
        logger.debug("the radio is \(state)")
        if previous == .poweredOn { radioLost(radioFailure) }
        stateCaster.push(state)
        resolveStateWaiters()
        if state == .poweredOn {
            publish()
            settleAll()
        }
    }

    /// Everything that needs the radio ends with the reason; what is offered waits for the radio.
    private func radioLost(_ reason: OperationFailure) {
        closeAccesses { _ in true }
        for case .characteristic(let characteristic) in attributes.values { endSubscriptions(to: characteristic) }
        suspendRegistrations(PeripheralManagerError(reason))
        drain(nil, .failed(reason))
        endPairingRequests()
    }
}

extension PeripheralManager {
    /// Removes all services and advertisements, ends all requests with `.invalidated`, and returns when the platform
    /// has forgotten them, or when the task is cancelled; the manager stays usable. Values stay with their
    /// characteristics.
    ///
    /// - Parameter timeout: How long to wait for the platform; nil for as long as it takes. The removal goes on after
    ///   it.
    /// - Returns: Whether the platform has forgotten all.
    @discardableResult
    public func reset(timeout: Duration? = nil) async -> Bool {
        let all = registrations.values.reversed().map(\.id)
        for id in all { withdraw(id, .invalidated) }
        let end = timeout.map { clock.elapsed + $0 }
        var isGone = true
        for id in all {
            do {
                try await waitUntilAbsent(id, timeout: end.map { $0 - clock.elapsed }, timeoutError: .cancelled)
            } catch {
                isGone = false
            }
        }
        return isGone
    }

    /// Ends the manager for good: services and advertisements are removed, calls that wait end with `.invalidated`, and
    /// every stream quietly, those of the characteristics that were added too. Calls made later throw `.invalidated`.
    ///
    /// It returns when the platform has removed what was offered, in a cancelled task too, as
    /// ``CentralManager/invalidate()`` does when it has ended the connections; a second call waits for the same. While
    /// the radio is off there is nothing to wait for.
    public func invalidate() async {
        if isInvalidated { return await allAreAbsent() }
        answerAccesses(with: .unlikelyError) { _ in true }
        isInvalidated = true
        let added = attributes.values.compactMap { attribute in
            if case .characteristic(let characteristic) = attribute { characteristic } else { nil }
        }
        for registration in registrations.values.reversed() { withdraw(registration.id, .invalidated) }
        resolveStateWaiters()
        endPairing()
        for characteristic in added { characteristic.endStreams() }
        await allAreAbsent()
        isClosed = true
        for registration in registrations.values { resolve(registration, .invalidated, .all) }
        registrations = [:]
        publish()
        drain(nil, .invalidated)
        finishStreams()
        armedTimer?.timer.cancel()
        writeJournal()
        journal?.close()
        backend.onExecutor { $0.invalidate() }
    }

    /// Waits until the platform has removed everything, however long it takes, in a cancelled task too.
    private func allAreAbsent() async {
        while state == .poweredOn, let registration = registrations.values.last {
            _ = await withCheckedContinuation { continuation in
                wait(for: registration, continuation)
            }
        }
    }

    private func wait(
        for registration: Registration, _ continuation: CheckedContinuation<PeripheralManagerError?, Never>
    ) {
        registration.waiters[makeNumber()] = .init(goal: .absent, deadline: nil) { continuation.resume(returning: $0) }
        settle(registration)
    }
}
