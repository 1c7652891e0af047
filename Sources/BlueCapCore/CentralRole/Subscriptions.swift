// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Subscriptions: counted per characteristic, switched on with the first listener and off with the last.
///
/// They stand in the records of the peripherals.
struct Subscriptions: Sendable {
    /// Registers a listener and has notifications on before it returns.
    func subscribe(
        _ characteristic: Characteristic, box: SubscriptionRecord.Box, onDisconnect: DisconnectPolicy,
        transport: NotificationTransport, timeout: Duration?, _ owner: isolated CentralManager
    ) async throws(CharacteristicError) -> UInt64 {
        if Task.isCancelled { throw .cancelled }
        let (peripheral, subscription) = try subscription(for: characteristic, transport, owner)
        let number = owner.makeNumber()
        let listener = SubscriptionRecord.Listener(box: box, onDisconnect: onDisconnect)
        add(listener, number, to: subscription)
        #if DEBUG
        if owner.requests.suspendedRules.contains(.earlyListeners) {
            subscription.listeners[number] = nil
            subscription.machine.hold(number)
        }
        #endif
        do throws(CharacteristicError) {
            try await wait(until: true, characteristic.id, of: peripheral.identifier, timeout: timeout, owner)
        } catch {
            unsubscribe(characteristic.id, of: peripheral.identifier, number, owner)
            throw error
        }
        #if DEBUG
        if subscription.machine.release(number) { add(listener, number, to: subscription) }
        #endif
        return number
    }

    /// A listener joins; the first one gets the values that were held for it.
    private func add(_ listener: SubscriptionRecord.Listener, _ number: UInt64, to subscription: SubscriptionRecord) {
        subscription.listeners[number] = listener
        guard let dropped = subscription.held?.move(to: listener.box) else { return }
        subscription.held = nil
        subscription.characteristic.facts.withLock { $0.droppedCount += dropped }
    }

    func unsubscribe(
        _ attribute: AttributeID, of peripheral: PeerIdentifier, _ number: UInt64, _ owner: isolated CentralManager
    ) {
        guard let subscription = owner.book.known(peripheral)?.subscriptions[attribute],
            let listener = subscription.listeners.removeValue(forKey: number)
        else { return }
        listener.box.finish()
        settle(subscription, of: peripheral, owner)
    }

    func startNotifying(
        _ characteristic: Characteristic, transport: NotificationTransport, timeout: Duration?,
        _ owner: isolated CentralManager
    ) async throws(CharacteristicError) {
        if Task.isCancelled { throw .cancelled }
        let (peripheral, subscription) = try subscription(for: characteristic, transport, owner)
        let hold = owner.makeNumber()
        subscription.machine.hold(hold)
        do throws(CharacteristicError) {
            try await wait(until: true, characteristic.id, of: peripheral.identifier, timeout: timeout, owner)
        } catch {
            _ = subscription.machine.release(hold)
            settle(subscription, of: peripheral.identifier, owner)
            throw error
        }
    }

    func stopNotifying(_ characteristic: Characteristic, timeout: Duration?, _ owner: isolated CentralManager)
        async throws(CharacteristicError)
    {
        let (peripheral, subscription) = try subscription(for: characteristic, .standard, owner)
        subscription.machine.releaseAll()
        subscription.controlPoint?.isKept = false
        owner.deliveries.discardHeld(of: subscription, owner)
        settle(subscription, of: peripheral.identifier, owner)
        if subscription.isWanted { return }
        try await wait(until: false, characteristic.id, of: peripheral.identifier, timeout: timeout, owner)
    }

    /// The record of a characteristic that can notify on a link that stands.
    func subscription(
        for characteristic: Characteristic, _ transport: NotificationTransport, _ owner: isolated CentralManager
    ) throws(CharacteristicError) -> (Peripheral, SubscriptionRecord) {
        let record = try owner.book.record(of: characteristic, owner)
        if !characteristic.canNotify { throw .notifyNotSupported }
        let subscription = record.subscriptions[characteristic.id] ?? SubscriptionRecord(characteristic)
        if !subscription.isWanted { subscription.machine.choose(transport) }
        record.subscriptions[characteristic.id] = subscription
        return (record.peripheral, subscription)
    }

    // MARK: On and off

    /// Waits until notifications are on, or off, in the state that the backend has confirmed.
    private func wait(
        until wantsOn: Bool, _ attribute: AttributeID, of id: PeerIdentifier, timeout: Duration?,
        _ owner: isolated CentralManager
    ) async throws(CharacteristicError) {
        let number = owner.makeNumber()
        let error: CharacteristicError? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: .cancelled) }
                guard let subscription = owner.book.known(id)?.subscriptions[attribute] else {
                    return continuation.resume(returning: wantsOn ? .disconnected : nil)
                }
                let token = timeout.map { timeout in
                    owner.after(timeout) { resolve(number, of: attribute, of: id, .notifyTimeout, $0) }
                }
                subscription.waiters[number] = .init(wantsOn: wantsOn, deadline: token) {
                    continuation.resume(returning: $0)
                }
                settle(subscription, of: id, owner)
            }
        } onCancel: {
            owner.later { resolve(number, of: attribute, of: id, .cancelled, $0) }
        }
        if let error { throw error }
    }

    private func resolve(
        _ number: UInt64, of attribute: AttributeID, of peripheral: PeerIdentifier, _ error: CharacteristicError,
        _ owner: isolated CentralManager
    ) {
        guard let subscription = owner.book.known(peripheral)?.subscriptions[attribute] else { return }
        resolve(number, of: subscription, error, owner)
    }

    private func resolve(
        _ number: UInt64, of subscription: SubscriptionRecord, _ error: CharacteristicError?,
        _ owner: isolated CentralManager
    ) {
        guard let waiter = subscription.waiters.removeValue(forKey: number) else { return }
        if let deadline = waiter.deadline { owner.cancelDeadline(deadline) }
        waiter.resume(error)
    }

    private func resolve(
        _ callers: SubscriptionMachine.Callers, of subscription: SubscriptionRecord, _ error: CharacteristicError?,
        _ owner: isolated CentralManager
    ) {
        let numbers = subscription.waiters.filter { callers.contains(thatWantsOn: $0.value.wantsOn) }.keys.sorted()
        for number in numbers { resolve(number, of: subscription, error, owner) }
    }

    /// Moves one step from where notifications are to where they are wanted; each step's answer calls this again.
    func settle(_ subscription: SubscriptionRecord, of id: PeerIdentifier, _ owner: isolated CentralManager) {
        guard let record = owner.book.known(id) else { return }
        owner.wantedChanged()
        let attribute = subscription.characteristic.id
        // One that was forgotten may have a successor, which has nothing to do with the callers of this one.
        if record.subscriptions[attribute] === subscription {
            let actions = subscription.machine.settle(
                hasListeners: subscription.hasListeners, isDiscovered: record.characteristics[attribute] != nil,
                number: owner.makeNumber())
            carryOut(actions, for: subscription, of: record, nil, owner)
            owner.connections.controlPoints.advanceRequests(of: subscription, owner)
        }
        owner.reportIfSubscribed(record)
    }

    private func carryOut(
        _ actions: [SubscriptionMachine.Action], for subscription: SubscriptionRecord, of record: PeripheralRecord,
        _ error: CharacteristicError?, _ owner: isolated CentralManager
    ) {
        for action in actions {
            switch action {
            case .send(let request): send(request, of: subscription, record.peripheral.identifier, owner)
            case .publish(let isNotifying):
                subscription.characteristic.facts.withLock { $0.isNotifying = isNotifying }
            case .answer(let callers, let isFailed): resolve(callers, of: subscription, isFailed ? error : nil, owner)
            case .endListeners: endListeners(of: subscription, error, owner) { _ in true }
            case .endListenersOfConnection: endListeners(of: subscription, error, owner) { $0 == .end }
            case .discardHeld: owner.deliveries.discardHeld(of: subscription, owner)
            case .forget:
                // As long as the link stands, a late response may come to a request to this control point.
                if subscription.controlPoint?.late.isEmpty != false {
                    record.subscriptions[subscription.characteristic.id] = nil
                }
            }
        }
    }

    private func send(
        _ request: SubscriptionMachine.Request, of subscription: SubscriptionRecord, _ id: PeerIdentifier,
        _ owner: isolated CentralManager
    ) {
        let attribute = subscription.characteristic.id
        let operation = CentralOperation.setNotifying(id, attribute, request.isOn, request.transport)
        owner.begin(operation, in: .notifying(attribute)) { manager, outcome in
            answered(request, for: attribute, of: id, outcome, manager)
        }
    }

    private func answered(
        _ request: SubscriptionMachine.Request, for attribute: AttributeID, of id: PeerIdentifier,
        _ outcome: Outcome, _ owner: isolated CentralManager
    ) {
        guard let record = owner.book.known(id), let subscription = record.subscriptions[attribute] else { return }
        var error: CharacteristicError?
        if case .reply = outcome {} else { error = CharacteristicError(outcome, timeout: .notifyTimeout) }
        guard let actions = subscription.machine.answered(request, isRefused: error != nil) else { return }
        carryOut(actions, for: subscription, of: record, error, owner)
        settle(subscription, of: id, owner)
    }

    // MARK: Ends

    func notifyingStopped(
        _ id: PeerIdentifier, _ attribute: AttributeID, _ failure: OperationFailure, _ owner: isolated CentralManager
    ) {
        guard let record = owner.book.known(id), let subscription = record.subscriptions[attribute],
            let actions = subscription.machine.stopped()
        else { return }
        carryOut(actions, for: subscription, of: record, CharacteristicError(failure), owner)
        settle(subscription, of: id, owner)
    }

    private func endListeners(
        of subscription: SubscriptionRecord, _ error: CharacteristicError?, _ owner: isolated CentralManager,
        where isMeant: (DisconnectPolicy) -> Bool
    ) {
        let ended = subscription.listeners.filter { isMeant($0.value.onDisconnect) }
        for (number, _) in ended { subscription.listeners[number] = nil }
        for (_, listener) in ended { listener.box.finish(error) }
        owner.connections.controlPoints.endRequests(of: subscription, error, owner, where: isMeant)
    }

    /// Takes a subscription out, whatever is under way for it: the peer has the characteristic no more.
    func endSubscription(
        to attribute: AttributeID, of record: PeripheralRecord, _ error: CharacteristicError,
        _ owner: isolated CentralManager
    ) {
        guard let subscription = record.subscriptions.removeValue(forKey: attribute) else { return }
        carryOut(subscription.machine.takenAway(), for: subscription, of: record, error, owner)
        owner.wantedChanged()
        owner.reportIfSubscribed(record)
    }

    /// The connection ended: listeners that do not wait for the next one end with the reason.
    func suspendSubscriptions(of record: PeripheralRecord, _ reason: OperationFailure, _ owner: isolated CentralManager)
    {
        for (attribute, subscription) in record.subscriptions {
            carryOut(
                subscription.machine.disconnected(), for: subscription, of: record, CharacteristicError(reason), owner)
            subscription.controlPoint?.late = []
            if !subscription.isWanted { record.subscriptions[attribute] = nil }
        }
    }

    /// No connection will come any more for those who wait for the next one.
    func endSubscriptions(of record: PeripheralRecord, _ error: CharacteristicError, _ owner: isolated CentralManager) {
        for subscription in record.subscriptions.values {
            carryOut(subscription.machine.givenUp(), for: subscription, of: record, error, owner)
            settle(subscription, of: record.peripheral.identifier, owner)
        }
        if record.link == .connected { return }
        // A request that is under way has no answer any more.
        for subscription in record.subscriptions.values {
            carryOut(subscription.machine.disconnected(), for: subscription, of: record, error, owner)
        }
        record.subscriptions = [:]
    }
}
