// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Subscriptions: counted per characteristic, switched on with the first listener and off with the last.
extension CentralManager {
    /// Registers a listener and has notifications on before it returns.
    func subscribe(
        _ characteristic: Characteristic, box: SubscriptionRecord.Box, onDisconnect: DisconnectPolicy,
        transport: NotificationTransport, timeout: Duration?
    ) async throws(CharacteristicError) -> UInt64 {
        if Task.isCancelled { throw .cancelled }
        let (peripheral, subscription) = try subscription(for: characteristic, transport)
        let number = makeNumber()
        let listener = SubscriptionRecord.Listener(box: box, onDisconnect: onDisconnect)
        if suspendedRules.contains(.earlyListeners) {
            subscription.machine.hold(number)
        } else {
            add(listener, number, to: subscription)
        }
        do throws(CharacteristicError) {
            try await wait(until: true, characteristic.id, of: peripheral.identifier, timeout: timeout)
        } catch {
            unsubscribe(characteristic.id, of: peripheral.identifier, number)
            throw error
        }
        if subscription.machine.release(number) { add(listener, number, to: subscription) }
        return number
    }

    /// A listener joins; the first one gets the values that were held for it.
    private func add(_ listener: SubscriptionRecord.Listener, _ number: UInt64, to subscription: SubscriptionRecord) {
        subscription.listeners[number] = listener
        guard let dropped = subscription.held?.move(to: listener.box) else { return }
        subscription.held = nil
        subscription.characteristic.facts.withLock { $0.droppedCount += dropped }
    }

    /// A listener leaves.
    func unsubscribe(_ attribute: AttributeID, of peripheral: PeerIdentifier, _ number: UInt64) {
        guard let subscription = book.known(peripheral)?.subscriptions[attribute],
            let listener = subscription.listeners.removeValue(forKey: number)
        else { return }
        listener.box.finish()
        settle(subscription, of: peripheral)
    }

    func startNotifying(
        _ characteristic: Characteristic, transport: NotificationTransport, timeout: Duration?
    ) async throws(CharacteristicError) {
        if Task.isCancelled { throw .cancelled }
        let (peripheral, subscription) = try subscription(for: characteristic, transport)
        let hold = makeNumber()
        subscription.machine.hold(hold)
        do throws(CharacteristicError) {
            try await wait(until: true, characteristic.id, of: peripheral.identifier, timeout: timeout)
        } catch {
            _ = subscription.machine.release(hold)
            settle(subscription, of: peripheral.identifier)
            throw error
        }
    }

    func stopNotifying(_ characteristic: Characteristic, timeout: Duration?) async throws(CharacteristicError) {
        let (peripheral, subscription) = try subscription(for: characteristic, .standard)
        subscription.machine.releaseAll()
        subscription.controlPoint?.isKept = false
        discardHeld(of: subscription)
        settle(subscription, of: peripheral.identifier)
        if subscription.isWanted { return }
        try await wait(until: false, characteristic.id, of: peripheral.identifier, timeout: timeout)
    }

    /// The record of a characteristic that can notify on a link that stands.
    func subscription(
        for characteristic: Characteristic, _ transport: NotificationTransport
    ) throws(CharacteristicError) -> (Peripheral, SubscriptionRecord) {
        let record = try book.record(of: characteristic, self)
        if !characteristic.canNotify { throw .notifyNotSupported }
        let subscription = record.subscriptions[characteristic.id] ?? SubscriptionRecord(characteristic)
        if !subscription.isWanted { subscription.machine.choose(transport) }
        record.subscriptions[characteristic.id] = subscription
        return (record.peripheral, subscription)
    }

    // MARK: On and off

    /// Waits until notifications are on, or off, in the state that the backend has confirmed.
    private func wait(
        until wantsOn: Bool, _ attribute: AttributeID, of id: PeerIdentifier, timeout: Duration?
    ) async throws(CharacteristicError) {
        let number = makeNumber()
        let error: CharacteristicError? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: .cancelled) }
                guard let subscription = book.known(id)?.subscriptions[attribute] else {
                    return continuation.resume(returning: wantsOn ? .disconnected : nil)
                }
                let token = timeout.map { timeout in
                    after(timeout) { $0.resolve(number, of: attribute, of: id, .notifyTimeout) }
                }
                subscription.waiters[number] = .init(wantsOn: wantsOn, deadline: token) {
                    continuation.resume(returning: $0)
                }
                settle(subscription, of: id)
            }
        } onCancel: {
            later { $0.resolve(number, of: attribute, of: id, .cancelled) }
        }
        if let error { throw error }
    }

    private func resolve(
        _ number: UInt64, of attribute: AttributeID, of peripheral: PeerIdentifier, _ error: CharacteristicError
    ) {
        guard let subscription = book.known(peripheral)?.subscriptions[attribute] else { return }
        resolve(number, of: subscription, error)
    }

    private func resolve(_ number: UInt64, of subscription: SubscriptionRecord, _ error: CharacteristicError?) {
        guard let waiter = subscription.waiters.removeValue(forKey: number) else { return }
        if let deadline = waiter.deadline { cancelDeadline(deadline) }
        waiter.resume(error)
    }

    private func resolve(
        _ callers: SubscriptionMachine.Callers, of subscription: SubscriptionRecord, _ error: CharacteristicError?
    ) {
        let numbers = subscription.waiters.filter { callers.contains(thatWantsOn: $0.value.wantsOn) }.keys.sorted()
        for number in numbers { resolve(number, of: subscription, error) }
    }

    /// Moves one step from where notifications are to where they are wanted; each step's answer calls this again.
    func settle(_ subscription: SubscriptionRecord, of id: PeerIdentifier) {
        guard let record = book.known(id) else { return }
        wantedChanged()
        let attribute = subscription.characteristic.id
        // One that was forgotten may have a successor, which has nothing to do with the callers of this one.
        if record.subscriptions[attribute] === subscription {
            let actions = subscription.machine.settle(
                hasListeners: subscription.hasListeners, isDiscovered: record.characteristics[attribute] != nil,
                number: makeNumber())
            carryOut(actions, for: subscription, of: record, nil)
            advanceRequests(of: subscription)
        }
        reportIfSubscribed(record)
    }

    private func carryOut(
        _ actions: [SubscriptionMachine.Action], for subscription: SubscriptionRecord, of record: PeripheralRecord,
        _ error: CharacteristicError?
    ) {
        for action in actions {
            switch action {
            case .send(let request): send(request, of: subscription, record.peripheral.identifier)
            case .publish(let isNotifying):
                subscription.characteristic.facts.withLock { $0.isNotifying = isNotifying }
            case .answer(let callers, let isFailed): resolve(callers, of: subscription, isFailed ? error : nil)
            case .endListeners: endListeners(of: subscription, error) { _ in true }
            case .endListenersOfConnection: endListeners(of: subscription, error) { $0 == .end }
            case .discardHeld: discardHeld(of: subscription)
            case .forget: record.subscriptions[subscription.characteristic.id] = nil
            }
        }
    }

    private func send(
        _ request: SubscriptionMachine.Request, of subscription: SubscriptionRecord, _ id: PeerIdentifier
    ) {
        let attribute = subscription.characteristic.id
        let operation = CentralOperation.setNotifying(id, attribute, request.isOn, request.transport)
        begin(operation, in: .notifying(attribute)) { manager, outcome in
            manager.answered(request, for: attribute, of: id, outcome)
        }
    }

    private func answered(
        _ request: SubscriptionMachine.Request, for attribute: AttributeID, of id: PeerIdentifier,
        _ outcome: Outcome
    ) {
        guard let record = book.known(id), let subscription = record.subscriptions[attribute] else { return }
        var error: CharacteristicError?
        if case .reply = outcome {} else { error = CharacteristicError(outcome, timeout: .notifyTimeout) }
        guard let actions = subscription.machine.answered(request, isRefused: error != nil) else { return }
        carryOut(actions, for: subscription, of: record, error)
        settle(subscription, of: id)
    }

    // MARK: Values and ends

    func valueChanged(_ id: PeerIdentifier, _ attribute: AttributeID, _ value: Bytes) {
        guard let route = book.recent(id)?.route(of: attribute) else {
            unclaimedValueCount += 1
            return
        }
        if value.count > maximumAttributeLength { return valuesDropped(id, attribute, 1) }
        if !deliver(value, of: route.characteristic, to: route.subscription) { unclaimedValueCount += 1 }
    }

    /// Sets the value of a characteristic, and hands it to those who listen.
    ///
    /// - Returns: Whether it has a taker: a listener whose sequence has not ended, one to come for which it is held, or
    ///   an app that has switched notifications on to follow ``Characteristic/value``.
    @discardableResult
    func deliver(_ value: Bytes, of characteristic: Characteristic, to subscription: SubscriptionRecord?) -> Bool {
        characteristic.facts.withLock { $0.value = value }
        guard let subscription else { return false }
        var hasTaker = subscription.machine.holdCount > 0
        var dropped = 0
        for box in subscription.boxes {
            let addition = box.add(value)
            if !addition.isRefused { hasTaker = true }
            dropped += addition.droppedCount
            if addition.needsWake { wakeSoon(box) }
        }
        if subscription.held != nil {
            hasTaker = true
            dropped += subscription.held?.push(value) ?? 0
        }
        if let requests = subscription.controlPoint, received(value, for: requests, of: subscription) {
            hasTaker = true
        }
        if dropped > 0 {
            meter.dropped(.value, dropped)
            characteristic.facts.withLock { $0.droppedCount += dropped }
        }
        return hasTaker
    }

    /// Wakes a consumer when the executor has finished its current job: the consumer takes all values that have come
    /// until then in one go, instead of waking on another thread for the first value and sleeping again before the
    /// second.
    private func wakeSoon(_ box: SubscriptionRecord.Box) {
        wakeful.append(box)
        if wakeful.count == 1 { executor.submit(wake) }
    }

    func wakeConsumers() {
        let boxes = wakeful
        wakeful.removeAll(keepingCapacity: true)
        for box in boxes { box.wake() }
    }

    func valuesDropped(_ id: PeerIdentifier, _ attribute: AttributeID, _ count: Int) {
        guard countDropped(count, of: attribute, of: id) else { return }
        for listener in book.known(id)?.subscriptions[attribute]?.listeners.values ?? [] {
            listener.box.countDropped(count)
        }
        book.known(id)?.subscriptions[attribute]?.held?.countDropped(count)
    }

    /// Counts values that are lost, on their characteristic, or where that is not known any more, as unclaimed.
    ///
    /// - Returns: Whether the characteristic is known.
    @discardableResult
    func countDropped(_ count: Int, of attribute: AttributeID, of id: PeerIdentifier) -> Bool {
        guard let characteristic = book.known(id)?.characteristics[attribute] else {
            unclaimedValueCount += count
            return false
        }
        meter.dropped(.value, count)
        characteristic.facts.withLock { $0.droppedCount += count }
        return true
    }

    func notifyingStopped(_ id: PeerIdentifier, _ attribute: AttributeID, _ failure: OperationFailure) {
        guard let record = book.known(id), let subscription = record.subscriptions[attribute],
            let actions = subscription.machine.stopped()
        else { return }
        carryOut(actions, for: subscription, of: record, CharacteristicError(failure))
        settle(subscription, of: id)
    }

    private func endListeners(
        of subscription: SubscriptionRecord, _ error: CharacteristicError?,
        where isMeant: (DisconnectPolicy) -> Bool
    ) {
        let ended = subscription.listeners.filter { isMeant($0.value.onDisconnect) }
        for (number, _) in ended { subscription.listeners[number] = nil }
        for (_, listener) in ended { listener.box.finish(error) }
        endRequests(of: subscription, error, where: isMeant)
    }

    /// Takes a subscription out, whatever is under way for it: the peer has the characteristic no more.
    func endSubscription(to attribute: AttributeID, of record: PeripheralRecord, _ error: CharacteristicError) {
        guard let subscription = record.subscriptions.removeValue(forKey: attribute) else { return }
        carryOut(subscription.machine.takenAway(), for: subscription, of: record, error)
        wantedChanged()
        reportIfSubscribed(record)
    }

    /// The connection ended: listeners that do not wait for the next one end with the reason.
    func suspendSubscriptions(of record: PeripheralRecord, _ reason: OperationFailure) {
        for (attribute, subscription) in record.subscriptions {
            carryOut(subscription.machine.disconnected(), for: subscription, of: record, CharacteristicError(reason))
            if !subscription.isWanted { record.subscriptions[attribute] = nil }
        }
    }

    /// No connection will come any more for those who wait for the next one.
    func endSubscriptions(of record: PeripheralRecord, _ error: CharacteristicError) {
        for subscription in record.subscriptions.values {
            carryOut(subscription.machine.givenUp(), for: subscription, of: record, error)
            settle(subscription, of: record.peripheral.identifier)
        }
        if record.link == .connected { return }
        // A request that is under way has no answer any more.
        for subscription in record.subscriptions.values {
            carryOut(subscription.machine.disconnected(), for: subscription, of: record, error)
        }
        record.subscriptions = [:]
    }
}
