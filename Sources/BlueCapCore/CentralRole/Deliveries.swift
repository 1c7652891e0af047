// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Sends notified values where they go, wakes those who listen, and counts the values that have no taker.
///
/// Touched on the manager only.
final class Deliveries {
    /// The streams of values that got some, and whose consumers are to be woken.
    private var wakeful: [SubscriptionRecord.Box] = []
    /// Wakes them; made once, as it may be needed for each value.
    private var wake: (@Sendable () -> Void)?

    /// Sets the value of a characteristic, and hands it to those who listen.
    func valueChanged(
        _ id: PeerIdentifier, _ attribute: AttributeID, _ value: Bytes, _ owner: isolated some CentralOwner
    ) {
        guard let record = owner.book.recent(id), let route = record.route(of: attribute) else {
            return owner.countUnclaimed(1)
        }
        if value.count > maximumAttributeLength { return valuesDropped(record, attribute, 1, owner) }
        route.characteristic.facts.withLock { $0.value = value }
        guard let subscription = route.subscription, subscription.deliver(value, of: route.characteristic, owner) else {
            return owner.countUnclaimed(1)
        }
    }

    /// Counts values that are lost, on their characteristic and with those who listen, or where that is not known any
    /// more, as unclaimed.
    func valuesDropped(
        _ record: PeripheralRecord?, _ attribute: AttributeID, _ count: Int, _ owner: isolated some CentralOwner
    ) {
        guard let record, record.isUsed, let characteristic = record.database.characteristics[attribute] else {
            return owner.countUnclaimed(count)
        }
        owner.meter.dropped(.value, count)
        characteristic.facts.withLock { $0.droppedCount += count }
        record.subscriptions[attribute]?.countDropped(count)
    }

    /// Wakes a consumer when the executor has finished its current job: the consumer takes all values that have come
    /// until then in one go, instead of waking on another thread for the first value and sleeping again before the
    /// second.
    func wakeSoon(_ box: SubscriptionRecord.Box, _ owner: isolated some CentralOwner) {
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
}

/// The characteristic that a value belongs to, and who listens to it.
struct ValueRoute {
    let attribute: AttributeID
    let characteristic: Characteristic
    let subscription: SubscriptionRecord?
}
