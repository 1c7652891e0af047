// SPDX-License-Identifier: MIT

/// Why an advertisement ended.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum AdvertisementEnd: Sendable, Hashable {
    /// The app stopped it, or reset the manager.
    case stopped
    /// Its ``Advertisement/timeout`` is over.
    case timeOver
    /// The platform ended it, or refused it after an interruption. Also reported by
    /// ``PeripheralManager/registrationFailures()``.
    case refused(PeripheralManagerError)
}
