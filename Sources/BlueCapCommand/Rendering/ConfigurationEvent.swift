// SPDX-License-Identifier: MIT

/// The end of a second reading of a configuration's file.
struct ConfigurationEvent: Encodable, Sendable {
    enum State: String, Encodable {
        case read, refused
    }

    var event = "configuration"
    var state: State
    /// All mistakes, a line for each.
    var reason: String?
    /// The keys whose new values hold from the next start on; nil if there are none.
    var nextStart: [String]?
    var date: String

    /// For people.
    var lines: [String] {
        switch state {
        case .refused: ["the configuration stays as it was", reason ?? ""]
        case .read:
            ["read the configuration again"]
                + (nextStart.map { ["from the next start on: \($0.joined(separator: ", "))"] } ?? [])
        }
    }
}
