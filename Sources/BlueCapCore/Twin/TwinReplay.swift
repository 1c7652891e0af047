// SPDX-License-Identifier: MIT

/// The way in which the values that a twin notified are sent again.
public enum TwinReplay: Sendable, Hashable {
    /// The device sends no values.
    case never
    /// The device sends the values once for each subscription, each value as long after the subscription as it was.
    case once
    /// The device sends the values again and again while there is a subscription. The last value is followed by the
    /// first after the time that the first took to come, and a millisecond at least.
    case repeating
}
