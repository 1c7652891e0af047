// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Requests to control points: written one at a time, and answered by indications.
///
/// The requests stand in the records of their subscriptions.
struct ControlPoints: Sendable {
    /// How long a peripheral may take to respond, or to report the next value (the services' sections about procedure
    /// timeouts).
    private static let procedureTimeLimit = Duration.seconds(30)

    /// Sends a request when its turn has come, with indications on, and waits for its response.
    func request(
        _ call: ControlPointCall, of characteristic: Characteristic, onDisconnect: DisconnectPolicy, timeout: Duration?,
        _ owner: isolated CentralManager
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
        timeout: Duration?, _ owner: isolated CentralManager, answer: @escaping ControlPointRecord.Answer
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
        let requests = subscription.controlPoint ?? ControlPointRecord(id, characteristic.id)
        subscription.controlPoint = requests
        let deadline = timeout.map { timeout in
            owner.after(timeout) { leave(number, of: characteristic, .valueTimeout, $0) }
        }
        requests.calls[number] = .init(call: call, onDisconnect: onDisconnect, deadline: deadline, answer: answer)
        requests.machine.add(number)
        owner.connections.subscriptions.settle(subscription, of: id, owner)
    }

    /// The caller of a request does not wait any more.
    func leave(
        _ number: UInt64, of characteristic: Characteristic, _ error: CharacteristicError,
        _ owner: isolated CentralManager
    ) {
        guard let id = characteristic.peripheral?.identifier,
            let subscription = owner.book.known(id)?.subscriptions[characteristic.id],
            let requests = subscription.controlPoint, requests.calls[number] != nil
        else { return }
        carryOut(
            requests.machine.left(number, canAbort: requests.canAbort(number)), for: requests, .failure(error), owner)
        owner.connections.subscriptions.settle(subscription, of: id, owner)
    }

    /// The subscription of a control point: on a link that stands, and for a request that waits for the next link, when
    /// that is about to be made too.
    private func subscriptionForRequest(
        to characteristic: Characteristic, _ onDisconnect: DisconnectPolicy, _ owner: isolated CentralManager
    ) throws(CharacteristicError) -> (Peripheral, SubscriptionRecord) {
        guard onDisconnect == .resubscribe, !owner.isInvalidated, let peripheral = characteristic.peripheral,
            let record = owner.book.known(peripheral.identifier), !record.isForgettable
        else { return try owner.connections.subscriptions.subscription(for: characteristic, .standard, owner) }
        if let known = record.subscriptions[characteristic.id] { return (peripheral, known) }
        if record.link == .connected {
            return try owner.connections.subscriptions.subscription(for: characteristic, .standard, owner)
        }
        if !characteristic.canNotify { throw .notifyNotSupported }
        let made = SubscriptionRecord(characteristic)
        record.subscriptions[characteristic.id] = made
        return (peripheral, made)
    }

    // MARK: Events

    /// The next request has its turn: called whenever something about a subscription has changed.
    func advanceRequests(of subscription: SubscriptionRecord, _ owner: isolated CentralManager) {
        guard subscription.machine.phase == .on, let requests = subscription.controlPoint else { return }
        let actions = requests.machine.advance { number in
            requests.calls[number].map { requests.isHeld($0.call.request) } ?? false
        }
        carryOut(actions, for: requests, nil, owner)
    }

    /// A value was indicated.
    ///
    /// - Returns: Whether it is the response that is waited for.
    func received(
        _ value: Bytes, for requests: ControlPointRecord, of subscription: SubscriptionRecord,
        _ owner: isolated CentralManager
    ) -> Bool {
        guard requests.isResponse(value) else {
            receivedLate(value, for: requests, owner)
            return false
        }
        if let number = requests.machine.current?.number, requests.isRefusalOfAbort(value) {
            carryOut(requests.machine.refused(number, isAbort: true), for: requests, .success(value), owner)
        } else {
            carryOut(requests.machine.responded(), for: requests, .success(value), owner)
        }
        owner.connections.subscriptions.settle(subscription, of: requests.peripheral, owner)
        return true
    }

    /// A value was indicated that is not the response that is waited for.
    private func receivedLate(_ value: Bytes, for requests: ControlPointRecord, _ owner: isolated CentralManager) {
        if requests.isResponseWhileAborting(value) {
            return carryOut(requests.machine.respondedWhileAborting(), for: requests, nil, owner)
        }
        guard let index = requests.late.firstIndex(where: { $0.isResponse(value) }) else { return }
        requests.late.remove(at: index)
        guard let current = requests.machine.current, let message = requests.calls[current.number]?.call.request,
            !requests.isHeld(message)
        else { return }
        carryOut(requests.machine.released(), for: requests, nil, owner)
    }

    /// Indications come no more.
    ///
    /// - Parameters:
    ///   - subscription: The subscription to the control point.
    ///   - error: Why.
    ///   - isEnded: Whether a request that waits ends with the connection.
    func endRequests(
        of subscription: SubscriptionRecord, _ error: CharacteristicError?, _ owner: isolated CentralManager,
        where isEnded: (DisconnectPolicy) -> Bool
    ) {
        guard let requests = subscription.controlPoint else { return }
        requests.isKept = false
        let actions = requests.machine.ended { number in requests.calls[number].map { isEnded($0.onDisconnect) } ?? true
        }
        carryOut(actions, for: requests, .failure(error ?? .disconnected), owner)
    }

    /// No link is about to be made any more: requests that wait for one end, as those do that come from now on.
    func endRequestsWithoutLink(of record: PeripheralRecord, _ owner: isolated CentralManager) {
        for subscription in record.subscriptions.values where subscription.controlPoint != nil {
            endRequests(of: subscription, .disconnected, owner) { _ in true }
            owner.connections.subscriptions.settle(subscription, of: record.peripheral.identifier, owner)
        }
    }

    private func refused(
        _ number: UInt64, isAbort: Bool, for requests: ControlPointRecord, _ outcome: Outcome,
        _ owner: isolated CentralManager
    ) {
        if case .reply(.done) = outcome { return }
        let error = CharacteristicError(outcome, timeout: .writeTimeout)
        carryOut(requests.machine.refused(number, isAbort: isAbort), for: requests, .failure(error), owner)
        if let subscription = subscription(of: requests, owner) {
            owner.connections.subscriptions.settle(subscription, of: requests.peripheral, owner)
        }
    }

    private func timePassed(_ requests: ControlPointRecord, reports: Int, _ owner: isolated CentralManager) {
        requests.limit = nil
        guard let number = requests.machine.current?.number, let call = requests.calls[number]?.call else { return }
        if call.reportCount() != reports { return startTime(of: requests, owner) }
        owner.logger.debug("a control point did not respond in time", ["limit": "\(Self.procedureTimeLimit)"])
        carryOut(
            requests.machine.timePassed(canAbort: requests.canAbort(number)), for: requests, .failure(.valueTimeout),
            owner)
        if let subscription = subscription(of: requests, owner) {
            owner.connections.subscriptions.settle(subscription, of: requests.peripheral, owner)
        }
    }

    /// The subscription that has these requests; nil once it is forgotten.
    private func subscription(of requests: ControlPointRecord, _ owner: isolated CentralManager) -> SubscriptionRecord?
    {
        let subscription = owner.book.known(requests.peripheral)?.subscriptions[requests.attribute]
        return subscription?.controlPoint === requests ? subscription : nil
    }

    /// The requests of an attribute, as long as they are known.
    private func requests(of attribute: AttributeID, of id: PeerIdentifier, _ owner: isolated CentralManager)
        -> ControlPointRecord?
    {
        owner.book.known(id)?.subscriptions[attribute]?.controlPoint
    }

    // MARK: Actions

    private func carryOut(
        _ actions: [ControlPointMachine.Action], for requests: ControlPointRecord,
        _ result: Result<Bytes, CharacteristicError>?, _ owner: isolated CentralManager
    ) {
        for action in actions {
            switch action {
            case .write(let number):
                requests.isKept = true
                if let message = requests.calls[number]?.call.request { write(message, number, false, requests, owner) }
            case .abort(let number):
                if let message = requests.calls[number]?.call.abort { write(message, number, true, requests, owner) }
            case .answer(let number): answer(number, of: requests, result ?? .failure(.disconnected), owner)
            case .forget(let number): requests.calls[number] = nil
            case .expectLate(let number):
                if let message = requests.calls[number]?.call.request { requests.late.append(message) }
            case .expectLateAbort(let number):
                if let message = requests.calls[number]?.call.abort { requests.late.append(message) }
            case .startTime: startTime(of: requests, owner)
            case .stopTime: stopTime(of: requests, owner)
            }
        }
    }

    private func write(
        _ message: ControlPointCall.Message, _ number: UInt64, _ isAbort: Bool, _ requests: ControlPointRecord,
        _ owner: isolated CentralManager
    ) {
        let (id, attribute) = (requests.peripheral, requests.attribute)
        owner.begin(.write(id, attribute, message.value, .withResponse), in: .value(attribute)) { manager, outcome in
            guard let requests = self.requests(of: attribute, of: id, manager) else { return }
            refused(number, isAbort: isAbort, for: requests, outcome, manager)
        }
    }

    private func answer(
        _ number: UInt64, of requests: ControlPointRecord, _ result: Result<Bytes, CharacteristicError>,
        _ owner: isolated CentralManager
    ) {
        guard let call = requests.calls[number], let answer = call.answer else { return }
        requests.calls[number]?.answer = nil
        requests.calls[number]?.deadline = nil
        if let deadline = call.deadline { owner.cancelDeadline(deadline) }
        answer(result)
    }

    private func startTime(of requests: ControlPointRecord, _ owner: isolated CentralManager) {
        stopTime(of: requests, owner)
        let (id, attribute) = (requests.peripheral, requests.attribute)
        let number = requests.machine.current?.number
        let reports = number.flatMap { requests.calls[$0]?.call.reportCount() } ?? 0
        requests.limit = owner.after(Self.procedureTimeLimit) { manager in
            if let requests = self.requests(of: attribute, of: id, manager) {
                timePassed(requests, reports: reports, manager)
            }
        }
    }

    private func stopTime(of requests: ControlPointRecord, _ owner: isolated CentralManager) {
        if let limit = requests.limit.take() { owner.cancelDeadline(limit) }
    }
}
