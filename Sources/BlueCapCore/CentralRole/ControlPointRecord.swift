// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The requests to one control point: written one at a time, and answered by indications.
///
/// Touched on the manager only.
final class ControlPointRecord {
    typealias Answer = @Sendable (Result<Bytes, CharacteristicError>) -> Void

    private struct Call {
        let call: ControlPointCall
        let onDisconnect: DisconnectPolicy
        var deadline: DeadlineToken?
        /// Nil once the caller is answered.
        var answer: Answer?
    }

    /// How long a peripheral may take to respond, or to report the next value (the services' sections about procedure
    /// timeouts).
    private static let procedureTimeLimit = Duration.seconds(30)

    private let peripheral: PeerIdentifier
    private let attribute: AttributeID
    private var machine = ControlPointMachine()
    /// The waiting requests and the current request.
    private var calls: OrderedTable<UInt64, Call> = [:]
    /// A Boolean value that is true if indications stay on between two requests: from the first request to the end of
    /// the link.
    private var isKept = false
    /// The deadline of the running procedure.
    private var limit: DeadlineToken?
    /// The messages that no caller waits for any more, and whose responses may still come over this link: one for
    /// each op code.
    private var late: [ControlPointCall.Message] = []

    init(_ peripheral: PeerIdentifier, _ attribute: AttributeID) {
        (self.peripheral, self.attribute) = (peripheral, attribute)
    }

    /// The manager was released, so the waiting callers end.
    deinit { for call in calls.values { call.answer?(.failure(.invalidated)) } }

    /// A Boolean value that is true if indications are wanted on.
    var isWanted: Bool { isKept || !calls.isEmpty }

    /// A Boolean value that is true if a late response may still come over this link.
    var hasLate: Bool { !late.isEmpty }

    // MARK: Callers

    /// Adds a request, which waits for its turn; `answer` is called once.
    func add(
        _ call: ControlPointCall, _ number: UInt64, onDisconnect: DisconnectPolicy,
        deadline: DeadlineToken?, answer: @escaping Answer
    ) {
        calls[number] = Call(call: call, onDisconnect: onDisconnect, deadline: deadline, answer: answer)
        machine.add(number)
    }

    /// The caller of a request does not wait any more.
    ///
    /// - Returns: Whether the request was there.
    func leave(_ number: UInt64, _ error: CharacteristicError, _ owner: isolated some CentralOwner) -> Bool {
        if calls[number] == nil { return false }
        carryOut(machine.left(number, canAbort: canAbort(number)), .failure(error), owner)
        return true
    }

    /// Indications need not stay on between two requests.
    func letGo() { isKept = false }

    // MARK: Events

    /// The next request has its turn: called with indications on, whenever something about them has changed.
    func advance(_ owner: isolated some CentralOwner) {
        let actions = machine.advance { number in calls[number].map { isHeld($0.call.request) } ?? false }
        carryOut(actions, nil, owner)
    }

    /// A value was indicated.
    ///
    /// - Returns: Whether it is the response that is waited for.
    func received(_ value: Bytes, of subscription: SubscriptionRecord, _ owner: isolated some CentralOwner) -> Bool {
        guard isResponse(value) else {
            receivedLate(value, owner)
            return false
        }
        if let number = machine.current?.number, isRefusalOfAbort(value) {
            carryOut(machine.refused(number, isAbort: true), .success(value), owner)
        } else {
            carryOut(machine.responded(), .success(value), owner)
        }
        owner.connections.subscriptions.reconcile(subscription, of: peripheral, owner)
        return true
    }

    /// A value was indicated that is not the response that is waited for.
    private func receivedLate(_ value: Bytes, _ owner: isolated some CentralOwner) {
        if isResponseWhileAborting(value) { return carryOut(machine.respondedWhileAborting(), nil, owner) }
        guard let index = late.firstIndex(where: { $0.isResponse(value) }) else { return }
        late.remove(at: index)
        guard let current = machine.current, let message = calls[current.number]?.call.request, !isHeld(message)
        else { return }
        carryOut(machine.released(), nil, owner)
    }

    /// Indications come no more.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - owner: The manager.
    ///   - isEnded: Whether a request that waits ends with the connection.
    func end(
        _ error: CharacteristicError?, _ owner: isolated some CentralOwner, where isEnded: (DisconnectPolicy) -> Bool
    ) {
        isKept = false
        let actions = machine.ended { number in calls[number].map { isEnded($0.onDisconnect) } ?? true }
        carryOut(actions, .failure(error ?? .disconnected), owner)
    }

    /// The link has ended: no late response comes any more.
    func forgetLate() { late = [] }

    private func refused(_ number: UInt64, isAbort: Bool, _ outcome: Outcome, _ owner: isolated some CentralOwner) {
        let error = CharacteristicError(outcome, timeout: .writeTimeout)
        carryOut(machine.refused(number, isAbort: isAbort), .failure(error), owner)
    }

    /// - Returns: Whether the procedure has ended.
    private func timePassed(reports: Int, _ owner: isolated some CentralOwner) -> Bool {
        limit = nil
        guard let number = machine.current?.number, let call = calls[number]?.call else { return false }
        if call.reportCount() != reports {
            startTime(owner)
            return false
        }
        owner.logger.debug("a control point did not respond in time", ["limit": "\(Self.procedureTimeLimit)"])
        carryOut(machine.timePassed(canAbort: canAbort(number)), .failure(.valueTimeout), owner)
        return true
    }

    // MARK: Responses

    /// Returns a Boolean value that is true if a value is the expected response.
    private func isResponse(_ value: Bytes) -> Bool {
        guard let current = machine.current, current.stage != .held, let call = calls[current.number]?.call
        else { return false }
        return (current.isAborting ? call.abort : call.request)?.isResponse(value) ?? false
    }

    /// Returns a Boolean value that is true if a response says that the procedure of the current request goes on.
    private func isRefusalOfAbort(_ value: Bytes) -> Bool {
        guard let current = machine.current, current.isAborting else { return false }
        return calls[current.number]?.call.abort?.isRefusal(value) ?? false
    }

    /// Returns a Boolean value that is true if a value is the response to the request that is being aborted.
    private func isResponseWhileAborting(_ value: Bytes) -> Bool {
        guard let current = machine.current, current.isAborting else { return false }
        return calls[current.number]?.call.request.isResponse(value) ?? false
    }

    /// Returns a Boolean value that is true if a late response would be taken for the response to a message.
    private func isHeld(_ message: ControlPointCall.Message) -> Bool { late.contains { $0.isLike(message) } }

    /// Returns a Boolean value that is true if the procedure of a request can be ended by another request.
    private func canAbort(_ number: UInt64) -> Bool { calls[number]?.call.abort.map { !isHeld($0) } ?? false }

    // MARK: Actions

    private func carryOut(
        _ actions: [ControlPointMachine.Action], _ result: Result<Bytes, CharacteristicError>?,
        _ owner: isolated some CentralOwner
    ) {
        for action in actions {
            switch action {
            case .write(let number):
                isKept = true
                if let message = calls[number]?.call.request { write(message, number, false, owner) }
            case .abort(let number):
                if let message = calls[number]?.call.abort { write(message, number, true, owner) }
            case .answer(let number): answer(number, result ?? .failure(.disconnected), owner)
            case .forget(let number): calls[number] = nil
            case .expectLate(let number):
                if let message = calls[number]?.call.request { late.append(message) }
            case .expectLateAbort(let number):
                if let message = calls[number]?.call.abort { late.append(message) }
            case .startTime: startTime(owner)
            case .stopTime: stopTime(owner)
            }
        }
    }

    private func write(
        _ message: ControlPointCall.Message, _ number: UInt64, _ isAbort: Bool, _ owner: isolated some CentralOwner
    ) {
        let attribute = attribute
        let operation = CentralOperation.write(peripheral, attribute, message.value, .withResponse)
        owner.begin(operation, over: .value(attribute)) { manager, record, outcome in
            guard let subscription = record.subscriptions[attribute], let requests = subscription.controlPoint
            else { return }
            if case .reply(.done) = outcome { return }
            requests.refused(number, isAbort: isAbort, outcome, manager)
            record.subscriptions.reconcile(subscription, manager)
        }
    }

    private func answer(
        _ number: UInt64, _ result: Result<Bytes, CharacteristicError>, _ owner: isolated some CentralOwner
    ) {
        guard let call = calls[number], let answer = call.answer else { return }
        calls[number]?.answer = nil
        calls[number]?.deadline = nil
        if let deadline = call.deadline { owner.cancelDeadline(deadline) }
        answer(result)
    }

    private func startTime(_ owner: isolated some CentralOwner) {
        stopTime(owner)
        let attribute = attribute
        let number = machine.current?.number
        let reports = number.flatMap { calls[$0]?.call.reportCount() } ?? 0
        limit = owner.after(Self.procedureTimeLimit, with: peripheral) { manager, record in
            guard let subscription = record.subscriptions[attribute],
                subscription.controlPoint?.timePassed(reports: reports, manager) == true
            else { return }
            record.subscriptions.reconcile(subscription, manager)
        }
    }

    private func stopTime(_ owner: isolated some CentralOwner) {
        if let limit = limit.take() { owner.cancelDeadline(limit) }
    }
}
