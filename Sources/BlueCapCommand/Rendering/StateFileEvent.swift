// SPDX-License-Identifier: MIT

/// The file that a gateway keeps for its next run is not read, or not written.
struct StateFileEvent: Encodable, Sendable {
    var event = "state"
    var reason: String
    var date: String

    /// For people.
    var line: String { reason }
}
