// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The values that a manager sends to subscribers, and the beginnings and ends of subscriptions.
///
/// Each characteristic has its queue and its subscribers with itself, where the app reads them on any thread. Touched
/// on the manager only.
final class Updates {
    private let database: LocalDatabase
    /// The manager's streams of the subscriptions to any characteristic.
    private let subscriptions: Multicaster<SubscriptionEvent>
    /// The responses that wait for the values before them, at most one of each control point.
    private var heldResponses: [HeldResponse] = []

    init(_ database: LocalDatabase, subscriptions: Multicaster<SubscriptionEvent>) {
        self.database = database
        self.subscriptions = subscriptions
    }

    // MARK: Subscribers

    func subscribed(_ attribute: AttributeID, _ central: Central, _ owner: isolated some PeripheralOwner) {
        guard !owner.links.isRefused(central), let characteristic = database.characteristic(at: attribute) else {
            return
        }
        let central = owner.links.seen(central, owner)
        let isNew = characteristic.facts.withLock { facts in
            if facts.replaceSubscriber(central) { return false }
            facts.subscribers.append(central)
            facts.queue.subscriberJoined()
            return true
        }
        if isNew { emit(.subscribed, characteristic, central, owner) }
        flush(attribute, owner)
    }

    func subscriberChanged(_ attribute: AttributeID, _ central: Central, _ owner: isolated some PeripheralOwner) {
        let central = owner.links.seen(central, owner)
        _ = database.characteristic(at: attribute)?.facts.withLock { $0.replaceSubscriber(central) }
    }

    /// The facts about a central changed, its identifier perhaps among them, for all characteristics.
    func centralChanged(_ former: PeerIdentifier, to central: Central) {
        for characteristic in database.characteristics {
            _ = characteristic.facts.withLock { $0.replaceSubscriber(former, by: central) }
        }
    }

    func unsubscribed(_ attribute: AttributeID, _ central: Central, _ owner: isolated some PeripheralOwner) {
        guard let characteristic = database.characteristic(at: attribute) else { return }
        let known: Central? = characteristic.facts.withLock { facts in
            guard let index = facts.subscribers.firstIndex(where: { $0.identifier == central.identifier }) else {
                return nil
            }
            defer { facts.waitForSubscribersIfNone() }
            let central = facts.subscribers.remove(at: index)
            facts.queue.dropResponses(to: facts.subscribers.isEmpty ? nil : central.identifier)
            return central
        }
        if let known {
            emit(.unsubscribed, characteristic, known, owner)
            characteristic.gate?.left(known.identifier)
            dropHeldResponses(of: characteristic)
        }
        flush(attribute, owner)
        releaseResponses()
    }

    /// Takes all subscriptions to a characteristic for ended.
    func endSubscriptions(to characteristic: MutableCharacteristic, _ owner: isolated some PeripheralOwner) {
        let all = characteristic.facts.withLock { facts in
            defer {
                facts.subscribers = []
                facts.queue.dropResponses(to: nil)
                facts.waitForSubscribersIfNone()
            }
            return facts.subscribers
        }
        characteristic.meterDrops(owner.meter)
        for central in all { emit(.unsubscribed, characteristic, central, owner) }
        characteristic.gate?.left(nil)
        dropHeldResponses(of: characteristic)
        releaseResponses()
    }

    private func emit(
        _ kind: SubscriptionEvent.Kind, _ characteristic: MutableCharacteristic, _ central: Central,
        _ owner: isolated some PeripheralOwner
    ) {
        let event = SubscriptionEvent(kind: kind, characteristic: characteristic, central: central)
        owner.meter.change(.subscribers, by: kind == .subscribed ? 1 : -1)
        switch kind {
        case .subscribed: owner.links.subscribed(central, owner)
        case .unsubscribed: owner.links.unsubscribed(central, owner)
        }
        characteristic.subscriptionCaster.push(event)
        subscriptions.push(event)
    }

    // MARK: Values

    /// Hands the next update of a characteristic to the backend, if there is one and the backend has none.
    func flush(_ attribute: AttributeID, _ owner: isolated some PeripheralOwner) {
        guard let characteristic = database.characteristic(at: attribute) else { return }
        let canSend = owner.refusalByRadio == nil
        let (update, isCut): (UpdateQueue.Update?, Bool) = characteristic.facts.withLock { facts in
            if !canSend || facts.subscribers.isEmpty {
                facts.queue.takerLeft()
                return (nil, false)
            }
            let centrals = facts.subscribers
            let update = facts.queue.take { update in
                update.central == nil || centrals.contains { $0.identifier == update.central }
            }
            let isCut = update?.isCut(for: centrals) == true
            if isCut { facts.cutUpdateCount += 1 }
            return (update, isCut)
        }
        characteristic.meterDrops(owner.meter)
        guard let update else { return }
        if isCut {
            owner.logger.warning(
                "an update is longer than a packet to a subscriber, which receives its first bytes",
                ["characteristic": "\(characteristic.uuid)"])
        }
        let operation = PeripheralOperation.update(attribute, update.value, central: update.central)
        owner.begin(operation, in: .value(attribute)) { $0.updates.updated(attribute, $1, $0) }
    }

    private func updated(_ attribute: AttributeID, _ outcome: Outcome, _ owner: isolated some PeripheralOwner) {
        guard let characteristic = database.characteristic(at: attribute) else { return }
        let isOver = owner.refusalByRadio != nil
        let goesOn = characteristic.facts.withLock { facts in
            let reachedNobody = if case .failed(.disconnected) = outcome { true } else { isOver }
            if case .reply = outcome {
                facts.queue.sent()
            } else if reachedNobody, let update = facts.queue.inFlight, update.central == nil, !update.isResponse {
                // It waits for the next subscriber, which may be there since it went out; those that it went to may
                // have gone without being reported, so without a new one nothing is tried again.
                let limit = facts.subscribers.isEmpty ? facts.updatePolicy.limit : nil
                return facts.queue.putBack(limit: limit) && !facts.subscribers.isEmpty
            } else {
                facts.queue.lost()
            }
            return true
        }
        characteristic.meterDrops(owner.meter)
        if case .failed(let failure) = outcome, goesOn {
            let error = PeripheralManagerError(failure)
            owner.logger.debug(
                "an update was not sent", ["characteristic": "\(characteristic.uuid)", "failure": "\(error)"])
        }
        if goesOn { flush(attribute, owner) }
        releaseResponses()
    }

    // MARK: Responses of control points

    /// Sends a response in its turn. One that waits before it answers a procedure that was aborted.
    func respond(_ response: HeldResponse) {
        guard response.isWanted else { return }
        for other in heldResponses where other.characteristic === response.characteristic { other.drop() }
        heldResponses.removeAll { $0.characteristic === response.characteristic }
        response.characteristic.facts.withLock { $0.queue.dropResponses(to: nil) }
        heldResponses.append(response)
        releaseResponses()
    }

    /// Drops the responses of a characteristic without subscribers.
    private func dropHeldResponses(of characteristic: MutableCharacteristic) {
        if heldResponses.isEmpty || !characteristic.subscribers.isEmpty { return }
        for response in heldResponses where response.characteristic === characteristic { response.drop() }
        heldResponses.removeAll { $0.characteristic === characteristic }
    }

    /// Sends the responses that no longer have to wait for updates. The method is called whenever an update has left
    /// its queue.
    private func releaseResponses() {
        if heldResponses.isEmpty { return }
        var waiting: [HeldResponse] = []
        for response in heldResponses {
            if response.isDue { response.send() } else { waiting.append(response) }
        }
        heldResponses = waiting
    }
}

extension MutableCharacteristic.Facts {
    /// Takes new facts about a subscriber; returns false if the central is not subscribed.
    fileprivate mutating func replaceSubscriber(_ central: Central) -> Bool {
        replaceSubscriber(central.identifier, by: central)
    }

    /// The same of a subscriber that had another identifier.
    fileprivate mutating func replaceSubscriber(_ former: PeerIdentifier?, by central: Central) -> Bool {
        guard let index = subscribers.firstIndex(where: { $0.identifier == former }) else { return false }
        subscribers[index] = central
        if let former, let present = central.identifier, former != present { queue.rename(former, to: present) }
        return true
    }

    /// With the last subscriber gone, the policy says what is kept for the next one.
    fileprivate mutating func waitForSubscribersIfNone() {
        if subscribers.isEmpty { queue.trim(to: updatePolicy.limit) }
    }
}
