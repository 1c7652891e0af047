// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// What both managers are made of: one way for every request, one timer for all deadlines, one wait for the radio.
///
/// A manager is an actor on its backend's executor; everything here runs on it.
protocol RadioManager: RequestOwner {
    /// What those who wait for the radio are told.
    associatedtype StateError: RadioError

    nonisolated var logger: RadioLog { get }
    nonisolated var state: ManagerState { get }
    var stateFailure: BackendFailure? { get }
    var isInvalidated: Bool { get }

    var stateWaiters: OrderedTable<UInt64, (Result<Void, StateError>) -> Void> { get set }

    var pairingDesk: PairingDesk { get set }
    nonisolated var pairingInbox: Locked<PairingInbox> { get }

    /// The backend, which asks about pairing.
    nonisolated var pairingBackend: any PairingBackend { get }

    /// The app did not want to pair.
    func pairingRejected(_ peer: PeerIdentifier)
}

extension RadioManager {
    /// Why no operation at all can be begun now.
    var refusalByRadio: Outcome? {
        if isInvalidated { return .invalidated }
        return state == .poweredOn ? nil : .failed(radioFailure)
    }
}
