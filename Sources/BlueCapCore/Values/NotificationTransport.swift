// SPDX-License-Identifier: MIT

/// The way that notifications take from the platform's service to this process.
public enum NotificationTransport: Sendable, Hashable, Codable {
    /// The platform's default, which loses nothing at the start (BlueZ: `StartNotify`).
    case standard
    /// A separate channel for this characteristic if the platform has one (BlueZ: `AcquireNotify`).
    ///
    /// A value costs an order of magnitude less than with ``standard``. The channel is exclusive, and notifications
    /// that the peer sends inside its subscription handler can be lost. On other platforms it is the same as
    /// ``standard``.
    case socket
}
