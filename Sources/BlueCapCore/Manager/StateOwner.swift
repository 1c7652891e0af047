// SPDX-License-Identifier: MIT

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
