// SPDX-License-Identifier: MIT

/// What a platform's central role can do beyond the common ground.
public struct CentralFeatures: OptionSet, Sendable {
    /// The bits, one for each feature. They have no meaning outside of the process.
    public let rawValue: Int

    /// A set from its bits; bits without a name are kept.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The signal strength of a connection can be measured. Without it ``Peripheral/readRSSI(timeout:)`` gives the last
    /// sighting's, if it is fresh.
    public static let connectionRSSI = Self(rawValue: 1)
    /// The platform reports when a peripheral that it is to connect to is there (``CentralEvent/peripheralHeard(_:)``),
    /// so that the manager can distinguish an attempt that fails from one that only waits.
    public static let peripheralPresence = Self(rawValue: 2)
    /// The platform distinguishes the answer to a read from a notified value. Without it the answer to a read of a
    /// characteristic that notifies may be a notification, so the manager delivers it to the listeners as well
    /// (CoreBluetooth calls the same delegate method for both).
    public static let separatesReadsFromNotifications = Self(rawValue: 4)
}
