// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// Stands in where this build or this platform has no radio: its state is `.unsupported`, with the reason, for good.
///
/// `whenPoweredOn` and every command of a manager over it throw `.backend` with that reason.
public actor UnavailableCentralBackend: CentralBackend {
    public nonisolated let executor: any BackendExecutor
    public nonisolated let features: CentralFeatures = []
    /// Why there is no radio, and what to do about it.
    public nonisolated let failure: BackendFailure

    // SAFETY: `executor` is held by a `let` of this actor, so it lives at least as long as the unowned reference is
    // used.
    /// The executor of the backend, which its manager shares.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private var sink: CentralEventSink?

    /// Creates a backend that is unavailable for the given reason.
    ///
    /// - Parameters:
    ///   - failure: Why there is no radio.
    ///   - executor: Where the backend and its manager run.
    public init(failure: BackendFailure, executor: any BackendExecutor) {
        self.failure = failure
        self.executor = executor
    }

    public func activate(clock: BlueCapClock, sink: CentralEventSink) {
        self.sink = sink
        report(.stateChanged(.unsupported, failure))
    }

    public func invalidate() { sink = nil }

    /// Does nothing: a scan is never asked for while the state is `.unsupported`.
    public func scan(_ request: ScanRequest?) {}

    /// Reports `.connectFailed` with ``failure``.
    public func connect(_ peripheral: PeerIdentifier) { report(.connectFailed(peripheral, .backend(failure))) }

    /// Reports `.connectFailed` with ``failure``: there is never a connection.
    public func disconnect(_ peripheral: PeerIdentifier) { report(.connectFailed(peripheral, .backend(failure))) }

    public func perform(_ request: CentralRequest) { report(.reply(request.id, .failure(.backend(failure)))) }

    /// Hands over an event after the call that caused it has returned, as the contract of `CentralBackend` wants.
    private func report(_ event: CentralEvent) { later { $0.sink?(event) } }
}
