// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Subscribers, and the values that are sent to them.
extension PeripheralManager {
    func subscribed(_ attribute: AttributeID, _ central: Central) {
        guard let characteristic = characteristic(at: attribute) else { return }
        let isNew = characteristic.facts.withLock { facts in
            if let index = facts.subscribers.firstIndex(where: { $0.identifier == central.identifier }) {
                facts.subscribers[index] = central
                return false
            }
            facts.subscribers.append(central)
            facts.queue.subscriberJoined()
            return true
        }
        if isNew { tell(.subscribed, characteristic, central) }
        flush(attribute)
    }

    func subscriberChanged(_ attribute: AttributeID, _ central: Central) {
        guard let characteristic = characteristic(at: attribute) else { return }
        characteristic.facts.withLock { facts in
            guard let index = facts.subscribers.firstIndex(where: { $0.identifier == central.identifier }) else {
                return
            }
            facts.subscribers[index] = central
        }
    }

    func unsubscribed(_ attribute: AttributeID, _ central: Central) {
        guard let characteristic = characteristic(at: attribute) else { return }
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
            tell(.unsubscribed, characteristic, known)
            characteristic.gate?.left(known.identifier)
            dropHeldResponses(of: characteristic)
        }
        flush(attribute)
        releaseResponses()
    }

    /// Takes all subscriptions to a characteristic for ended.
    func endSubscriptions(to characteristic: MutableCharacteristic) {
        let all = characteristic.facts.withLock { facts in
            defer {
                facts.subscribers = []
                facts.queue.dropResponses(to: nil)
                facts.waitForSubscribersIfNone()
            }
            return facts.subscribers
        }
        meterDrops(of: characteristic)
        for central in all { tell(.unsubscribed, characteristic, central) }
        characteristic.gate?.left(nil)
        dropHeldResponses(of: characteristic)
        releaseResponses()
    }

    private func tell(_ kind: SubscriptionEvent.Kind, _ characteristic: MutableCharacteristic, _ central: Central) {
        let event = SubscriptionEvent(kind: kind, characteristic: characteristic, central: central)
        meter.change(.subscribers, by: kind == .subscribed ? 1 : -1)
        characteristic.subscriptionCaster.push(event)
        subscriptionCaster.push(event)
    }

    // MARK: Values

    /// Hands the next update of a characteristic to the backend, if there is one and the backend has none.
    func flush(_ attribute: AttributeID) {
        guard let characteristic = characteristic(at: attribute) else { return }
        let canSend = refusalByRadio == nil
        let update: UpdateQueue.Update? = characteristic.facts.withLock { facts in
            if !canSend || facts.subscribers.isEmpty {
                facts.queue.takerLeft()
                return nil
            }
            let centrals = facts.subscribers
            return facts.queue.take { update in
                update.central == nil || centrals.contains { $0.identifier == update.central }
            }
        }
        meterDrops(of: characteristic)
        guard let update else { return }
        let operation = PeripheralOperation.update(attribute, update.value, central: update.central)
        begin(operation, in: .value(attribute)) { $0.updated(attribute, $1) }
    }

    private func updated(_ attribute: AttributeID, _ outcome: Outcome) {
        guard let characteristic = characteristic(at: attribute) else { return }
        let isOver = refusalByRadio != nil
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
        meterDrops(of: characteristic)
        if case .failed(let failure) = outcome, goesOn {
            let error = PeripheralManagerError(failure)
            logger.debug(
                "an update was not sent", ["characteristic": "\(characteristic.uuid)", "failure": "\(error)"])
        }
        if goesOn { flush(attribute) }
        releaseResponses()
    }
}

extension MutableCharacteristic.Facts {
    /// With the last subscriber gone, the policy says what is kept for the next one.
    fileprivate mutating func waitForSubscribersIfNone() {
        if subscribers.isEmpty { queue.trim(to: updatePolicy.limit) }
    }
}
