// SPDX-License-Identifier: MIT

/// The end or the return of the radio of a command that waits for it.
struct RadioEvent: Encodable, Sendable {
    enum State: String, Encodable {
        case lost, on
    }

    var event = "radio"
    var state: State
    var reason: String?
    var date: String

    /// For people.
    var line: String {
        switch state {
        case .lost: "no radio (\(reason ?? "unknown")): waiting for it"
        case .on: "the radio is back"
        }
    }
}
