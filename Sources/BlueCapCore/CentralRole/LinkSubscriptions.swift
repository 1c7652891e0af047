// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The subscriptions to the characteristics of one peripheral: switched on with the first listener and off with the
/// last. Those that wait for the next connection stay from one to the next.
///
/// Touched on the manager only.
final class LinkSubscriptions {
    private unowned let record: PeripheralRecord
    private var table: OrderedTable<AttributeID, SubscriptionRecord> = [:] { didSet { latestRoute = nil } }
    private var latestRoute: ValueRoute?

    init(of record: PeripheralRecord) { self.record = record }

    var isEmpty: Bool { table.isEmpty }

    /// All of them, in the order of their making.
    var all: [SubscriptionRecord] { table.values }

    subscript(attribute: AttributeID) -> SubscriptionRecord? { table[attribute] }

    /// Whether every one that is wanted is on.
    var areOn: Bool { !table.values.contains { $0.isWanted && $0.machine.phase != .on } }

    /// The subscription to a characteristic, made for its first user.
    func opened(_ characteristic: Characteristic) -> SubscriptionRecord {
        if let subscription = table[characteristic.id] { return subscription }
        let made = SubscriptionRecord(characteristic)
        table[characteristic.id] = made
        return made
    }

    /// Adds the subscription of an earlier program.
    func add(restored characteristic: Characteristic, over transport: NotificationTransport) {
        table[characteristic.id] = SubscriptionRecord(restored: characteristic, over: transport)
    }

    // MARK: Values

    /// Where the values of an attribute go; nil for one that is not known. That of the last one is kept: values come
    /// many in a row from one characteristic.
    func route(of attribute: AttributeID) -> ValueRoute? {
        if let route = latestRoute, route.attribute == attribute { return route }
        guard let characteristic = record.database.characteristics[attribute] else { return nil }
        let found = ValueRoute(
            attribute: attribute, characteristic: characteristic, subscription: table[attribute])
        latestRoute = found
        return found
    }

    /// The database has changed.
    func forgetRoute() { latestRoute = nil }

    // MARK: On and off

    /// A listener leaves.
    func remove(_ number: UInt64, of attribute: AttributeID, _ owner: isolated some CentralOwner) {
        guard let subscription = table[attribute], subscription.remove(number) else { return }
        reconcile(subscription, owner)
    }

    /// Moves one step from where notifications are to where they are wanted; each step's answer calls this again.
    func reconcile(_ subscription: SubscriptionRecord, _ owner: isolated some CentralOwner) {
        owner.restorationChanged()
        let attribute = subscription.characteristic.id
        // One that was forgotten may have a successor, which has nothing to do with the callers of this one.
        if table[attribute] === subscription {
            let actions = subscription.machine.reconcile(
                hasListeners: subscription.hasListeners,
                isDiscovered: record.database.characteristics[attribute] != nil, number: owner.makeNumber())
            carryOut(actions, for: subscription, nil, owner)
            if subscription.machine.phase == .on { subscription.controlPoint?.advance(owner) }
        }
        record.connection.reportIfSubscribed(owner)
    }

    private func carryOut(
        _ actions: [SubscriptionMachine.Action], for subscription: SubscriptionRecord, _ error: CharacteristicError?,
        _ owner: isolated some CentralOwner
    ) {
        for action in actions {
            switch action {
            case .send(let request): send(request, of: subscription, owner)
            case .publish(let isNotifying):
                subscription.characteristic.facts.withLock { $0.isNotifying = isNotifying }
            case .answer(let callers, let isFailed): subscription.resolve(callers, isFailed ? error : nil, owner)
            case .endListeners: subscription.endListeners(error, owner) { _ in true }
            case .endListenersOfConnection: subscription.endListeners(error, owner) { $0 == .end }
            case .discardHeld: subscription.discardHeld(owner)
            case .forget:
                // As long as the link stands, a late response may come to a request to this control point.
                if subscription.controlPoint?.hasLate != true { table[subscription.characteristic.id] = nil }
            }
        }
    }

    private func send(
        _ request: SubscriptionMachine.Request, of subscription: SubscriptionRecord, _ owner: isolated some CentralOwner
    ) {
        let attribute = subscription.characteristic.id
        let operation = CentralOperation.setNotifying(
            record.peripheral.identifier, attribute, request.isOn, request.transport)
        owner.begin(operation, over: .notifying(attribute)) { manager, record, outcome in
            record.subscriptions.answered(request, for: attribute, outcome, manager)
        }
    }

    private func answered(
        _ request: SubscriptionMachine.Request, for attribute: AttributeID, _ outcome: Outcome,
        _ owner: isolated some CentralOwner
    ) {
        guard let subscription = table[attribute] else { return }
        var error: CharacteristicError?
        if case .reply = outcome {} else { error = CharacteristicError(outcome, timeout: .notifyTimeout) }
        guard let actions = subscription.machine.answered(request, isRefused: error != nil) else { return }
        carryOut(actions, for: subscription, error, owner)
        reconcile(subscription, owner)
    }

    // MARK: Ends

    /// The platform has switched notifications off.
    func stopped(_ attribute: AttributeID, _ failure: OperationFailure, _ owner: isolated some CentralOwner) {
        guard let subscription = table[attribute], let actions = subscription.machine.stopped() else { return }
        carryOut(actions, for: subscription, CharacteristicError(failure), owner)
        reconcile(subscription, owner)
    }

    /// Takes a subscription out, whatever is under way for it: the peer has the characteristic no more.
    func end(_ attribute: AttributeID, _ error: CharacteristicError, _ owner: isolated some CentralOwner) {
        guard let subscription = table.removeValue(forKey: attribute) else { return }
        carryOut(subscription.machine.takenAway(), for: subscription, error, owner)
        owner.restorationChanged()
        record.connection.reportIfSubscribed(owner)
    }

    /// The connection ended: listeners that do not wait for the next one end with the reason.
    func suspend(_ reason: OperationFailure, _ owner: isolated some CentralOwner) {
        for (attribute, subscription) in table {
            carryOut(subscription.machine.disconnected(), for: subscription, CharacteristicError(reason), owner)
            subscription.controlPoint?.forgetLate()
            if !subscription.isWanted { table[attribute] = nil }
        }
    }

    /// No connection will come any more for those who wait for the next one.
    func endAll(_ error: CharacteristicError, _ owner: isolated some CentralOwner) {
        for subscription in table.values {
            carryOut(subscription.machine.givenUp(), for: subscription, error, owner)
            reconcile(subscription, owner)
        }
        if record.link == .connected { return }
        // A request that is under way has no answer any more.
        for subscription in table.values {
            carryOut(subscription.machine.disconnected(), for: subscription, error, owner)
        }
        table = [:]
    }

    /// No link is about to be made any more: requests to control points that wait for one end, as those do that come
    /// from now on.
    func endRequestsWithoutLink(_ owner: isolated some CentralOwner) {
        for subscription in table.values {
            guard let requests = subscription.controlPoint else { continue }
            requests.end(.disconnected, owner) { _ in true }
            reconcile(subscription, owner)
        }
    }
}
