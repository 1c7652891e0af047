// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// What both managers are made of: one way for every request, one timer for all deadlines, one wait for the radio.
///
/// A manager is an actor on its backend's executor; everything here runs on it.
protocol RadioManager: RadioActor {
    /// What the backend is asked to do.
    associatedtype Operation: MeteredOperation, Sendable
    /// What those who wait for the radio are told.
    associatedtype StateError: RadioError

    /// Called on the manager with what became of a request.
    typealias Completion = @Sendable (isolated Self, Outcome) -> Void
    /// Called on the manager when its time has come.
    typealias Action = @Sendable (isolated Self) -> Void

    nonisolated var clock: BlueCapClock { get }
    nonisolated var meter: RadioMeter { get }
    nonisolated var logger: RadioLog { get }
    nonisolated var state: ManagerState { get }
    var stateFailure: BackendFailure? { get }
    var isInvalidated: Bool { get }
    nonisolated var suspendedRules: SuspendedRules { get }

    var pending: PendingTable<Operation, Completion> { get set }
    var deadlines: DeadlineQueue<Action> { get set }
    var armedTimer: ArmedTimer? { get set }
    var stateWaiters: OrderedTable<UInt64, (Result<Void, StateError>) -> Void> { get set }

    var pairingDesk: PairingDesk { get set }
    nonisolated var pairingInbox: Locked<PairingInbox> { get }

    /// The backend, which asks about pairing.
    nonisolated var pairingBackend: any PairingBackend { get }

    /// The app did not want to pair.
    func pairingRejected(_ peer: PeerIdentifier)

    /// A number that was never given out before.
    func makeNumber() -> UInt64

    /// Whether the connection that an operation needs ends by the wish of the app or of the peer.
    func endsInOrder(_ operation: Operation) -> Bool

    /// Hands a request to the backend.
    func send(_ id: RequestID, _ operation: Operation)

    /// Behind which requests an operation has to wait.
    func lane(
        of operation: Operation, id: RequestID, kind: PendingTable<Operation, Completion>.Lane.Kind?
    ) -> PendingTable<Operation, Completion>.Lane

    /// Why an operation cannot be begun now.
    func refusal(of operation: Operation) -> Outcome?
}

/// The clock's timer that stands for a manager's earliest deadline.
struct ArmedTimer {
    let deadline: Duration
    let timer: ClockTimer
}

extension RadioManager {
    /// Why no operation at all can be begun now.
    var refusalByRadio: Outcome? {
        if isInvalidated { return .invalidated }
        return state == .poweredOn ? nil : .failed(radioFailure)
    }
}
