import BlueCapSerDe

/// Subscriptions: counted per characteristic, switched on with the first listener and off with the last.
extension CentralManager {
    /// Registers a listener and has notifications on before it returns.
    func subscribe(
        _ characteristic: Characteristic, box: SubscriptionRecord.Box, onDisconnect: DisconnectPolicy,
        transport: NotificationTransport, timeout: Duration?
    ) async throws(CharacteristicError) -> UInt64 {
        let (peripheral, subscription) = try subscription(for: characteristic)
        if Task.isCancelled { throw .cancelled }
        let number = makeNumber()
        subscription.listeners[number] = .init(box: box, onDisconnect: onDisconnect)
        let outcome = await wait(until: true, characteristic, peripheral, transport: transport, timeout: timeout)
        if case .reply = outcome { return number }
        unsubscribe(characteristic.id, of: peripheral.identifier, number)
        throw CharacteristicError(outcome, timeout: .notifyTimeout)
    }

    /// A listener leaves.
    func unsubscribe(_ attribute: AttributeID, of peripheral: PeripheralIdentifier, _ number: UInt64) {
        guard let subscription = records[peripheral]?.subscriptions[attribute],
            let listener = subscription.listeners.removeValue(forKey: number)
        else { return }
        listener.box.finish()
        settle(subscription, of: peripheral)
    }

    func startNotifying(
        _ characteristic: Characteristic, transport: NotificationTransport, timeout: Duration?
    ) async throws(CharacteristicError) {
        let (peripheral, subscription) = try subscription(for: characteristic)
        subscription.isHeld = true
        let outcome = await wait(until: true, characteristic, peripheral, transport: transport, timeout: timeout)
        if case .reply = outcome { return }
        subscription.isHeld = false
        settle(subscription, of: peripheral.identifier)
        throw CharacteristicError(outcome, timeout: .notifyTimeout)
    }

    func stopNotifying(_ characteristic: Characteristic, timeout: Duration?) async throws(CharacteristicError) {
        let (peripheral, subscription) = try subscription(for: characteristic)
        subscription.isHeld = false
        settle(subscription, of: peripheral.identifier)
        if subscription.isWanted { return }
        let outcome = await wait(until: false, characteristic, peripheral, transport: .standard, timeout: timeout)
        if case .reply = outcome { return }
        throw CharacteristicError(outcome, timeout: .notifyTimeout)
    }

    /// The record of a characteristic that can notify on a link that stands.
    private func subscription(
        for characteristic: Characteristic
    ) throws(CharacteristicError) -> (Peripheral, SubscriptionRecord) {
        let record = try record(of: characteristic)
        if !characteristic.canNotify { throw .notifyNotSupported }
        let subscription = record.subscriptions[characteristic.id] ?? SubscriptionRecord(characteristic)
        record.subscriptions[characteristic.id] = subscription
        return (record.peripheral, subscription)
    }

    // MARK: On and off

    /// Waits until notifications are on, or off, in the state that the backend has confirmed.
    private func wait(
        until wantsOn: Bool, _ characteristic: Characteristic, _ peripheral: Peripheral,
        transport: NotificationTransport, timeout: Duration?
    ) async -> Outcome {
        let id = peripheral.identifier
        let attribute = characteristic.id
        guard let subscription = records[id]?.subscriptions[attribute] else { return .reply(.done) }
        if subscription.phase == (wantsOn ? .on : .off) { return .reply(.done) }
        if subscription.phase == .off { subscription.transport = transport }
        let number = makeNumber()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let token = timeout.map { timeout in
                    after(timeout) { $0.resolve(number, of: attribute, of: id, .timedOut) }
                }
                subscription.waiters[number] = .init(wantsOn: wantsOn, deadline: token) {
                    continuation.resume(returning: $0)
                }
                settle(subscription, of: id)
            }
        } onCancel: {
            onExecutor { $0.resolve(number, of: attribute, of: id, .cancelled) }
        }
    }

    private func resolve(
        _ number: UInt64, of attribute: AttributeID, of peripheral: PeripheralIdentifier, _ outcome: Outcome
    ) {
        guard let subscription = records[peripheral]?.subscriptions[attribute] else { return }
        resolve(number, of: subscription, outcome)
    }

    private func resolve(_ number: UInt64, of subscription: SubscriptionRecord, _ outcome: Outcome) {
        guard let waiter = subscription.waiters.removeValue(forKey: number) else { return }
        if let deadline = waiter.deadline { cancelDeadline(deadline) }
        waiter.resume(outcome)
    }

    private func resolveAll(of subscription: SubscriptionRecord, _ outcome: Outcome, where isMeant: (Bool) -> Bool) {
        let numbers = subscription.waiters.filter { isMeant($0.value.wantsOn) }.keys.sorted()
        for number in numbers { resolve(number, of: subscription, outcome) }
    }

    /// Moves one step from where notifications are to where they are wanted; each step's reply calls this again.
    private func settle(_ subscription: SubscriptionRecord, of id: PeripheralIdentifier) {
        guard let record = records[id] else { return }
        let wantsOn = subscription.isWanted
        switch (subscription.phase, wantsOn) {
        case (.off, true) where record.characteristics[subscription.characteristic.id] != nil:
            subscription.phase = .enabling
            setNotifying(subscription, true, of: id)
        case (.on, false):
            subscription.phase = .disabling
            setNotifying(subscription, false, of: id)
        case (.off, false):
            resolveAll(of: subscription, .reply(.done)) { !$0 }
            if subscription.isIdle { record.subscriptions[subscription.characteristic.id] = nil }
        case (.on, true):
            resolveAll(of: subscription, .reply(.done)) { $0 }
        case (.enabling, _), (.disabling, _), (.off, true): break
        }
    }

    private func setNotifying(_ subscription: SubscriptionRecord, _ isOn: Bool, of id: PeripheralIdentifier) {
        let attribute = subscription.characteristic.id
        let operation = BackendOperation.setNotifying(id, attribute, isOn, subscription.transport)
        begin(operation, in: .notifying(attribute)) { manager, outcome in
            manager.notifyingSet(attribute, isOn, of: id, outcome)
        }
    }

    private func notifyingSet(
        _ attribute: AttributeID, _ isOn: Bool, of id: PeripheralIdentifier, _ outcome: Outcome
    ) {
        // The end of the link, or of the characteristic, has settled everything already.
        guard let record = records[id], record.link == .connected, let subscription = record.subscriptions[attribute]
        else { return }
        if case .reply = outcome {
            subscription.phase = isOn ? .on : .off
            subscription.characteristic.facts.withLock { $0.isNotifying = isOn }
        } else {
            // A refusal to switch off leaves the radio as it was for all we know; nobody listens, so it is taken for off.
            subscription.phase = .off
            subscription.characteristic.facts.withLock { $0.isNotifying = false }
            resolveAll(of: subscription, outcome) { $0 == isOn }
            if isOn { endListeners(of: subscription, CharacteristicError(outcome, timeout: .notifyTimeout)) }
        }
        settle(subscription, of: id)
    }

    // MARK: Values and ends

    func valueChanged(_ id: PeripheralIdentifier, _ attribute: AttributeID, _ value: Bytes) {
        guard let record = records[id], let characteristic = record.characteristics[attribute] else {
            unclaimedValueCount += 1
            return
        }
        characteristic.facts.withLock { $0.value = value }
        guard let subscription = record.subscriptions[attribute] else { return }
        let dropped = subscription.listeners.reduce(0) { $0 + $1.value.box.push(value) }
        if dropped > 0 { characteristic.facts.withLock { $0.droppedCount += dropped } }
    }

    func valuesDropped(_ id: PeripheralIdentifier, _ attribute: AttributeID, _ count: Int) {
        guard let record = records[id], let characteristic = record.characteristics[attribute] else {
            unclaimedValueCount += count
            return
        }
        characteristic.facts.withLock { $0.droppedCount += count }
        for listener in record.subscriptions[attribute]?.listeners.values ?? [] {
            listener.box.countDropped(count)
        }
    }

    func notifyingStopped(_ id: PeripheralIdentifier, _ attribute: AttributeID, _ failure: OperationFailure) {
        guard let subscription = records[id]?.subscriptions[attribute], subscription.phase == .on else { return }
        subscription.phase = .off
        subscription.isHeld = false
        subscription.characteristic.facts.withLock { $0.isNotifying = false }
        endListeners(of: subscription, CharacteristicError(failure))
        settle(subscription, of: id)
    }

    func endListeners(of subscription: SubscriptionRecord, _ error: CharacteristicError) {
        let listeners = subscription.listeners.values
        subscription.listeners = [:]
        for listener in listeners { listener.box.finish(error) }
    }

    /// The connection ended: listeners that do not wait for the next one end with the reason.
    func suspendSubscriptions(of record: PeripheralRecord, _ reason: OperationFailure) {
        for (attribute, subscription) in record.subscriptions {
            subscription.phase = .off
            subscription.isHeld = false
            subscription.characteristic.facts.withLock { $0.isNotifying = false }
            for (number, listener) in subscription.listeners where listener.onDisconnect == .end {
                subscription.listeners[number] = nil
                listener.box.finish(CharacteristicError(reason))
            }
            resolveAll(of: subscription, .failed(reason)) { _ in true }
            if subscription.listeners.isEmpty { record.subscriptions[attribute] = nil }
        }
    }

    /// No connection will come any more for those who wait for the next one.
    func endSubscriptions(of record: PeripheralRecord, _ error: CharacteristicError) {
        for subscription in record.subscriptions.values {
            endListeners(of: subscription, error)
            subscription.isHeld = false
            settle(subscription, of: record.peripheral.identifier)
        }
        if record.link != .connected { record.subscriptions = [:] }
    }

    // MARK: After a reconnection

    /// Discovers again what listeners wait for, and switches its notifications on.
    func restoreSubscriptions(of record: PeripheralRecord) {
        if record.subscriptions.isEmpty { return }
        let id = record.peripheral.identifier
        let wanted = Set(record.subscriptions.values.map(\.characteristic.serviceUUID))
        begin(.discoverServices(id, Array(wanted)), in: .discovery) { manager, outcome in
            guard let record = manager.records[id] else { return }
            guard case .reply(.services(let found)) = outcome else {
                return manager.endSubscriptions(of: record, CharacteristicError(outcome, timeout: .notifyTimeout))
            }
            for service in manager.merge(services: found, into: record, replacing: false) {
                manager.restoreSubscriptions(of: record, in: service)
            }
        }
    }

    private func restoreSubscriptions(of record: PeripheralRecord, in service: Service) {
        let id = record.peripheral.identifier
        begin(.discoverCharacteristics(id, service: service.id, nil), in: .discovery) { manager, outcome in
            guard let record = manager.records[id] else { return }
            let waiting = record.subscriptions.values.filter { $0.characteristic.serviceID == service.id }
            guard case .reply(.characteristics(let found)) = outcome else {
                let error = CharacteristicError(outcome, timeout: .notifyTimeout)
                for subscription in waiting { manager.endListeners(of: subscription, error) }
                return
            }
            _ = manager.merge(characteristics: found, into: service, of: record, replacing: true)
            for subscription in waiting {
                if record.characteristics[subscription.characteristic.id] == nil {
                    manager.endListeners(of: subscription, .notDiscovered(subscription.characteristic.uuid))
                }
                manager.settle(subscription, of: id)
            }
        }
    }
}
