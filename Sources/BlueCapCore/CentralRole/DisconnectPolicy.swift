// SPDX-License-Identifier: MIT

/// The policy of a sequence of notifications at the end of the connection.
public enum DisconnectPolicy: Sendable, Hashable {
    /// The sequence ends with the error.
    case end
    /// The sequence continues after the next connection.
    ///
    /// The manager then discovers the characteristic again and switches its notifications on. Values that change
    /// between the connections are not delivered. A characteristic of an included service is found through the primary
    /// service that included the service before. If only a service that is itself included does so, the sequence ends
    /// with `.notDiscovered`.
    case resubscribe
}
