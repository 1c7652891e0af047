// SPDX-License-Identifier: MIT

/// A change of the connection to a device.
struct GatewayLinkEvent: Encodable, Sendable {
    enum State: String, Encodable {
        case connected, disconnected, read, failed
    }

    var event = "link"
    var state: State
    var id: String
    var reason: String?
    var date: String

    /// For people.
    var line: String {
        ([state.rawValue, id] + [reason.map(TextLayout.printable)].compactMap(\.self)).joined(separator: "  ")
    }
}
