// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The calls to control points.
struct ControlPoints: Sendable {
    /// Sends a request when its turn has come, with indications on, and waits for its response.
    func request(
        _ call: ControlPointCall, of characteristic: Characteristic, onDisconnect: DisconnectPolicy, timeout: Duration?,
        _ owner: isolated some CentralOwner
    ) async throws(CharacteristicError) -> Bytes {
        let number = owner.makeNumber()
        let result: Result<Bytes, CharacteristicError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: .failure(.cancelled)) }
                begin(call, number, of: characteristic, onDisconnect: onDisconnect, timeout: timeout, owner) {
                    continuation.resume(returning: $0)
                }
            }
        } onCancel: {
            owner.later { leave(number, of: characteristic, .cancelled, $0) }
        }
        return try result.get()
    }

    /// The same without waiting: `answer` is called once.
    func begin(
        _ call: ControlPointCall, _ number: UInt64, of characteristic: Characteristic, onDisconnect: DisconnectPolicy,
        timeout: Duration?, _ owner: isolated some CentralOwner, answer: @escaping ControlPointRecord.Answer
    ) {
        let found: (peripheral: Peripheral, subscription: SubscriptionRecord)
        do throws(CharacteristicError) {
            if !characteristic.properties.contains(.write) { throw .writeNotSupported }
            if call.request.value.count > maximumAttributeLength {
                throw .valueTooLong(count: call.request.value.count, maximum: maximumAttributeLength)
            }
            found = try subscriptionForRequest(to: characteristic, onDisconnect, owner)
        } catch {
            return answer(.failure(error))
        }
        let (id, subscription) = (found.peripheral.identifier, found.subscription)
        let requests = subscription.openControlPoint(of: id)
        let deadline = timeout.map { timeout in
            owner.after(timeout) { leave(number, of: characteristic, .valueTimeout, $0) }
        }
        requests.add(call, number, onDisconnect: onDisconnect, deadline: deadline, answer: answer)
        owner.connections.subscriptions.reconcile(subscription, of: id, owner)
    }

    /// The caller of a request does not wait any more.
    func leave(
        _ number: UInt64, of characteristic: Characteristic, _ error: CharacteristicError,
        _ owner: isolated some CentralOwner
    ) {
        guard let id = characteristic.peripheral?.identifier, let record = owner.book.known(id),
            let subscription = record.subscriptions[characteristic.id],
            subscription.controlPoint?.leave(number, error, owner) == true
        else { return }
        record.subscriptions.reconcile(subscription, owner)
    }

    /// The subscription of a control point: on a link that stands, and for a request that waits for the next link, when
    /// that is about to be made too.
    private func subscriptionForRequest(
        to characteristic: Characteristic, _ onDisconnect: DisconnectPolicy, _ owner: isolated some CentralOwner
    ) throws(CharacteristicError) -> (Peripheral, SubscriptionRecord) {
        guard onDisconnect == .resubscribe, !owner.isInvalidated, let peripheral = characteristic.peripheral,
            let record = owner.book.known(peripheral.identifier), !record.isForgettable
        else { return try owner.connections.subscriptions.subscription(for: characteristic, .standard, owner) }
        if let known = record.subscriptions[characteristic.id] { return (peripheral, known) }
        if record.link == .connected {
            return try owner.connections.subscriptions.subscription(for: characteristic, .standard, owner)
        }
        if !characteristic.canNotify { throw .notifyNotSupported }
        return (peripheral, record.subscriptions.opened(characteristic))
    }
}
