// SPDX-License-Identifier: MIT

/// What a sequence of notifications does when the connection ends.
public enum DisconnectPolicy: Sendable, Hashable {
    /// It ends with the error.
    case end
    /// It goes on: after the next connection the manager discovers the characteristic again and switches its
    /// notifications on. Values that change in between are not delivered. One of an included service is found through
    /// the primary service that included it before; it ends with `.notDiscovered` where only a service that is included
    /// itself does.
    case resubscribe
}
