// SPDX-License-Identifier: MIT

extension RadioManager {
    /// A completion that has the operation's time measured before it runs.
    @inline(__always)
    func metered(_ operation: Operation, _ completion: @escaping Completion) -> Completion {
        #if Metrics
        let start = meter.begin(clock)
        let label = operation.meterLabel
        return { manager, outcome in
            var reason: ErrorReason?
            if case .reply = outcome {} else { reason = PeripheralError(outcome, timeout: .connectionTimeout).reason }
            manager.meter.end(label, reason, since: start, manager.clock)
            completion(manager, outcome)
        }
        #else
        return completion
        #endif
    }
}
