// SPDX-License-Identifier: MIT

extension RadioManager {
    /// A completion that has the operation's time measured before it runs.
    @inline(__always)
    func metered(_ operation: Operation, _ completion: @escaping Completion) -> Completion {
        #if Metrics
        let start = meter.begin(clock)
        let label = operation.meterLabel
        return { manager, outcome in
            let end = MeteredOutcome(outcome, endsInOrder: manager.endsInOrder(operation))
            manager.meter.end(label, end, since: start, manager.clock)
            completion(manager, outcome)
        }
        #else
        return completion
        #endif
    }

    /// Whether the connection that an operation needs ends by the wish of the app or of the peer.
    func endsInOrder(_ operation: Operation) -> Bool { false }
}

extension MeteredOutcome {
    /// The outcome of a request.
    ///
    /// - Parameters:
    ///   - outcome: What became of it.
    ///   - endsInOrder: Whether its connection ends by the wish of the app or of the peer.
    init(_ outcome: Outcome, endsInOrder: Bool) {
        switch outcome {
        case .reply: self = .success
        case .failed(.disconnected) where endsInOrder: self = .ended
        default: self = .failed(PeripheralError(outcome, timeout: .connectionTimeout).reason)
        }
    }
}
