// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Requests to control points: written one at a time, and answered by indications.
extension CentralManager {
    /// How long a peripheral may take to respond, or to report the next value (the services' sections about procedure
    /// timeouts).
    private static let procedureTimeLimit = Duration.seconds(30)

    /// Sends a request when its turn has come, with indications on, and waits for its response.
    func request(
        _ call: ControlPointCall, of characteristic: Characteristic, onDisconnect: DisconnectPolicy, timeout: Duration?
    ) async throws(CharacteristicError) -> Bytes {
        let number = makeNumber()
        let result: Result<Bytes, CharacteristicError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: .failure(.cancelled)) }
                begin(call, number, of: characteristic, onDisconnect: onDisconnect, timeout: timeout) {
                    continuation.resume(returning: $0)
                }
            }
        } onCancel: {
            later { $0.leave(number, of: characteristic, .cancelled) }
        }
        return try result.get()
    }

    /// The same without waiting: `answer` is called once.
    func begin(
        _ call: ControlPointCall, _ number: UInt64, of characteristic: Characteristic, onDisconnect: DisconnectPolicy,
        timeout: Duration?, answer: @escaping ControlPointRecord.Answer
    ) {
        let found: (peripheral: Peripheral, subscription: SubscriptionRecord)
        do throws(CharacteristicError) {
            if !characteristic.properties.contains(.write) { throw .writeNotSupported }
            if call.request.value.count > maximumAttributeLength {
                throw .valueTooLong(count: call.request.value.count, maximum: maximumAttributeLength)
            }
            found = try subscriptionForRequest(to: characteristic, onDisconnect)
        } catch {
            return answer(.failure(error))
        }
        let (id, subscription) = (found.peripheral.identifier, found.subscription)
        let requests = subscription.controlPoint ?? ControlPointRecord(id, characteristic.id)
        subscription.controlPoint = requests
        let deadline = timeout.map { timeout in
            after(timeout) { $0.leave(number, of: characteristic, .valueTimeout) }
        }
        requests.calls[number] = .init(call: call, onDisconnect: onDisconnect, deadline: deadline, answer: answer)
        requests.machine.add(number)
        settle(subscription, of: id)
    }

    /// The caller of a request does not wait any more.
    func leave(_ number: UInt64, of characteristic: Characteristic, _ error: CharacteristicError) {
        guard let id = characteristic.peripheral?.identifier,
            let subscription = book.known(id)?.subscriptions[characteristic.id],
            let requests = subscription.controlPoint, let call = requests.calls[number]
        else { return }
        carryOut(requests.machine.left(number, canAbort: call.call.abort != nil), for: requests, .failure(error))
        settle(subscription, of: id)
    }

    /// The subscription of a control point: on a link that stands, and for a request that waits for the next link, when
    /// that is about to be made too.
    private func subscriptionForRequest(
        to characteristic: Characteristic, _ onDisconnect: DisconnectPolicy
    ) throws(CharacteristicError) -> (Peripheral, SubscriptionRecord) {
        guard onDisconnect == .resubscribe, !isInvalidated, let peripheral = characteristic.peripheral,
            let record = book.known(peripheral.identifier), !record.isForgettable
        else { return try subscription(for: characteristic, .standard) }
        if let known = record.subscriptions[characteristic.id] { return (peripheral, known) }
        if record.link == .connected { return try subscription(for: characteristic, .standard) }
        if !characteristic.canNotify { throw .notifyNotSupported }
        let made = SubscriptionRecord(characteristic)
        record.subscriptions[characteristic.id] = made
        return (peripheral, made)
    }

    // MARK: Events

    /// The next request has its turn: called whenever something about a subscription has changed.
    func advanceRequests(of subscription: SubscriptionRecord) {
        guard subscription.machine.phase == .on, let requests = subscription.controlPoint else { return }
        carryOut(requests.machine.advance(), for: requests, nil)
    }

    /// A value was indicated.
    ///
    /// - Returns: Whether it is the response that is waited for.
    func received(_ value: Bytes, for requests: ControlPointRecord, of subscription: SubscriptionRecord) -> Bool {
        guard requests.isResponse(value) else { return false }
        carryOut(requests.machine.responded(), for: requests, .success(value))
        settle(subscription, of: requests.peripheral)
        return true
    }

    /// Indications come no more.
    ///
    /// - Parameters:
    ///   - subscription: The subscription to the control point.
    ///   - error: Why.
    ///   - isEnded: Whether a request that waits ends with the connection.
    func endRequests(
        of subscription: SubscriptionRecord, _ error: CharacteristicError?, where isEnded: (DisconnectPolicy) -> Bool
    ) {
        guard let requests = subscription.controlPoint else { return }
        requests.isKept = false
        let actions = requests.machine.ended { number in requests.calls[number].map { isEnded($0.onDisconnect) } ?? true
        }
        carryOut(actions, for: requests, .failure(error ?? .disconnected))
    }

    /// No link is about to be made any more: requests that wait for one end, as those do that come from now on.
    func endRequestsWithoutLink(of record: PeripheralRecord) {
        for subscription in record.subscriptions.values where subscription.controlPoint != nil {
            endRequests(of: subscription, .disconnected) { _ in true }
            settle(subscription, of: record.peripheral.identifier)
        }
    }

    private func refused(_ number: UInt64, isAbort: Bool, for requests: ControlPointRecord, _ outcome: Outcome) {
        if case .reply(.done) = outcome { return }
        let error = CharacteristicError(outcome, timeout: .writeTimeout)
        carryOut(requests.machine.refused(number, isAbort: isAbort), for: requests, .failure(error))
        if let subscription = subscription(of: requests) { settle(subscription, of: requests.peripheral) }
    }

    private func timePassed(_ requests: ControlPointRecord, reports: Int) {
        requests.limit = nil
        guard let number = requests.machine.current?.number, let call = requests.calls[number]?.call else { return }
        if call.reportCount() != reports { return startTime(of: requests) }
        logger.debug("a control point did not respond in time", ["limit": "\(Self.procedureTimeLimit)"])
        carryOut(requests.machine.timePassed(), for: requests, .failure(.valueTimeout))
        if let subscription = subscription(of: requests) { settle(subscription, of: requests.peripheral) }
    }

    /// The subscription that has these requests; nil once it is forgotten.
    private func subscription(of requests: ControlPointRecord) -> SubscriptionRecord? {
        let subscription = book.known(requests.peripheral)?.subscriptions[requests.attribute]
        return subscription?.controlPoint === requests ? subscription : nil
    }

    /// The requests of an attribute, as long as they are known.
    private func requests(of attribute: AttributeID, of id: PeerIdentifier) -> ControlPointRecord? {
        book.known(id)?.subscriptions[attribute]?.controlPoint
    }

    // MARK: Actions

    private func carryOut(
        _ actions: [ControlPointMachine.Action], for requests: ControlPointRecord,
        _ result: Result<Bytes, CharacteristicError>?
    ) {
        for action in actions {
            switch action {
            case .write(let number):
                requests.isKept = true
                if let message = requests.calls[number]?.call.request { write(message, number, false, requests) }
            case .abort(let number):
                if let message = requests.calls[number]?.call.abort { write(message, number, true, requests) }
            case .answer(let number): answer(number, of: requests, result ?? .failure(.disconnected))
            case .forget(let number): requests.calls[number] = nil
            case .startTime: startTime(of: requests)
            case .stopTime: stopTime(of: requests)
            }
        }
    }

    private func write(
        _ message: ControlPointCall.Message, _ number: UInt64, _ isAbort: Bool, _ requests: ControlPointRecord
    ) {
        let (id, attribute) = (requests.peripheral, requests.attribute)
        begin(.write(id, attribute, message.value, .withResponse), in: .value(attribute)) { manager, outcome in
            guard let requests = manager.requests(of: attribute, of: id) else { return }
            manager.refused(number, isAbort: isAbort, for: requests, outcome)
        }
    }

    private func answer(
        _ number: UInt64, of requests: ControlPointRecord, _ result: Result<Bytes, CharacteristicError>
    ) {
        guard let call = requests.calls[number], let answer = call.answer else { return }
        requests.calls[number]?.answer = nil
        requests.calls[number]?.deadline = nil
        if let deadline = call.deadline { cancelDeadline(deadline) }
        answer(result)
    }

    private func startTime(of requests: ControlPointRecord) {
        stopTime(of: requests)
        let (id, attribute) = (requests.peripheral, requests.attribute)
        let number = requests.machine.current?.number
        let reports = number.flatMap { requests.calls[$0]?.call.reportCount() } ?? 0
        requests.limit = after(Self.procedureTimeLimit) { manager in
            if let requests = manager.requests(of: attribute, of: id) { manager.timePassed(requests, reports: reports) }
        }
    }

    private func stopTime(of requests: ControlPointRecord) {
        if let limit = requests.limit.take() { cancelDeadline(limit) }
    }
}
