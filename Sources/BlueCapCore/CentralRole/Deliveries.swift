// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Hands notified values to those who listen, and counts the values that have no taker.
///
/// Touched on the manager only.
final class Deliveries {
    /// The streams of values that got some, and whose consumers are to be woken.
    private var wakeful: [SubscriptionRecord.Box] = []
    /// Wakes them; made once, as it may be needed for each value.
    private var wake: (@Sendable () -> Void)?

    /// Counts values that came for an attribute that was not discovered, or that had no listener.
    private func unclaimed(_ count: Int, _ owner: isolated CentralManager) { owner.countUnclaimed(count) }

    func valueChanged(_ id: PeerIdentifier, _ attribute: AttributeID, _ value: Bytes, _ owner: isolated CentralManager)
    {
        guard let route = owner.book.recent(id)?.route(of: attribute) else {
            unclaimed(1, owner)
            return
        }
        if value.count > maximumAttributeLength { return valuesDropped(id, attribute, 1, owner) }
        if !deliver(value, of: route.characteristic, to: route.subscription, owner) { unclaimed(1, owner) }
    }

    /// Sets the value of a characteristic, and hands it to those who listen.
    ///
    /// - Returns: Whether it has a taker: a listener whose sequence has not ended, one to come for which it is held, or
    ///   an app that has switched notifications on to follow ``Characteristic/value``.
    @discardableResult
    func deliver(
        _ value: Bytes, of characteristic: Characteristic, to subscription: SubscriptionRecord?,
        _ owner: isolated CentralManager
    ) -> Bool {
        characteristic.facts.withLock { $0.value = value }
        guard let subscription else { return false }
        var hasTaker = subscription.machine.holdCount > 0
        var dropped = 0
        for box in subscription.boxes {
            let addition = box.add(value)
            if !addition.isRefused { hasTaker = true }
            dropped += addition.droppedCount
            if addition.needsWake { wakeSoon(box, owner) }
        }
        if subscription.held != nil {
            hasTaker = true
            dropped += subscription.held?.push(value) ?? 0
        }
        if let requests = subscription.controlPoint,
            owner.connections.controlPoints.received(value, for: requests, of: subscription, owner)
        {
            hasTaker = true
        }
        if dropped > 0 {
            owner.meter.dropped(.value, dropped)
            characteristic.facts.withLock { $0.droppedCount += dropped }
        }
        return hasTaker
    }

    /// Wakes a consumer when the executor has finished its current job: the consumer takes all values that have come
    /// until then in one go, instead of waking on another thread for the first value and sleeping again before the
    /// second.
    private func wakeSoon(_ box: SubscriptionRecord.Box, _ owner: isolated CentralManager) {
        wakeful.append(box)
        if wakeful.count > 1 { return }
        if let wake { return owner.executor.submit(wake) }
        let made = owner.callback { $0.deliveries.wakeConsumers() }
        wake = made
        owner.executor.submit(made)
    }

    private func wakeConsumers() {
        let boxes = wakeful
        wakeful.removeAll(keepingCapacity: true)
        for box in boxes { box.wake() }
    }

    func valuesDropped(_ id: PeerIdentifier, _ attribute: AttributeID, _ count: Int, _ owner: isolated CentralManager) {
        guard countDropped(count, of: attribute, of: id, owner) else { return }
        for listener in owner.book.known(id)?.subscriptions[attribute]?.listeners.values ?? [] {
            listener.box.countDropped(count)
        }
        owner.book.known(id)?.subscriptions[attribute]?.held?.countDropped(count)
    }

    /// Counts values that are lost, on their characteristic, or where that is not known any more, as unclaimed.
    ///
    /// - Returns: Whether the characteristic is known.
    @discardableResult
    func countDropped(_ count: Int, of attribute: AttributeID, of id: PeerIdentifier, _ owner: isolated CentralManager)
        -> Bool
    {
        guard let characteristic = owner.book.known(id)?.characteristics[attribute] else {
            unclaimed(count, owner)
            return false
        }
        owner.meter.dropped(.value, count)
        characteristic.facts.withLock { $0.droppedCount += count }
        return true
    }

    /// Discards the values that a restored subscription held.
    func discardHeld(of subscription: SubscriptionRecord, _ owner: isolated CentralManager) {
        guard let held = subscription.held else { return }
        subscription.held = nil
        unclaimed(held.values.count, owner)
    }
}
