// SPDX-License-Identifier: MIT

/// What a sequence of typed values does at bytes that are no value of the type.
public enum UndecodablePolicy: Sendable, Hashable {
    /// It throws `.undecodable`, with the bytes, and ends.
    case end
    /// It goes on with the next; the bytes are counted in ``TypedNotifications/skippedCount``.
    case skip
}
