// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// Stands in where this build or this platform has no radio for the peripheral role: its state is `.unsupported`, with
/// the reason, for good.
public actor UnavailablePeripheralBackend: PeripheralBackend {
    public nonisolated let executor: any BackendExecutor
    public nonisolated let features: PeripheralFeatures = []
    /// Nil: there are no accesses to answer.
    public nonisolated let accessTimeLimit: Duration? = nil
    /// Why there is no radio, and what to do about it.
    public nonisolated let failure: BackendFailure

    // SAFETY: `executor` is held by a `let` of this actor, so it lives at least as long as the unowned reference is
    // used.
    /// The executor of the backend, which its manager shares.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private var sink: PeripheralEventSink?

    /// Creates a backend that is unavailable for the given reason.
    ///
    /// - Parameters:
    ///   - failure: Why there is no radio.
    ///   - executor: Where the backend and its manager run.
    public init(failure: BackendFailure, executor: any BackendExecutor) {
        self.failure = failure
        self.executor = executor
    }

    /// Returns false: no error ever reaches a central.
    public nonisolated func isSendable(_ error: ATTError) -> Bool { false }

    /// Returns nil: an advertisement fails because there is no radio, and not for its length.
    public nonisolated func excessByteCount(of advertisement: Advertisement) -> Int? { nil }

    public func activate(clock: BlueCapClock, sink: PeripheralEventSink) {
        self.sink = sink
        report(.stateChanged(.unsupported, failure))
    }

    public func invalidate() { sink = nil }

    public func perform(_ request: PeripheralRequest) { report(.reply(request.id, .failure(.backend(failure)))) }

    public func respond(to access: AccessID, _ result: Result<Bytes, ATTError>) {}

    /// Hands over an event after the call that caused it has returned, as the contract of `PeripheralBackend` wants.
    private func report(_ event: PeripheralEvent) { later { $0.sink?(event) } }
}
