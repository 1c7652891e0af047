// SPDX-License-Identifier: MIT

/// What both managers are made of: one way for every request, one timer for all deadlines, one wait for the radio.
///
/// A manager is an actor on its backend's executor; everything here runs on it.
protocol RadioManager: RequestOwner, StateOwner, PairingOwner, JournalOwner {}

extension RadioManager {
    /// Why no operation at all can be begun now.
    var refusalByRadio: Outcome? {
        if isInvalidated { return .invalidated }
        return radio.current == .poweredOn ? nil : .failed(radio.reason)
    }
}
