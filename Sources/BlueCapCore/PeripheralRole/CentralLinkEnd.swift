// SPDX-License-Identifier: MIT

/// The end of a link to a central, and the work that the central left unfinished.
public struct CentralLinkEnd: Sendable, Hashable {
    /// The reason for the end.
    ///
    /// A minor version may add cases: a `switch` outside the package needs a `default`.
    public enum Reason: Sendable, Hashable {
        /// The central ended the link, or the link was lost; the failure is the platform's reason where it gives one.
        case lost(BackendFailure?)
        /// This program ended the link by ``PeripheralManager/disconnect(_:timeout:)``.
        case disconnected
        /// The radio was switched off, the adapter was unplugged, or the system's Bluetooth service ended.
        case radioLost(PeripheralManagerError)
    }

    /// A long write of which parts were prepared, and which the central did not execute: nothing was written.
    public struct PreparedWrite: Sendable, Hashable {
        /// The characteristic that the central was writing.
        public let characteristic: MutableCharacteristic
        /// The number of prepared parts.
        public let partCount: Int
    }

    /// The reason for the end.
    public let reason: Reason
    /// The time for which the link stood.
    public let duration: Duration
    /// The long writes that the central began and did not finish. Empty where the platform does not report the parts
    /// (BlueZ and CoreBluetooth).
    public let preparedWrites: [PreparedWrite]
    /// The number of requests that waited for the app's answer when the link ended.
    public let openRequestCount: Int
    /// The control points at which the central began a procedure whose response it did not await.
    public let openProcedures: [MutableCharacteristic]

    /// A Boolean value that is true if the central left a long write, a request or a procedure unfinished.
    public var leftWorkUnfinished: Bool {
        !preparedWrites.isEmpty || openRequestCount > 0 || !openProcedures.isEmpty
    }
}
