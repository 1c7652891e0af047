// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The calls to subscribe to characteristics, and to wait until notifications are on or off.
struct Subscriptions: Sendable {
    /// Registers a listener and has notifications on before it returns.
    func subscribe(
        _ characteristic: Characteristic, box: SubscriptionRecord.Box, onDisconnect: DisconnectPolicy,
        transport: NotificationTransport, timeout: Duration?, _ owner: isolated some CentralOwner
    ) async throws(CharacteristicError) -> UInt64 {
        if Task.isCancelled { throw .cancelled }
        let (peripheral, subscription) = try subscription(for: characteristic, transport, owner)
        let number = owner.makeNumber()
        subscription.add(SubscriptionRecord.Listener(box: box, onDisconnect: onDisconnect), number)
        do throws(CharacteristicError) {
            try await wait(until: true, characteristic.id, of: peripheral.identifier, timeout: timeout, owner)
        } catch {
            unsubscribe(characteristic.id, of: peripheral.identifier, number, owner)
            throw error
        }
        return number
    }

    func unsubscribe(
        _ attribute: AttributeID, of peripheral: PeerIdentifier, _ number: UInt64, _ owner: isolated some CentralOwner
    ) {
        owner.book.known(peripheral)?.subscriptions.remove(number, of: attribute, owner)
    }

    func startNotifying(
        _ characteristic: Characteristic, transport: NotificationTransport, timeout: Duration?,
        _ owner: isolated some CentralOwner
    ) async throws(CharacteristicError) {
        if Task.isCancelled { throw .cancelled }
        let (peripheral, subscription) = try subscription(for: characteristic, transport, owner)
        let hold = owner.makeNumber()
        subscription.machine.hold(hold)
        do throws(CharacteristicError) {
            try await wait(until: true, characteristic.id, of: peripheral.identifier, timeout: timeout, owner)
        } catch {
            _ = subscription.machine.release(hold)
            reconcile(subscription, of: peripheral.identifier, owner)
            throw error
        }
    }

    func stopNotifying(_ characteristic: Characteristic, timeout: Duration?, _ owner: isolated some CentralOwner)
        async throws(CharacteristicError)
    {
        let (peripheral, subscription) = try subscription(for: characteristic, .standard, owner)
        subscription.machine.releaseAll()
        subscription.controlPoint?.letGo()
        subscription.discardHeld(owner)
        reconcile(subscription, of: peripheral.identifier, owner)
        if subscription.isWanted { return }
        try await wait(until: false, characteristic.id, of: peripheral.identifier, timeout: timeout, owner)
    }

    /// The record of a characteristic that can notify on a link that stands.
    func subscription(
        for characteristic: Characteristic, _ transport: NotificationTransport, _ owner: isolated some CentralOwner
    ) throws(CharacteristicError) -> (Peripheral, SubscriptionRecord) {
        let record = try owner.book.record(of: characteristic, owner)
        if !characteristic.canNotify { throw .notifyNotSupported }
        let subscription = record.subscriptions.opened(characteristic)
        if !subscription.isWanted { subscription.machine.choose(transport) }
        return (record.peripheral, subscription)
    }

    /// Waits until notifications are on, or off, in the state that the backend has confirmed.
    private func wait(
        until wantsOn: Bool, _ attribute: AttributeID, of id: PeerIdentifier, timeout: Duration?,
        _ owner: isolated some CentralOwner
    ) async throws(CharacteristicError) {
        let number = owner.makeNumber()
        let error: CharacteristicError? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: .cancelled) }
                guard let record = owner.book.known(id), let subscription = record.subscriptions[attribute] else {
                    return continuation.resume(returning: wantsOn ? .disconnected : nil)
                }
                let token = timeout.map { timeout in
                    owner.after(timeout, with: id) { $1.subscriptions[attribute]?.resolve(number, .notifyTimeout, $0) }
                }
                let waiter = SubscriptionRecord.Waiter(wantsOn: wantsOn, deadline: token) {
                    continuation.resume(returning: $0)
                }
                subscription.add(waiter, number)
                record.subscriptions.reconcile(subscription, owner)
            }
        } onCancel: {
            owner.later(with: id) { $1.subscriptions[attribute]?.resolve(number, .cancelled, $0) }
        }
        if let error { throw error }
    }

    /// Moves a subscription one step, if its peripheral is still known.
    func reconcile(_ subscription: SubscriptionRecord, of id: PeerIdentifier, _ owner: isolated some CentralOwner) {
        owner.book.known(id)?.subscriptions.reconcile(subscription, owner)
    }
}
