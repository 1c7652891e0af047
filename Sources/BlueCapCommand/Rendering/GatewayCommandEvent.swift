// SPDX-License-Identifier: MIT

/// What became of a command of the broker.
struct GatewayCommandEvent: Encodable, Sendable {
    enum State: String, Encodable {
        case written, failed, refused
    }

    var event = "command"
    var state: State
    /// The device; nil for a command that was refused.
    var id: String?
    var key: String?
    var reason: String?
    var date: String

    /// For people.
    var line: String {
        let subject = [id, key.map(TextLayout.printable)].compactMap(\.self).joined(separator: " ")
        switch state {
        case .written: return "wrote \(subject)"
        case .failed: return "not written: \(subject): \(TextLayout.printable(reason ?? "unknown"))"
        case .refused: return "a command is refused: \(reason ?? "unknown")"
        }
    }
}
