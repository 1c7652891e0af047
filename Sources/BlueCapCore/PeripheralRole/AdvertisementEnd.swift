// SPDX-License-Identifier: MIT

/// Why an advertisement ended.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum AdvertisementEnd: Sendable, Hashable {
    /// The app took it back: it was stopped, or the manager was reset.
    case stopped
    /// Its ``Advertisement/timeout`` is over.
    case timeOver
    /// The platform took it down, or did not take it again after an interruption. Also told on
    /// ``PeripheralManager/registrationFailures()``.
    case refused(PeripheralManagerError)
}
