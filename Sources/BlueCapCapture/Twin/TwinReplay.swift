// SPDX-License-Identifier: MIT

/// How the values that a twin notified are sent again.
public enum TwinReplay: Sendable, Hashable {
    /// Never: the device is silent.
    case never
    /// Once for each subscription, each value as long after the subscription as it was.
    case once
    /// The same again and again while there is a subscription. The last value is followed by the first after the time
    /// that the first took to come, and a millisecond at least.
    case repeating
}
