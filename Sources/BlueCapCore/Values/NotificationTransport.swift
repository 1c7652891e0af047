// SPDX-License-Identifier: MIT

/// How notifications travel from the platform's service to this process.
public enum NotificationTransport: Sendable, Hashable, Codable {
    /// The platform's default, which loses nothing at the start (BlueZ: `StartNotify`).
    case standard
    /// A channel of this characteristic's own where the platform has one (BlueZ: `AcquireNotify`): an order of
    /// magnitude cheaper per value, exclusive, and notifications sent inside the peer's subscription handler can be
    /// lost. The same as ``standard`` elsewhere.
    case socket
}
