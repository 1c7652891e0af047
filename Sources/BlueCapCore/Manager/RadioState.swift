// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The state of a radio, and the calls that wait for it to be on.
///
/// Everyone may read the state; it changes on the owner only.
final class RadioState<Owner: StateOwner>: Sendable {
    /// The answer to a call that waits for the radio.
    typealias Answer = Result<Void, Owner.StateError>

    private struct Waiter {
        let deadline: DeadlineTimer<Owner>.Token?
        let resume: @Sendable (Answer) -> Void
    }

    private struct Facts {
        var state = ManagerState.unknown
        /// Why the radio has this state, where the platform gives a reason.
        var failure: BackendFailure?
        var waiters: OrderedTable<UInt64, Waiter> = [:]
        var lastNumber: UInt64 = 0
    }

    private let facts = Locked(Facts())
    private let caster = Multicaster<ManagerState>(replay: .current(.unknown))

    var current: ManagerState { facts.withLock { $0.state } }

    /// How many calls wait for the radio.
    var waiterCount: Int { facts.withLock { $0.waiters.count } }

    /// The states, the current one first.
    func states() -> AsyncStream<ManagerState> { caster.stream(capacity: .unbounded) }

    func finish() { caster.finish() }

    func changed(to state: ManagerState, _ failure: BackendFailure?, _ owner: isolated Owner) {
        // A consumer that comes while the owner handles the loss begins with the new state, as `current` is by then.
        let (previous, delivery) = facts.withLock { facts in
            defer { (facts.state, facts.failure) = (state, failure) }
            return (facts.state, facts.state == state ? nil : caster.prepare(state))
        }
        guard let delivery else { return }
        owner.logger.debug("the radio has changed its state", ["state": "\(state)"])
        if previous == .poweredOn { owner.radioLost(reason) }
        caster.deliver(delivery)
        resolveAll(owner)
        if state == .poweredOn { owner.radioReturned() }
    }

    /// Why nothing that needs the radio can be begun now.
    var reason: OperationFailure {
        let (state, failure) = facts.withLock { ($0.state, $0.failure) }
        if let failure { return .backend(failure) }
        return switch state {
        case .unknown: .backend(.unknownState)
        case .unsupported: .unsupported
        case .unauthorized: .backend(.unauthorized)
        case .resetting: .backend(.resetting)
        case .poweredOff, .poweredOn: .poweredOff
        }
    }

    // MARK: Waiting

    /// The answer to a call that waits for the radio; nil while the state may still change to on.
    func decision(_ owner: isolated Owner) -> Answer? {
        if owner.isInvalidated { return .failure(.invalidated) }
        let (state, failure) = facts.withLock { ($0.state, $0.failure) }
        return switch state {
        case .poweredOn: .success(())
        case .unsupported: .failure(failure.map { .backend($0) } ?? .unsupported)
        case .unauthorized: .failure(failure.map { .backend($0) } ?? .unauthorized)
        default: nil
        }
    }

    /// A number for a call that waits.
    func makeNumber() -> UInt64 {
        facts.withLock { facts in
            facts.lastNumber += 1
            return facts.lastNumber
        }
    }

    /// Calls `resume` once, on the owner, when the radio is on or will not come on, or when the time has passed.
    func wait(
        _ number: UInt64, timeout: Duration?, _ owner: isolated Owner, resume: @escaping @Sendable (Answer) -> Void
    ) {
        if let decision = decision(owner) { return resume(decision) }
        let deadline = timeout.map { owner.after($0) { $0.radio.timedOut(number, $0) } }
        facts.withLock { $0.waiters[number] = Waiter(deadline: deadline, resume: resume) }
    }

    /// Answers a call that waits; does nothing if it was answered.
    func resolve(_ number: UInt64, _ answer: Answer, _ owner: isolated Owner) {
        if let waiter = facts.withLock({ $0.waiters.removeValue(forKey: number) }) { resume(waiter, answer, owner) }
    }

    /// Answers the calls that wait, if the state decides about them.
    func resolveAll(_ owner: isolated Owner) {
        guard let decision = decision(owner) else { return }
        let waiters = facts.withLock { facts in
            defer { facts.waiters = [:] }
            return facts.waiters
        }
        for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { resume(waiter, decision, owner) }
    }

    private func timedOut(_ number: UInt64, _ owner: isolated Owner) {
        let failure = facts.withLock { $0.failure }
        resolve(number, .failure(failure.map { .backend($0) } ?? .powerOnTimeout), owner)
    }

    private func resume(_ waiter: Waiter, _ answer: Answer, _ owner: isolated Owner) {
        if let deadline = waiter.deadline { owner.cancelDeadline(deadline) }
        waiter.resume(answer)
    }
}

/// An actor that follows the state of a radio.
protocol StateOwner: DeadlineOwner {
    /// The error of a caller that waits for the radio.
    associatedtype StateError: RadioError

    nonisolated var radio: RadioState<Self> { get }
    nonisolated var logger: RadioLog { get }
    var isInvalidated: Bool { get }

    /// The radio was on and is not any more: ends everything that needs it with the reason.
    func radioLost(_ reason: OperationFailure)

    /// The radio is on, and everyone who waits for that was answered.
    func radioReturned()
}

extension StateOwner {
    /// The last known state of the radio.
    nonisolated var state: ManagerState { radio.current }

    /// Returns when the radio is on: at once if it is.
    func waitUntilPoweredOn(timeout: Duration?) async throws(StateError) {
        let number = radio.makeNumber()
        let result: Result<Void, StateError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: .failure(.cancelled)) }
                radio.wait(number, timeout: timeout, self) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            later { $0.radio.resolve(number, .failure(.cancelled), $0) }
        }
        try result.get()
    }
}

extension BackendFailure {
    /// The platform has not reported a state yet.
    static let unknownState = BackendFailure(
        name: "BlueCap.StateUnknown", message: "the state of the radio is not known yet",
        advice: "wait with whenPoweredOn()", isTransient: true)

    /// The platform restarts and gave no reason.
    static let resetting = BackendFailure(
        name: "BlueCap.Resetting", message: "the system's Bluetooth service is starting anew",
        advice: "wait with whenPoweredOn()", isTransient: true)

    /// The platform refuses this process and gave no reason.
    static let unauthorized = BackendFailure(
        name: "BlueCap.Unauthorized", message: "this process may not use Bluetooth", advice: "grant it the permission")
}
