// SPDX-License-Identifier: MIT

/// Frames of a device are not read although there is a key for it.
struct UnreadFramesEvent: Encodable, Sendable {
    var event = "unread"
    var id: String
    var reason: String
    var date: String

    /// For people.
    var line: String { "frames of \(id) are not read: \(reason)" }
}
