// SPDX-License-Identifier: MIT

/// Waiting for the radio.
extension RadioManager {
    /// Returns when the radio is on: at once if it is.
    func waitUntilPoweredOn(timeout: Duration?) async throws(StateError) {
        let number = makeNumber()
        let result: Result<Void, StateError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: .failure(.cancelled)) }
                if let result = stateDecision { return continuation.resume(returning: result) }
                let token = timeout.map { timeout in
                    after(timeout) { manager in
                        let reason = manager.stateFailure.map { StateError.backend($0) }
                        manager.resolveStateWaiter(number, .failure(reason ?? .powerOnTimeout))
                    }
                }
                stateWaiters[number] = { [weak self] result in
                    // A waiter is only ever answered on the manager.
                    if let token { self?.onExecutor { $0.cancelDeadline(token) } }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            later { $0.resolveStateWaiter(number, .failure(.cancelled)) }
        }
        try result.get()
    }

    /// Answers those who wait for the radio, if the state decides it.
    func resolveStateWaiters() {
        guard let result = stateDecision else { return }
        let waiters = stateWaiters.sorted { $0.key < $1.key }
        stateWaiters = [:]
        for (_, resume) in waiters { resume(result) }
    }

    /// What those who wait for the radio are told, where that is known.
    var stateDecision: Result<Void, StateError>? {
        if isInvalidated { return .failure(.invalidated) }
        if state == .poweredOn { return .success(()) }
        return hopelessness.map { .failure($0) }
    }

    /// Why the radio will not come on by waiting.
    private var hopelessness: StateError? {
        switch state {
        case .unsupported: stateFailure.map { .backend($0) } ?? .unsupported
        case .unauthorized: stateFailure.map { .backend($0) } ?? .unauthorized
        default: nil
        }
    }

    /// Why nothing that needs the radio can be begun now.
    var radioFailure: OperationFailure {
        if let stateFailure { return .backend(stateFailure) }
        return switch state {
        case .unknown: .backend(.unknownState)
        case .unsupported: .unsupported
        case .unauthorized: .backend(.unauthorized)
        case .resetting: .backend(.resetting)
        case .poweredOff, .poweredOn: .poweredOff
        }
    }

    private func resolveStateWaiter(_ number: UInt64, _ result: Result<Void, StateError>) {
        stateWaiters.removeValue(forKey: number)?(result)
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
